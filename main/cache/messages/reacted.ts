import type { MessageId } from '#shared/lib/brand.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import type { Reader } from '../tx.ts'

/** Time of the newest reaction; the stored reactions are sorted newest first. */
const NEWEST = `json_extract(social, '$.latestReactions[0].createdAt')`
export const MINE = `SELECT id, ${NEWEST} AS at FROM messages INDEXED BY messages_reacted
  WHERE user_id = ? AND ${NEWEST} < ? AND ${NEWEST} IS NOT NULL AND type <> 'deleted' ORDER BY ${NEWEST} DESC LIMIT ?`

/**
 * The viewer's own messages with reactions, by the newest one.
 *
 * @param before epoch milliseconds: only those whose newest reaction is older
 */
export const mine = (
  reader: Reader,
  before: number,
  limit: number,
): readonly { readonly id: MessageId; readonly at: number }[] =>
  reader.db
    .all<{ id: string; at: number }>(MINE, reader.viewerId, before, limit)
    .map(({ id, at }) => ({ id: asMessageId(id), at }))
