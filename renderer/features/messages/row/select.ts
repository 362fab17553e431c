import type { Message } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import type { AppState } from '../../../store/store.ts'
import type { UnreadLine } from '../model/rows.ts'
import { joinedNames, selectName } from '../../people/index.ts'
import { selectSettings, selectUser } from '../../../store/selectors.ts'

/** Messages by id, in order; ids without a loaded message are left out. */
export const selectMessages = (state: AppState, ids: readonly string[]): readonly Message[] =>
  ids.flatMap((id) => state.entities.messages[id] ?? [])

/** Whether two lists have the same items; avoids a render when nothing changed. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])

/**
 * A message, and what its row shows of others. Selected together, and compared field by field: a list has many rows, and
 * each selector runs at every change of the store.
 */
export type RowContent = {
  readonly message: Message
  readonly author: User | undefined
  /** Saved or with a reminder, and not done. */
  readonly isSaved: boolean
  readonly quotedName: string
  /** Of whom it mentions, in their order. */
  readonly mentionedNames: string
  /** The row's name is without its text. */
  readonly isBrief: boolean
}

export function selectRowContent(state: AppState, id: string): RowContent | undefined {
  const message = state.entities.messages[id]
  if (message === undefined) return undefined
  const reminder = state.entities.reminders[id]
  return {
    message,
    author: selectUser(state, message.userId),
    isSaved: reminder !== undefined && reminder.doneAt === undefined,
    quotedName: message.quoted === undefined ? '' : selectName(state, message.quoted.userId),
    mentionedNames: message.mentionedUserIds.length === 0 ? '' : joinedNames(state, message.mentionedUserIds),
    isBrief: selectSettings(state).rowNames === 'brief',
  }
}

/** Sent without notifying others. Responses of commands do not count, because only the viewer sees them. */
export const isSentSilently = ({ silent, type }: Message): boolean => silent && type !== 'ephemeral' && type !== 'error'

/** Whether a message of another person mentions the viewer. */
export const mentions = (message: Message, viewerId: string | undefined): boolean =>
  viewerId !== undefined && message.userId !== viewerId && isNamed(message, viewerId)

type UnreadMark = {
  readonly unread: number
  readonly lastReadAt?: number
  /** Known to be the first. */
  readonly firstUnreadId?: MessageId
}

/** How far the viewer has read a channel, or a thread. */
export function unreadMarkOf({ entities }: AppState, cid: Cid, parentId: MessageId | undefined): UnreadMark {
  return (parentId === undefined ? entities.channels[cid] : entities.messages[parentId]?.thread) ?? { unread: 0 }
}

/**
 * The unread line of a list that opens: above the first unread message, which may be on a page that is not loaded;
 * without an id if that message is not known here. The viewer's own messages never count.
 *
 * @param hasOlder messages before these are not loaded
 */
export function unreadLineOf(
  { unread, lastReadAt, firstUnreadId }: UnreadMark,
  messages: readonly Message[],
  viewerId: string | undefined,
  hasOlder = false,
): UnreadLine | undefined {
  if (unread <= 0) return undefined
  const isThere = messages.some((message) => message.id === firstUnreadId)
  const isAfter = ({ createdAt, userId, type }: Message): boolean =>
    lastReadAt !== undefined && createdAt > lastReadAt && userId !== viewerId && type !== 'system'
  // The first message after the read mark is known only if the loaded page reaches back to the mark.
  const isCovered = lastReadAt !== undefined && (!hasOlder || (messages[0]?.createdAt ?? Infinity) <= lastReadAt)
  const found = !isThere && isCovered ? messages.find(isAfter)?.id : undefined
  return { id: found ?? firstUnreadId, count: unread }
}

type Read = { readonly userId: string; readonly lastReadAt: number }

/**
 * Readers by message id: each other person at the last loaded message they have read. Whoever has written since then is
 * at the viewer's newest message, which stays seen when it is answered.
 */
export function readersByMessage(
  messages: readonly Message[],
  reads: readonly Read[],
  viewerId: string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const byMessage = new Map<string, string[]>()
  const newestOwn = newestOwnOf(messages, viewerId)
  for (const read of reads) {
    if (read.userId === viewerId) continue
    const last = messages.findLast((message) => message.createdAt <= read.lastReadAt && message.status === 'received')
    // Everyone has read their own message, so no portrait is shown there.
    const isOwn = last?.userId === read.userId
    const at = isOwn ? newestOwn : last
    if (at === undefined || at.createdAt > read.lastReadAt || at.status !== 'received') continue
    const readers = byMessage.get(at.id)
    if (readers === undefined) byMessage.set(at.id, [read.userId])
    else readers.push(read.userId)
  }
  return byMessage
}

/** The viewer's newest message, which shows Sent, Delivered or Seen. */
export const newestOwnOf = (messages: readonly Message[], viewerId: string | undefined): Message | undefined =>
  messages.findLast(
    (message) => message.userId === viewerId && (message.type === 'regular' || message.type === 'reply'),
  )

/** Whether a message was delivered to at least one device, if the channel reports delivery. */
export const isDelivered = (
  message: Message | undefined,
  reads: readonly { readonly deliveredAt?: number }[],
): boolean =>
  message !== undefined &&
  reads.some(({ deliveredAt }) => deliveredAt !== undefined && deliveredAt >= message.createdAt)

/** How many messages of others arrived after a time, as counted by the jump button. */
export const newSince = (messages: readonly Message[], since: number, viewerId: string | undefined): number =>
  messages.filter((message) => message.createdAt > since && message.userId !== viewerId && message.type !== 'system')
    .length
