import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { type CacheSql, fromJson, optional, type Reader } from '../store.ts'

/**
 * What people answered to messages of one sender, counted from what is cached: two statements for a part of the channels,
 * whatever their number and their history.
 */

/** By time in each channel: what the sender wrote before and after costs nothing. */
const SENT = `SELECT m.id, m.cid, m.text, json_array_length(m.json, '$.attachments') AS attachments,
    m.json ->> '$.pollId' AS pollId, m.json -> '$.custom' AS custom, c.json ->> '$.createdAt' AS madeAt,
    c.json ->> '$.createdById' AS madeBy
  FROM json_each(?) AS wanted CROSS JOIN channels c ON c.cid = wanted.value
    CROSS JOIN messages m INDEXED BY messages_timeline ON m.cid = c.cid
  WHERE m.in_channel = 1 AND m.created_at BETWEEN ? AND ? AND m.user_id = ? AND m.type = 'regular'
    AND m.parent_id IS NULL AND m.deleted_at IS NULL AND m.shadowed = 0
    AND (c.hide_before IS NULL OR m.created_at > c.hide_before)`

/**
 * `later`: messages of others after it that are not in its thread; `isWhole`: everything from it to the newest message of
 * its channel is cached. `ofThread` are all cached replies, `others` those of other people.
 */
const COUNTS = `SELECT m.id, m.user_id AS sender, m.social ->> '$.replyCount' AS replyCount,
    m.social -> '$.threadParticipantIds' AS participants,
    (SELECT count(*) FROM messages o INDEXED BY messages_timeline
      WHERE o.cid = m.cid AND o.in_channel = 1 AND o.type NOT IN ('deleted', 'ephemeral', 'error')
        AND o.deleted_at IS NULL AND o.silent = 0 AND o.shadowed = 0
        AND (o.created_at, o.id) > (m.created_at, m.id) AND o.user_id <> m.user_id AND o.type <> 'system'
        AND o.parent_id IS NOT m.id) AS later,
    CASE coalesce(m.social ->> '$.replyCount', 0) WHEN 0 THEN 0 ELSE (SELECT count(*)
      FROM messages r WHERE r.parent_id = m.id AND r.type NOT IN ('deleted', 'ephemeral', 'error')
        AND r.deleted_at IS NULL AND r.shadowed = 0) END AS ofThread,
    CASE coalesce(m.social ->> '$.replyCount', 0) WHEN 0 THEN 0 ELSE (SELECT count(*) FROM messages r WHERE r.parent_id = m.id AND r.type NOT IN ('deleted', 'ephemeral', 'error')
        AND r.deleted_at IS NULL AND r.shadowed = 0 AND r.user_id <> m.user_id) END AS others,
    EXISTS (SELECT 1 FROM ranges g WHERE g.scope = 'timeline:' || m.cid
        AND (g.first_at, g.first_id) <= (m.created_at, m.id) AND (g.last_at, g.last_id) >= (m.created_at, m.id)
        AND (g.has_next = 0 OR g.last_at >= c.last_message_at)) AS isWhole
  FROM json_each(?) AS wanted CROSS JOIN messages m ON m.id = wanted.value CROSS JOIN channels c ON c.cid = m.cid`

/** A message in a channel, with what tells it from others of its sender. */
export type SentMessage = {
  readonly id: MessageId
  readonly cid: Cid
  readonly text: string
  readonly attachments: number
  readonly pollId?: string
  readonly custom: Readonly<Record<string, unknown>>
  /** When its channel was created, and by whom. */
  readonly madeAt?: number
  readonly madeBy?: UserId
}

type Search = { readonly senderId: UserId; readonly from: number; readonly to: number }

/** Messages of this sender in these channels (not in threads), between two times of the server. */
export function sent(reader: Reader, cids: readonly Cid[], { senderId, from, to }: Search): readonly SentMessage[] {
  type Row = {
    id: string
    cid: string
    text: string
    attachments: number | null
    pollId: string | null
    custom: string | null
    madeAt: number | null
    madeBy: string | null
  }
  return reader.db.all<Row>(SENT, JSON.stringify(cids), from, to, senderId).map((row) => ({
    id: asMessageId(row.id),
    cid: asCid(row.cid),
    text: row.text,
    attachments: row.attachments ?? 0,
    pollId: row.pollId ?? undefined,
    custom: row.custom === null ? {} : fromJson(reader.db, row.custom),
    madeAt: optional(row.madeAt),
    madeBy: row.madeBy === null ? undefined : asUserId(row.madeBy),
  }))
}

type Counted = {
  readonly id: string
  readonly sender: string
  readonly replyCount: number | null
  readonly participants: string | null
  readonly later: number
  readonly ofThread: number
  readonly others: number
  readonly isWhole: number
}

type Answers = {
  /** Replies of others in its thread. Absent: how many of the replies are the sender's own is not known. */
  readonly inThread?: number
  /** What others wrote in the channel after it. Absent: not everything since then is cached. */
  readonly later?: number
}

/** Answers to these messages, by id. */
export const toEach = (reader: Reader, ids: readonly MessageId[]): ReadonlyMap<string, Answers> =>
  new Map(
    reader.db
      .all<Counted>(COUNTS, JSON.stringify(ids))
      .map((row) => [row.id, { inThread: inThread(reader.db, row), later: row.isWhole === 1 ? row.later : undefined }]),
  )

/** The server counts everyone's replies, and names those who replied: as far as is known, the first of many. */
function inThread(db: CacheSql, { sender, replyCount, participants, ofThread, others }: Counted): number | undefined {
  const count = replyCount ?? 0
  if (ofThread >= count) return others
  const named = participants === null ? [] : fromJson<readonly string[]>(db, participants)
  return named.length > 0 && named.length < MANY && !named.includes(sender) ? count : undefined
}

/** So many people who replied may be only some of them. */
const MANY = 10
