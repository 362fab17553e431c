import type { Attachment, Upload } from '../../domain/attachment.ts'
import type { ForwardedFile, Intent, IntentFor, SentPlace, SentPreview } from '../../domain/intent.ts'
import {
  contentOf,
  type Message,
  type MessageLocation,
  type QuotedMessage,
  type ReactionGroup,
  type ThreadSummary,
} from '../../domain/message.ts'
import type { MessageId, UserId } from '../../lib/brand.ts'
import type { ReadMark } from '../channels/unread.ts'
import { cutText } from './text.ts'

export type PredictContext = {
  readonly me: UserId
  /** The connection is healthy: an unsent message is `sending`, else `queued`. */
  readonly online: boolean
  readonly upload: (id: string) => Upload | undefined
}

/**
 * Applies pending intents to one confirmed message. Pure and idempotent: an intent whose effect the fact already shows
 * changes nothing, so the order of echo, response and acknowledgement does not matter.
 *
 * A refused (parked) send stays visible as failed; any other refused intent leaves the fact unchanged.
 *
 * @param fact    the confirmed message, absent while it is only an intent
 * @param intents those for this message, oldest first
 */
export function predictMessage(
  fact: Message | undefined,
  intents: readonly Intent[],
  context: PredictContext,
): Message | undefined {
  return intents.reduce<Message | undefined>((message, intent) => {
    if (intent.kind === 'send-message')
      return message ?? (isForLater(intent) ? undefined : predictSend(intent, context))
    if (message === undefined || intent.state === 'parked') return message
    switch (intent.kind) {
      case 'edit-message':
        return withEdit(message, intent)
      case 'delete-message':
        return withDelete(message, intent)
      case 'send-reaction':
        return withReaction(message, intent, context.me)
      case 'delete-reaction':
        return withoutReaction(message, intent, context.me)
      case 'pin-message':
        return withPin(message, intent, context.me)
      case 'mark-read':
      case 'block-person':
      case 'unblock-person':
      case 'moderate':
      case 'upload':
      case 'create-draft':
      case 'delete-draft':
      case 'cast-vote':
      case 'remove-vote':
      case 'set-reminder':
      case 'delete-reminder':
        return message
    }
  }, fact)
}

/** "Send later": not shown in a timeline before its time. */
export const isForLater = ({ state, payload }: IntentFor<'send-message'>): boolean =>
  state === 'scheduled' && payload.sendAt !== undefined

/** An intent can be undone while it is scheduled. */
const undoable = ({ state, nextAt }: Pick<Intent, 'state' | 'nextAt'>): Pick<Message, 'undoUntil'> =>
  state === 'scheduled' ? { undoUntil: nextAt } : {}

/** What of an unsent message decides how it is shown. */
type UnsentMessage = Pick<
  IntentFor<'send-message'>,
  'id' | 'cid' | 'parentId' | 'messageId' | 'state' | 'nextAt' | 'reason' | 'retryable' | 'payload'
>

/** A message as its author sees it before the server has it. */
export function predictSend(intent: UnsentMessage, context: PredictContext): Message {
  const { payload } = intent
  const uploads = payload.uploadIds.map(context.upload).filter((upload) => upload !== undefined)
  return {
    id: intent.messageId ?? (intent.id as MessageId),
    cid: intent.cid,
    userId: context.me,
    text: payload.text,
    type: intent.parentId === undefined ? 'regular' : 'reply',
    ...sendStatus(intent, context),
    parentId: intent.parentId,
    showInChannel: payload.showInChannel,
    quoted: payload.quoted,
    attachments: (payload.previews ?? []).map(waitingPreview),
    uploads: [...uploads, ...(payload.files ?? []).map(waitingFile)],
    mentionedUserIds: payload.mentionedUserIds,
    reach: payload.reach,
    reactions: [],
    pollId: payload.pollId,
    location: payload.place === undefined ? undefined : waitingPlace(payload.place, payload.placedAt),
    pinned: false,
    silent: payload.silent ?? false,
    shadowed: false,
    createdAt: payload.placedAt,
    updatedAt: payload.placedAt,
    ...undoable(intent),
  }
}

/** A forwarded file needs no upload, so it is shown as finished. */
const waitingFile = ({ raw: _raw, ...file }: ForwardedFile, index: number): Upload => ({
  ...file,
  id: `file-${index}`,
  state: 'finished',
  progress: 1,
})

const waitingPlace = ({ latitude, longitude, live, device }: SentPlace, updatedAt: number): MessageLocation => ({
  latitude,
  longitude,
  endAt: live === undefined ? undefined : live.until,
  device,
  updatedAt,
})

/** The card of a link before the server has it. Its image arrives with the message. */
const waitingPreview = ({ shown }: SentPreview, index: number): Attachment => ({
  kind: 'link',
  index,
  linkUrl: shown.url,
  title: shown.title,
  ...(shown.text === undefined ? {} : { text: shown.text }),
  authorName: shown.siteName,
  hasMedia: false,
  hasThumb: false,
})

function sendStatus(intent: UnsentMessage, { online }: PredictContext): Pick<Message, 'status' | 'failure'> {
  if (intent.state === 'parked') {
    const { code, params } = intent.reason ?? { code: 'outbox/refused' }
    return {
      status: 'failed',
      failure: { code, retryable: intent.retryable, params },
    }
  }
  return { status: online ? 'sending' : 'queued' }
}

/** Length of the quoted text that is stored with an unsent message. */
const QUOTE_LENGTH = 300

/** The quoted message as it is now, for a message that was just written. */
export const quoteOf = (message: Message): QuotedMessage => ({
  id: message.id,
  userId: message.userId,
  text: cutText(message.text, QUOTE_LENGTH),
  deleted: message.type === 'deleted',
  content: contentOf(message),
  thumb: message.attachments.find((each) => each.hasThumb),
})

/** Indexes of the attachments that an edit keeps; all of them if the server's copy has lost the others already. */
export const remainingIndexes = (
  remaining: readonly number[] | undefined,
  held: number,
): readonly number[] | undefined => (remaining?.every((index) => index < held) === true ? remaining : undefined)

function withEdit(message: Message, { payload }: IntentFor<'edit-message'>): Message {
  const { text, mentionedUserIds, reach = [] } = payload
  const remaining = remainingIndexes(payload.kept, message.attachments.length)
  const stays = remaining && message.attachments.filter((each) => remaining.includes(each.index))
  const attachments = stays && stays.length < message.attachments.length ? stays : message.attachments
  const isSame =
    message.text === text &&
    attachments === message.attachments &&
    sameIds(message.mentionedUserIds, mentionedUserIds) &&
    sameIds(message.reach ?? [], reach)
  if (isDeleted(message) || isSame) return message
  const { reach: _before, ...rest } = message
  const named = { mentionedUserIds, ...(reach.length === 0 ? {} : { reach }) }
  return { ...rest, text, attachments, ...named, editedAt: payload.editedAt }
}

function withDelete(message: Message, intent: IntentFor<'delete-message'>): Message {
  if (isDeleted(message)) return message
  const { reach: _reach, ...rest } = message
  return {
    ...rest,
    type: 'deleted',
    text: '',
    attachments: [],
    uploads: [],
    mentionedUserIds: [],
    deletedAt: intent.payload.deletedAt,
    ...undoable(intent),
  }
}

function withReaction(message: Message, { payload }: IntentFor<'send-reaction'>, me: UserId): Message {
  const group = message.reactions.find((each) => each.type === payload.type)
  if (isDeleted(message)) return message
  if (group?.own) return withScore(message, group, payload.score)
  const grown: ReactionGroup = {
    type: payload.type,
    count: (group?.count ?? 0) + 1,
    sumScores: (group?.sumScores ?? 0) + payload.score,
    ownScore: payload.score,
    firstAt: group?.firstAt ?? payload.reactedAt,
    lastAt: Math.max(group?.lastAt ?? 0, payload.reactedAt),
    own: true,
    userIds: [me, ...(group?.userIds ?? []).filter((id) => id !== me)].slice(0, 10),
  }
  const reactions = group
    ? message.reactions.map((each) => (each === group ? grown : each))
    : [...message.reactions, grown]
  return { ...message, reactions }
}

/** A score is never lowered: it stays until the reaction is removed. */
function withScore(message: Message, group: ReactionGroup, score: number): Message {
  const before = group.ownScore
  if (before === undefined || score <= before) return message
  const raised = { ...group, ownScore: score, sumScores: group.sumScores - before + score }
  return { ...message, reactions: message.reactions.map((each) => (each === group ? raised : each)) }
}

function withoutReaction(message: Message, { payload }: IntentFor<'delete-reaction'>, me: UserId): Message {
  const group = message.reactions.find((each) => each.type === payload.type)
  if (group === undefined || !group.own) return message
  const { ownScore = 1, ...others } = group
  const shrunk: ReactionGroup = {
    ...others,
    count: group.count - 1,
    sumScores: Math.max(0, group.sumScores - ownScore),
    own: false,
    userIds: group.userIds.filter((id) => id !== me),
  }
  const reactions = message.reactions.flatMap((each) => (each === group ? (shrunk.count > 0 ? [shrunk] : []) : [each]))
  return { ...message, reactions }
}

function withPin(message: Message, { payload }: IntentFor<'pin-message'>, me: UserId): Message {
  const { pinned, pinnedAt, until } = payload
  if (message.pinned === pinned && (!pinned || until === undefined)) return message
  const { pinnedAt: atBefore, pinnedBy, pinExpires: _end, ...rest } = message
  if (!pinned) return { ...rest, pinned }
  const end = typeof until === 'number' ? { pinExpires: until } : {}
  return message.pinned
    ? { ...rest, pinned, pinnedAt: atBefore, pinnedBy, ...end }
    : { ...rest, pinned, pinnedAt, pinnedBy: me, ...end }
}

/** The viewer's own read mark with unsent "mark read" applied. It never moves back here. */
export function predictRead<Mark extends ReadMark>(fact: Mark, intents: readonly Intent[]): Mark | (Mark & ReadMark) {
  return intents.reduce<Mark>((read, intent) => {
    if (intent.kind !== 'mark-read' || intent.state === 'parked' || intent.parentId !== undefined) return read
    if (intent.payload.readAt <= read.lastReadAt) return read
    const { upTo, readAt } = intent.payload
    return { ...read, lastReadAt: readAt, ...(upTo === undefined ? {} : { lastReadMessageId: upTo }) }
  }, fact)
}

/**
 * The thread summary including the viewer's unsent replies.
 *
 * @param unsent replies to this message that have no fact yet
 */
export function predictThread(
  fact: ThreadSummary | undefined,
  unsent: readonly IntentFor<'send-message'>[],
  me: UserId,
): ThreadSummary | undefined {
  if (unsent.length === 0) return fact
  const lastAt = Math.max(fact?.lastReplyAt ?? 0, ...unsent.map((intent) => intent.payload.placedAt))
  return {
    ...fact,
    replyCount: (fact?.replyCount ?? 0) + unsent.length,
    lastReplyAt: lastAt,
    participantIds: [...(fact?.participantIds ?? []).filter((id) => id !== me), me],
    unread: fact?.unread ?? 0,
  }
}

const isDeleted = (message: Message): boolean => message.type === 'deleted' || message.deletedAt !== undefined

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))
