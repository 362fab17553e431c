import type { Attachment, Upload } from '#shared/domain/attachment.ts'
import type { IntentFor } from '#shared/domain/intent.ts'
import {
  contentOf,
  type ContentKind,
  type Message,
  type MessageButton,
  type MessageLocation,
  type QuotedMessage,
  type ThreadSummary,
  type ReactionGroup,
} from '#shared/domain/message.ts'
import type { Inbox } from '#shared/domain/channel.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { fold } from '#shared/rules/messages/text.ts'
import { parseText } from '#shared/rules/markdown/parse.ts'
import { isPlainText } from '#shared/rules/markdown/plain.ts'
import { isForLater, predictMessage, predictThread, type PredictContext } from '#shared/rules/messages/predict.ts'
import { withLocalRead } from '#shared/rules/channels/unread.ts'
import type { AttachmentRow, MessageRow } from '#main/cache/rows.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import * as threadTitles from '#main/cache/channels/thread-titles.ts'
import * as unread from '#main/cache/channels/unread.ts'
import { asWire } from '../decode/read.ts'
import { decodeButtons, decodeLocation, DEVICE_FIELD } from '../decode/message.ts'
import type { ReadContext } from './memory.ts'
import { visibleUpload } from './visible.ts'

/** The message as the viewer sees it: the confirmed row with pending intents applied. */
export function visibleMessage(context: ReadContext, id: MessageId): Message | undefined {
  const row = messages.byId(context.cache, id)
  const message = predictMessage(row && factOf(context, row), context.outbox.about(id), contextOf(context))
  if (message === undefined || (message.shadowed && !messages.seesShadowed(context.cache, message))) return undefined
  const thread = predictThread(message.thread, unsentReplies(context, message), context.me)
  return thread === message.thread ? message : { ...message, ...(thread === undefined ? {} : { thread }) }
}

/** A message for a window, which has no parser: the blocks of a text that it cannot draw without one. */
export function withBlocks(message: Message | undefined): Message | undefined {
  if (message === undefined || message.deletedAt !== undefined || isPlainText(message.text)) return message
  return { ...message, blocks: parseText(shownText(fold(message.text).text)) }
}

/** See docs/wire.md 5.26 `moderation`. */
function heldOf({ shadowed, custom }: MessageRow): Message['held'] {
  const { action, rule, text } = asWire(custom['moderation']) ?? {}
  if (!shadowed || action !== 'block' || typeof rule !== 'string') return undefined
  return { rule, ...(typeof text === 'string' && text !== '' ? { text } : {}) }
}

const contextOf = (context: ReadContext): PredictContext => ({
  me: context.me,
  online: context.memory.connection.state === 'healthy',
  upload: (id): Upload | undefined => visibleUpload(context, id),
})

/** Sends without a fact: between the echo and the acknowledgement the fact already counts. */
export function isUnsent(context: ReadContext, intent: IntentFor<'send-message'>): boolean {
  return intent.messageId !== undefined && messages.byId(context.cache, intent.messageId) === undefined
}

function unsentReplies(context: ReadContext, message: Message): readonly IntentFor<'send-message'>[] {
  const sends = context.outbox.sends(message.cid).filter((intent) => intent.parentId === message.id)
  return sends.filter((intent) => intent.state !== 'parked' && !isForLater(intent) && isUnsent(context, intent))
}

function factOf(context: ReadContext, row: MessageRow): Message {
  const quoted = quotedOf(context, row)
  const thread = threadOf(context, row)
  const place = placeOf(context, row)
  const buttons = row.type === 'ephemeral' ? buttonsOf(row) : []
  return {
    id: row.id,
    cid: row.cid,
    userId: row.userId,
    text: row.text,
    type: row.type,
    status: 'received',
    showInChannel: row.showInChannel,
    attachments: row.attachments.map(attachmentOf),
    uploads: [],
    mentionedUserIds: row.mentionedUserIds,
    reach: row.reach,
    reactions: reactionsOf(row, context.me),
    pinned: row.pinned,
    silent: row.silent,
    shadowed: row.shadowed,
    held: heldOf(row),
    createdAt: row.createdAt,
    timeUnsure: row.timeUnsure === true ? true : undefined,
    updatedAt: row.updatedAt,
    parentId: row.parentId,
    quoted,
    thread,
    pollId: row.pollId,
    location: place,
    buttons: buttons.length === 0 ? undefined : buttons,
    pinnedAt: row.pinnedAt,
    pinnedBy: row.pinnedBy,
    ...(row.pinned && row.pinExpires !== undefined ? { pinExpires: row.pinExpires } : {}),
    editedAt: row.editedAt,
    deletedAt: row.deletedAt,
  }
}

/** A share stopped here has ended here, even before the server knows. */
function placeOf({ memory }: ReadContext, row: MessageRow): MessageLocation | undefined {
  const place = decodeLocation(row.custom['shared_location'], row.custom[DEVICE_FIELD])
  const stopped = memory.sharing.stopped.get(row.id)
  if (place?.endAt === undefined || stopped === undefined) return place
  return { ...place, endAt: Math.min(place.endAt, stopped.at) }
}

/** See docs/wire.md 5.9 "actions". */
const buttonsOf = (row: MessageRow): readonly MessageButton[] =>
  row.attachments.flatMap(({ raw }) => decodeButtons(raw['actions']))

function attachmentOf(row: AttachmentRow, index: number): Attachment {
  const { url, thumbUrl, raw: _raw, kind, ...known } = row
  const shown = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
  return {
    ...shown,
    kind,
    index,
    hasMedia: url !== undefined && kind !== 'link',
    hasThumb: thumbUrl !== undefined || (kind === 'image' && url !== undefined),
  }
}

function reactionsOf(row: MessageRow, me: UserId): ReactionGroup[] {
  return row.reactionGroups.map((group) => {
    const latest = row.latestReactions.filter((each) => each.type === group.type)
    const own = row.ownReactions?.includes(group.type) ?? false
    const mine = own ? latest.find((each) => each.userId === me) : undefined
    return {
      ...group,
      own,
      ownScore: mine === undefined ? undefined : mine.score,
      userIds: latest.map((each) => each.userId),
    }
  })
}

/** The quoted message as it is now, or the copy in the quoting one. */
function quotedOf(context: ReadContext, row: MessageRow): QuotedMessage | undefined {
  if (row.quotedId === undefined) return undefined
  const live = messages.byId(context.cache, row.quotedId)
  if (live) return quoteOf(live, contentOf({ ...live, location: placeOf(context, live) }))
  return (
    row.quoted && quoteOf({ ...row.quoted, type: row.quoted.deleted ? 'deleted' : 'regular' }, contentOf(row.quoted))
  )
}

function quoteOf(
  row: Pick<MessageRow, 'id' | 'userId' | 'text' | 'type' | 'attachments'>,
  content: ContentKind | undefined,
): QuotedMessage {
  const at = row.attachments.findIndex((each) => each.kind === 'image' || each.thumbUrl !== undefined)
  const picture = row.attachments[at]
  const deleted = row.type === 'deleted'
  return {
    id: row.id,
    userId: row.userId,
    text: row.text,
    deleted,
    content: deleted ? undefined : content,
    thumb: picture === undefined || deleted ? undefined : attachmentOf(picture, at),
  }
}

function threadOf(context: ReadContext, row: MessageRow): ThreadSummary | undefined {
  if (row.replyCount === 0) return undefined
  const title = threadTitles.titleOf(context.cache, row.id)
  const lastReadAt = pendingRead(context, row) ?? reads.own(context.cache, row.cid, row.id)?.lastReadAt
  const following = isFollowing(context, row)
  const last = pages.newest(context.cache, `thread:${row.id}`, 1)[0]
  return {
    replyCount: row.replyCount,
    ...(last === undefined ? {} : { lastReplyAt: last.createdAt, lastReplyId: last.id as MessageId }),
    participantIds: row.threadParticipantIds,
    unread: following ? unreadOf(context, row) : 0,
    following,
    lastReadAt,
    title,
  }
}

/** Unread replies of a thread, followed or not. */
const unreadOf = (context: ReadContext, row: MessageRow): number =>
  unread.ofThread(context.cache, row.cid, row.id, context.now(), pendingRead(context, row))

const canParticipate = (context: ReadContext, row: MessageRow): boolean =>
  row.userId === context.me || row.threadParticipantIds.includes(context.me)

/** Followed manually, or else by participating. */
const isFollowing = (context: ReadContext, row: MessageRow): boolean =>
  follows.all(context.pending).get(row.id)?.follows ??
  (canParticipate(context, row) || reads.own(context.cache, row.cid, row.id) !== undefined)

/**
 * The server counts unread threads that the viewer participates in: those unfollowed manually and those read without
 * telling the server are subtracted, those only followed are added.
 */
export function visibleInbox(context: ReadContext): Inbox {
  const { invites } = context.memory.inbox
  let { unreadThreads } = context.memory.inbox
  for (const { parentId, follows: isFollowed } of follows.all(context.pending).values()) {
    const row = messages.byId(context.cache, parentId)
    if (row === undefined || canParticipate(context, row) === isFollowed || unreadOf(context, row) === 0) continue
    unreadThreads += isFollowed ? 1 : -1
  }
  for (const { cid, threadId, refused } of localReads.all(context.pending).values()) {
    const row = threadId === undefined ? undefined : messages.byId(context.cache, threadId)
    if (row === undefined || !canParticipate(context, row)) continue
    const isUnreadThere = unread.ofThread(context.cache, cid, row.id, context.now()) > 0
    const isUnreadHere = unreadOf(context, row) > 0
    if (isUnreadThere && !isUnreadHere) unreadThreads -= 1
    else if (refused && isUnreadHere && !isUnreadThere) unreadThreads += 1
  }
  return { unreadThreads: Math.max(0, unreadThreads), invites }
}

/** Until when the thread is read by own marks that the server does not have; `undefined` if the fact is newer. */
export function pendingRead(context: ReadContext, { cid, id }: Pick<MessageRow, 'cid' | 'id'>): number | undefined {
  const fact = reads.own(context.cache, cid, id)
  const known = withLocalRead(fact, localReads.of(context.pending, cid, id))
  const marks = context.outbox
    .in(cid)
    .flatMap((intent) =>
      intent.kind === 'mark-read' && intent.parentId === id && intent.state !== 'parked' ? [intent.payload.readAt] : [],
    )
  if (known !== undefined && known !== fact) marks.push(known.lastReadAt)
  const readAt = Math.max(...marks, known?.lastReadAt ?? 0)
  return marks.length > 0 && Number.isFinite(readAt) ? readAt : undefined
}
