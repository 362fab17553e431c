import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { ReadRow, UserRow } from '#main/cache/rows.ts'
import { asWire, countOf, idOf, timeOf, type DecodeContext } from './read.ts'
import { decodeUser } from './user.ts'

type DecodedRead = { readonly row: ReadRow; readonly user?: UserRow }

type ReadPlace = {
  readonly cid: string
  /** Parent id, for a thread's read list. */
  readonly threadId?: string
  /** Newest message time in the same response: the server's count includes everything up to it. */
  readonly newestAt?: number
}

/** See docs/wire.md 5.8. */
export function decodeRead(value: unknown, context: DecodeContext, place: ReadPlace): DecodedRead | undefined {
  const wire = asWire(value)
  const user = wire?.['user'] ? decodeUser(wire['user'], context) : undefined
  const userId = user?.id ?? idOf(wire?.['user_id'])
  if (!wire || userId === undefined) {
    context.dropped?.('read')
    return undefined
  }
  const lastReadAt = timeOf(wire['last_read']) ?? 0
  const messageId = idOf(wire['last_read_message_id'])
  const firstUnreadId = idOf(wire['first_unread_message_id'])
  const row: ReadRow = {
    cid: asCid(place.cid),
    userId: asUserId(userId),
    threadId: place.threadId === undefined ? undefined : asMessageId(place.threadId),
    lastReadAt,
    lastReadMessageId: messageId === undefined ? undefined : asMessageId(messageId),
    unread: countOf(wire['unread_messages']) ?? 0,
    countedAt: Math.max(context.asOf, place.newestAt ?? 0, lastReadAt),
    firstUnreadId: firstUnreadId === undefined ? undefined : asMessageId(firstUnreadId),
    asOf: context.asOf,
    deliveredAt: timeOf(wire['last_delivered_at']),
  }
  return { row, user }
}

/**
 * The viewer's entry if the server sends none. Its `asOf` is 0, so that it never replaces a stored one.
 * See docs/wire.md 7.5.
 */
export function initialRead(context: DecodeContext, cid: string, lastMessageAt: number | undefined): ReadRow {
  const at = lastMessageAt ?? context.asOf
  return {
    cid: asCid(cid),
    userId: context.viewerId,
    lastReadAt: at,
    unread: 0,
    countedAt: at,
    asOf: 0,
  }
}
