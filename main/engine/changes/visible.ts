import type { Upload } from '#shared/domain/attachment.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { Channel, ChannelConfig, ChannelReads, Typing } from '#shared/domain/channel.ts'
import type { Draft } from '#shared/domain/draft.ts'
import { type Intent, NO_CHANNEL, type OutboxItem } from '#shared/domain/intent.ts'
import type { Poll, PollAnswer } from '#shared/domain/poll.ts'
import type { User } from '#shared/domain/user.ts'
import { type Cid, type MessageId, type UserId, asMessageId } from '#shared/lib/brand.ts'
import { DEFAULT_MESSAGE_LENGTH } from '#shared/constants.ts'
import { predictBlocked } from '#shared/rules/people/people.ts'
import { directUserIds } from '#shared/rules/channels/channels.ts'
import { predictPoll, unsentPoll } from '#shared/rules/polls/polls.ts'
import { isForLater, predictRead } from '#shared/rules/messages/predict.ts'
import { withLocalRead } from '#shared/rules/channels/unread.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { compareReminders } from '#shared/rules/reminders/reminders.ts'
import type { PollRow, PollVoteRow, UserRow, ReminderNote, ReminderRow } from '#main/cache/rows.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import { pictureRef } from '#main/cache/messages/media.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as polls from '#main/cache/messages/polls.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as unread from '#main/cache/channels/unread.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import * as users from '#main/cache/people/users.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import * as reminders from '#main/cache/people/reminders.ts'
import type { ReadContext } from './memory.ts'

/** Avatars in the header. */
const FACES = 5
const SUMMARY_LENGTH = 80
const TITLE_LENGTH = 80

const NO_CONFIG: ChannelConfig = {
  typingEvents: false,
  readEvents: false,
  reactions: true,
  replies: true,
  quotes: true,
  uploads: true,
  polls: false,
  sharedLocations: false,
  maxMessageLength: DEFAULT_MESSAGE_LENGTH,
  commands: [],
}

export function visibleUser(context: ReadContext, id: UserId): User | undefined {
  const { cache, now, memory } = context
  const row = users.byId(cache, id)
  if (row === undefined) return undefined
  const live = memory.presence.get(id)
  const { online = false, lastActiveAt } = live !== undefined && live.asOf >= row.asOf ? live : row
  const mutedUntil = mutes.endsAt(cache, 'user', id, now())
  const zone = typeof row.custom['timezone'] === 'string' ? row.custom['timezone'] : undefined
  return {
    id: row.id,
    name: row.name,
    image: row.imageUrl === undefined ? undefined : pictureRef('user', row.id, row.imageUrl),
    role: row.role,
    online,
    lastActiveAt,
    banned: row.banned,
    ...statusOf(row, now()),
    title: titleOf(row.custom['title']),
    away: online && row.away === true ? true : undefined,
    invisible: id === context.me && row.invisible === true ? true : undefined,
    bot: row.bot,
    timeZone: zone,
    muted: mutes.isMuted(cache, 'user', id, now()) ? true : undefined,
    mutedUntil,
    blocked: isBlocked(context, id) ? true : undefined,
    language: languageTag(row.language),
    updatedAt: row.updatedAt,
  }
}

/** A language as pages name it; servers also write `pt_BR`, or something else. */
function languageTag(language: string | undefined): string | undefined {
  const tag = language?.replaceAll('_', '-') ?? ''
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : undefined
}

/** Servers may have anything in a field of their own. */
function titleOf(custom: unknown): string | undefined {
  const title = typeof custom === 'string' ? cleanName(custom, TITLE_LENGTH).trim() : ''
  return title === '' ? undefined : title
}

/** A status with its end, until then. */
const statusOf = ({ statusText, statusUntil }: UserRow, now: number): Pick<User, 'statusText' | 'statusUntil'> =>
  statusText === undefined || (statusUntil !== undefined && statusUntil <= now) ? {} : { statusText, statusUntil }

/** The viewer has blocked the user, or a block is pending. */
export const isBlocked = ({ cache, outbox, now }: Pick<ReadContext, 'cache' | 'outbox' | 'now'>, id: UserId): boolean =>
  predictBlocked(mutes.isMuted(cache, 'block', id, now()), outbox.in(NO_CHANNEL), id)

/** The viewer has muted or blocked the user: what they do is left out of lists of what matters. */
export const isSilenced = (context: Pick<ReadContext, 'cache' | 'outbox' | 'now'>, id: UserId): boolean =>
  mutes.isMuted(context.cache, 'user', id, context.now()) || isBlocked(context, id)

/** Notes to self have one member: they cannot be left or deleted. */
const NOT_FOR_NOTES: ReadonlySet<string> = new Set(['update-channel-members', 'leave-channel', 'delete-channel'])

/** The channel with all counts read by query: unread, unsent, pinned. They are never maintained by adding. */
export function visibleChannel(context: ReadContext, cid: Cid): Channel | undefined {
  const row = channels.byCid(context.cache, cid)
  if (row === undefined) return undefined
  const own = members.own(context.cache, cid)
  const known = members.firstIds(context.cache, cid)
  const direct = directUserIds(row.id, known, context.me)
  const mutedUntil = mutes.endsAt(context.cache, 'channel', cid, context.now())
  const only = direct.length === 1 ? direct[0] : undefined
  const notes = only === context.me
  return {
    cid,
    type: row.type,
    id: row.id,
    name: row.name,
    topic: row.topic,
    image: row.imageUrl === undefined ? undefined : pictureRef('channel', cid, row.imageUrl),
    isPrivate: row.isPrivate,
    directUserId: only,
    directUserIds: direct,
    notes: notes || undefined,
    memberCount: row.memberCount ?? known.length,
    watcherCount: context.memory.watchers.get(cid) ?? 0,
    faceIds: known.slice(0, FACES),
    lastMessageAt: row.lastMessageAt,
    frozen: row.frozen,
    blocked:
      only === undefined
        ? (row.blocked ?? false)
        : predictBlocked(row.blocked ?? false, context.outbox.in(NO_CHANNEL), only),
    hidden: row.hidden ?? false,
    muted: mutes.isMuted(context.cache, 'channel', cid, context.now()),
    mutedUntil,
    visiting: own === undefined ? true : undefined,
    pinnedAt: own?.pinnedAt,
    archivedAt: own?.archivedAt,
    cooldown: row.cooldown,
    capabilities: (row.capabilities ?? []).filter((name) => !notes || !NOT_FOR_NOTES.has(name)),
    config: row.config ?? NO_CONFIG,
    pinnedMessageCount: messages.pinnedCount(context.cache, cid),
    ...readState(context, cid),
    truncatedAt: row.truncatedAt,
    truncatedBy: row.truncatedById,
    hasDraft: drafts.byKey(context.pending, cid) !== undefined,
    queuedCount: context.outbox.sends(cid).filter((intent) => !isForLater(intent)).length,
  }
}

type ReadState = Pick<Channel, 'unread' | 'unreadMentions' | 'lastReadAt' | 'lastReadMessageId' | 'firstUnreadId'>

/** How far the viewer has read, including marks that are not sent. */
export function readMark(context: ReadContext, cid: Cid) {
  const known = withLocalRead(reads.own(context.cache, cid), localReads.of(context.pending, cid))
  return known && predictRead(known, context.outbox.in(cid))
}

/** How far the viewer has read, and what is unread after that; `firstHeldId` is the first of those that are cached. */
export function readStateHeld(
  context: ReadContext,
  cid: Cid,
): { readonly state: ReadState; readonly firstHeldId: MessageId | undefined } {
  const fact = reads.own(context.cache, cid)
  const mark = readMark(context, cid)
  const counted = unread.ofChannel(context.cache, cid, context.now(), mark === fact ? undefined : mark?.lastReadAt)
  const named = counted.unread > 0 ? mark?.firstUnreadId : undefined
  const firstId = counted.isFirst ? counted.firstId : named
  const state = {
    unread: counted.unread,
    unreadMentions: counted.mentions,
    ...(mark === undefined ? {} : { lastReadAt: mark.lastReadAt }),
    ...(mark?.lastReadMessageId === undefined ? {} : { lastReadMessageId: mark.lastReadMessageId }),
    ...(firstId === undefined ? {} : { firstUnreadId: firstId }),
  }
  return { state, firstHeldId: counted.firstId }
}

export const readState = (context: ReadContext, cid: Cid): ReadState => readStateHeld(context, cid).state

export function visibleReads({ cache }: ReadContext, cid: Cid): ChannelReads {
  return {
    cid,
    reads: reads.others(cache, cid).map((row) => ({
      userId: row.userId,
      lastReadAt: row.lastReadAt,
      lastReadMessageId: row.lastReadMessageId,
      deliveredAt: row.deliveredAt,
    })),
  }
}

export function visibleTyping({ memory }: ReadContext, key: string): Typing | undefined {
  const people = [...(memory.typing.get(key) ?? [])].map(([id, { name }]) => ({ id, name }))
  const assistant = memory.assistants.get(key)
  if (assistant === undefined) return people.length === 0 ? undefined : { key, people }
  return { key, people, assistant }
}

export function visibleUpload({ pending, memory }: ReadContext, id: string): Upload | undefined {
  const row = uploads.byId(pending, id)
  if (row === undefined) return undefined
  const speed = row.state === 'uploading' ? memory.speed.get(id) : undefined
  return {
    id: row.id,
    name: row.name,
    sizeBytes: row.sizeBytes,
    mimeType: row.mimeType,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    progress: row.state === 'finished' ? 1 : (memory.progress.get(id) ?? 0),
    width: row.width,
    height: row.height,
    ...(row.duration === undefined ? {} : { duration: row.duration }),
    waveform: row.waveform,
    alt: row.alt,
    limit: row.limit,
    listed: row.listed,
    renaming: row.state === 'blocked' && row.renamable ? (row.complete ? 'ready' : 'wanted') : undefined,
    bytesPerSecond: speed,
  }
}

export function visibleDraft(context: ReadContext, key: string): Draft | undefined {
  const row = drafts.byKey(context.pending, key)
  if (row === undefined) return undefined
  return {
    key,
    cid: row.cid,
    parentId: row.parentId,
    text: row.text,
    quotedId: row.quotedId,
    uploads: row.uploadIds.map((id) => visibleUpload(context, id)).filter((upload) => upload !== undefined),
    caret: row.caret,
    selectedTo: row.selectedTo,
    showInChannel: row.showInChannel,
    updatedAt: row.updatedAt,
    polls: row.polls,
    edit: row.edit,
    ...(row.lost === undefined ? {} : { conflict: { text: row.lost.text, writtenAt: row.lost.at } }),
  }
}

export function visibleOutboxItem(context: ReadContext, id: string): OutboxItem | undefined {
  const intent = context.outbox.byId(id)
  if (intent === undefined) return undefined
  return {
    id,
    kind: intent.kind,
    cid: intent.cid,
    ...(intent.messageId === undefined ? {} : { messageId: intent.messageId }),
    parentId: intent.parentId,
    state: intent.state,
    summary: summaryOf(context, intent),
    fileCount: intent.kind === 'send-message' ? intent.payload.uploadIds.length : intent.kind === 'upload' ? 1 : 0,
    reason: intent.reason,
    retryable: intent.retryable,
    createdAt: intent.createdAt,
    ...(intent.kind === 'send-message' && isForLater(intent) ? { sendAt: intent.nextAt } : {}),
    ...contentOf(intent),
  }
}

function contentOf({ kind, payload }: Intent): Pick<OutboxItem, 'content'> {
  if (kind !== 'send-message') return {}
  if (payload.pollId !== undefined) return { content: 'poll' }
  return payload.place === undefined ? {} : { content: 'place' }
}

/** Text that identifies the intent to the user. */
function summaryOf(context: ReadContext, intent: Intent): string {
  switch (intent.kind) {
    case 'send-message':
      return excerpt(intent.payload.poll?.name ?? intent.payload.text, SUMMARY_LENGTH)
    case 'edit-message':
      return excerpt(intent.payload.text, SUMMARY_LENGTH)
    case 'send-reaction':
    case 'delete-reaction':
      return intent.payload.type
    case 'block-person':
    case 'unblock-person':
      return users.byId(context.cache, intent.payload.userId)?.name ?? intent.payload.userId
    case 'moderate':
      return excerpt(intent.payload.summary, SUMMARY_LENGTH)
    case 'upload':
      return uploads.byId(context.pending, intent.payload.uploadId)?.name ?? ''
    case 'delete-message':
    case 'pin-message':
    case 'mark-read':
    case 'create-draft':
    case 'delete-draft':
    case 'cast-vote':
    case 'remove-vote':
    case 'set-reminder':
    case 'delete-reminder':
      return excerpt(targetText(context, intent.messageId), SUMMARY_LENGTH)
  }
}

const targetText = ({ cache }: ReadContext, id: MessageId | undefined): string =>
  id === undefined ? '' : (messages.byId(cache, id)?.text ?? '')

export function visiblePoll(context: ReadContext, id: string): Poll | undefined {
  const row = polls.byId(context.cache, id)
  const intents = context.outbox.all()
  const poll = row === undefined ? waitingPoll(intents, id, context.me) : pollOf(row)
  if (poll === undefined) return undefined
  const votes = intents.filter(
    (intent) => (intent.kind === 'cast-vote' || intent.kind === 'remove-vote') && intent.payload.pollId === id,
  )
  return predictPoll(poll, votes, context.me)
}

/** A poll that will be sent with its message. */
function waitingPoll(intents: readonly Intent[], id: string, me: UserId): Poll | undefined {
  for (const { kind, payload } of intents) {
    if (kind === 'send-message' && payload.poll && payload.pollId === id)
      return unsentPoll(payload.pollId, payload.poll, me)
  }
  return undefined
}

/** Ids of options are any text, also the name of a property that every object inherits. */
const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

export function pollOf(row: PollRow): Poll {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    options: row.options.map(({ suggestedBy, ...option }) => ({
      ...option,
      suggestedBy,
      votes: ownValue(row.votesByOption, option.id) ?? 0,
      own: row.ownVotes?.some((vote) => vote.optionId === option.id) ?? false,
      voterIds: (ownValue(row.latestByOption, option.id) ?? []).flatMap((vote) =>
        vote.userId === undefined ? [] : [vote.userId],
      ),
    })),
    enforceUniqueVote: row.enforceUniqueVote,
    maxVotes: row.maxVotes,
    anonymous: row.anonymous,
    closed: row.closed,
    closesAt: row.closesAt,
    voteCount: row.voteCount,
    answersCount: row.answersCount,
    createdBy: row.createdBy ?? ('' as UserId),
    allowAnswers: row.allowAnswers,
    allowSuggestions: row.allowSuggestions,
    changes: row.changes === undefined || row.changes.length === 0 ? undefined : row.changes,
    ...answersOf(row),
  }
}

function answersOf(row: PollRow): Pick<Poll, 'answers' | 'ownAnswer'> {
  const own = row.ownVotes?.find((vote) => vote.answerText !== undefined)?.answerText
  return {
    answers: (row.latestAnswers ?? []).flatMap(answerOf),
    ownAnswer: own,
  }
}

/** A text answer, or nothing for a vote. */
export function answerOf({ id, answerText, userId, createdAt }: PollVoteRow): PollAnswer[] {
  if (answerText === undefined) return []
  return [{ id, text: answerText, createdAt, ...(userId === undefined ? {} : { userId }) }]
}

/**
 * The reminder as the viewer sees it: the server's, with pending intents and with state that only this device has.
 */
export function visibleReminder(context: ReadContext, messageId: string): Reminder | undefined {
  const fact = reminders.byId(context.cache, messageId)
  const intent = context.outbox.about(asMessageId(messageId)).filter(isAboutReminder).at(-1)
  const note = notes.byId(context.pending, messageId)
  // Without its message there is nothing to return to.
  if (messages.byId(context.cache, messageId)?.type === 'deleted') return undefined
  const set = setOf(fact, intent)
  return set ? withRing(set, note) : doneOf(note)
}

/** Every reminder as the viewer sees it, in the order of the list. */
export function laterReminders(context: ReadContext): readonly Reminder[] {
  const ids = new Set<string>([
    ...reminders.all(context.cache).map((row) => row.messageId),
    ...notes.all(context.pending).map((note) => note.messageId),
    ...context.outbox.all().flatMap((intent) => (isAboutReminder(intent) ? (intent.messageId ?? []) : [])),
  ])
  return [...ids].flatMap((id) => visibleReminder(context, id) ?? []).toSorted(compareReminders)
}

/** Every message that has one, in the order of the list. */
export const laterOrder = (context: ReadContext): readonly string[] =>
  laterReminders(context).map(({ messageId }) => messageId)

type ReminderIntent = Extract<Intent, { kind: 'set-reminder' | 'delete-reminder' }>

const isAboutReminder = (intent: Intent): intent is ReminderIntent =>
  (intent.kind === 'set-reminder' || intent.kind === 'delete-reminder') && intent.state !== 'parked'

function setOf(fact: ReminderRow | undefined, intent: ReminderIntent | undefined): Reminder | undefined {
  if (intent === undefined) return fact && { ...shown(fact), pending: false }
  if (intent.kind === 'delete-reminder' || intent.messageId === undefined) return undefined
  const { remindAt, setAt } = intent.payload
  return {
    messageId: intent.messageId,
    cid: intent.cid,
    remindAt,
    pending: true,
    createdAt: fact?.createdAt ?? setAt,
    updatedAt: setAt,
  }
}

function shown({ messageId, cid, remindAt, createdAt, updatedAt }: ReminderRow): Omit<Reminder, 'pending'> {
  return { messageId, cid, remindAt, createdAt, updatedAt }
}

const withRing = (reminder: Reminder, note: ReminderNote | undefined): Reminder =>
  note?.rangAt !== undefined && note.rangFor === reminder.remindAt ? { ...reminder, rangAt: note.rangAt } : reminder

function doneOf(note: ReminderNote | undefined): Reminder | undefined {
  if (note?.doneAt === undefined) return undefined
  const { messageId, cid, doneAt, remindAt } = note
  const when = remindAt === undefined ? {} : { remindAt }
  return { messageId, cid, ...when, doneAt, pending: false, createdAt: doneAt, updatedAt: doneAt }
}
