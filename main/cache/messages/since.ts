import { asCid, asMessageId, asUserId, type Cid, type MessageId, type UserId } from '#shared/lib/brand.ts'
import type { Reader } from '../store.ts'

/**
 * Messages since a time, across channels, newest first: each kind by an index that holds only its own messages (see
 * `migrations/cache.ts`).
 */
/** Enough to leave a message out without decoding it. */
const LIGHT = 'id, cid, user_id, parent_id, in_channel, created_at'
const NEWEST = 'AND created_at > ? ORDER BY created_at DESC LIMIT ?'
const NAMING = `SELECT ${LIGHT} FROM messages INDEXED BY messages_naming WHERE mentions_viewer = 1 ${NEWEST}`
const FILES = `SELECT ${LIGHT} FROM messages INDEXED BY messages_files
  WHERE json_type(json, '$.attachments[0]') IS NOT NULL ${NEWEST}`
const POPULAR = `SELECT ${LIGHT} FROM messages INDEXED BY messages_popular
  WHERE json_type(social, '$.latestReactions[2]') IS NOT NULL ${NEWEST}`
const AGREED = `SELECT ${LIGHT} FROM messages INDEXED BY messages_agreed
  WHERE (instr(social, '"white_check_mark"') > 0 OR instr(social, '"✅"') > 0) ${NEWEST}`
const POLLS = `SELECT ${LIGHT} FROM messages INDEXED BY messages_poll
  WHERE json_extract(json, '$.pollId') IS NOT NULL ${NEWEST}`
const IN_CHANNEL = `SELECT ${LIGHT} FROM messages WHERE cid = ? AND in_channel = 1 ${NEWEST}`
const PINNED = `SELECT ${LIGHT}, pinned_at FROM messages WHERE pinned = 1 AND cid = ? AND pinned_at > ? AND type <> 'deleted'
  ORDER BY pinned_at DESC LIMIT ?`
const REPLIES = `SELECT id, parent_id, user_id, created_at FROM messages INDEXED BY messages_replies
  WHERE parent_id IS NOT NULL AND type NOT IN ('deleted', 'ephemeral', 'error')
    AND deleted_at IS NULL AND shadowed = 0 ${NEWEST}`
const KINDS = { naming: NAMING, files: FILES, popular: POPULAR, agreed: AGREED, polls: POLLS } as const

type Light = {
  readonly id: string
  readonly cid: string
  readonly user_id: string
  readonly parent_id: string | null
  readonly in_channel: number
  readonly created_at: number
}

/** A message before it is decoded, and when what it is found for happened. */
export type FoundSince = {
  readonly id: MessageId
  readonly cid: Cid
  readonly userId: UserId
  /** Set for a reply that is only in its thread. */
  readonly threadId?: MessageId
  readonly at: number
}

const toFound = (row: Light, at = row.created_at): FoundSince => ({
  id: asMessageId(row.id),
  cid: asCid(row.cid),
  userId: asUserId(row.user_id),
  threadId: row.parent_id === null || row.in_channel === 1 ? undefined : asMessageId(row.parent_id),
  at,
})

export const ofKind = (reader: Reader, kind: keyof typeof KINDS, since: number, limit: number): readonly FoundSince[] =>
  reader.db.all<Light>(KINDS[kind], since, limit).map((row) => toFound(row))

/** Messages of a channel, its newest `limit`. */
export const inChannel = (reader: Reader, cid: Cid, since: number, limit: number): readonly FoundSince[] =>
  reader.db.all<Light>(IN_CHANNEL, cid, since, limit).map((row) => toFound(row))

/** Messages of a channel that were pinned since then, the latest first. */
export const pinned = (reader: Reader, cid: Cid, since: number, limit: number): readonly FoundSince[] =>
  reader.db.all<Light & { pinned_at: number }>(PINNED, cid, since, limit).map((row) => toFound(row, row.pinned_at))

/** Replies since then, in any thread. */
export const replies = (
  reader: Reader,
  since: number,
  limit: number,
): readonly { readonly id: MessageId; readonly parentId: MessageId; readonly userId: UserId; readonly at: number }[] =>
  reader.db
    .all<{ id: string; parent_id: string; user_id: string; created_at: number }>(REPLIES, since, limit)
    .map((row) => ({
      id: asMessageId(row.id),
      parentId: asMessageId(row.parent_id),
      userId: asUserId(row.user_id),
      at: row.created_at,
    }))
