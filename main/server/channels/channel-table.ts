import type { Db } from '../store/db.ts'

export type ChannelRow = {
  readonly cid: string
  readonly type: string
  readonly id: string
  readonly name: string | null
  readonly name_words: string
  readonly created_by: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_message_at: number | null
  readonly last_updated: number
  readonly last_stamp: number
  readonly member_count: number
  readonly message_count: number
  readonly frozen: number
  readonly disabled: number
  readonly cooldown: number
  readonly team: string | null
  readonly truncated_at: number | null
  readonly truncated_by: string | null
  readonly deleted_at: number | null
  readonly config_overrides: string
  /** JSON list. */
  readonly filter_tags: string
  readonly custom: string
  /** 1: only members may read it. A generated column over `custom`. */
  readonly private: number
}

export function channelByCid(db: Db, cid: string): ChannelRow | undefined {
  return db.get<ChannelRow>('SELECT * FROM channels WHERE cid = ?', cid)
}

export function insertChannel(db: Db, row: Omit<ChannelRow, 'private'>): void {
  db.changing('channels').run(
    `INSERT INTO channels (cid, type, id, name, name_words, created_by, created_at, updated_at, last_message_at,
       last_updated, last_stamp, member_count, message_count, frozen, disabled, cooldown, team, config_overrides,
       filter_tags, custom)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.cid,
    row.type,
    row.id,
    row.name,
    row.name_words,
    row.created_by,
    row.created_at,
    row.updated_at,
    row.last_message_at,
    row.last_updated,
    row.last_stamp,
    row.member_count,
    row.message_count,
    row.frozen,
    row.disabled,
    row.cooldown,
    row.team,
    row.config_overrides,
    row.filter_tags,
    row.custom,
  )
}

type ChannelChange = Partial<Omit<ChannelRow, 'cid' | 'type' | 'id' | 'created_at' | 'last_stamp' | 'private'>>

const CHANGEABLE: ReadonlySet<string> = new Set([
  'name',
  'name_words',
  'updated_at',
  'last_message_at',
  'last_updated',
  'frozen',
  'disabled',
  'cooldown',
  'team',
  'truncated_at',
  'truncated_by',
  'deleted_at',
  'config_overrides',
  'filter_tags',
  'custom',
])

/** Returns the changed row; absent if there is none. */
export function changeChannel(db: Db, cid: string, change: ChannelChange): ChannelRow | undefined {
  const entries = Object.entries(change).filter(([column]) => CHANGEABLE.has(column))
  if (entries.length === 0) return channelByCid(db, cid)
  const assignments = entries.map(([column]) => `${column} = ?`).join(', ')
  const write = change.deleted_at === undefined ? db.keepingCaches : db.changing('channels')
  return write.get<ChannelRow>(
    'UPDATE channels SET ' + assignments + ' WHERE cid = ? RETURNING *',
    ...entries.map(([, value]) => value),
    cid,
  )
}

/** The next timestamp of a channel: now, or one microsecond after the last one. Never the same twice. */
export function stampChannel(db: Db, cid: string, now: number): number {
  return (
    db.keepingCaches.get<{ last_stamp: number }>(
      'UPDATE channels SET last_stamp = max(?, last_stamp + 1) WHERE cid = ? RETURNING last_stamp',
      now,
      cid,
    )?.last_stamp ?? now
  )
}

/** @param moves false for messages that do not count as activity */
export function noteMessage(db: Db, cid: string, at: number, moves = true): void {
  if (!moves) {
    db.keepingCaches.run('UPDATE channels SET message_count = message_count + 1 WHERE cid = ?', cid)
    return
  }
  db.keepingCaches.run(
    `UPDATE channels SET message_count = message_count + 1, last_message_at = max(coalesce(last_message_at, 0), ?),
       last_updated = max(last_updated, ?) WHERE cid = ?`,
    at,
    at,
    cid,
  )
}

/** The messages `m` of `channels` that {@link noteMessage} counts: in the channel's own list, visible to everyone. */
const NOTED = `m.cid = channels.cid AND m.in_channel = 1 AND m.deleted_at IS NULL AND m.audience IS NULL
  AND m.created_at > coalesce(channels.truncated_at, 0)`

const LAST_NOTED = `(SELECT m.created_at FROM messages m WHERE ${NOTED} ORDER BY m.created_at DESC LIMIT 1)`

/** Updates the counters for one deleted message: the same result as {@link recountMessages}, without counting. */
export function unnoteMessage(
  db: Db,
  row: { readonly cid: string; readonly in_channel: number; readonly audience: string | null },
): void {
  if (!row.in_channel || row.audience !== null) return
  db.keepingCaches.run(
    `UPDATE channels SET message_count = max(0, message_count - 1), last_message_at = ${LAST_NOTED} WHERE cid = ?`,
    row.cid,
  )
  settleActivity(db, row.cid)
}

/** Recomputes the counters after many deletions. */
export function recountMessages(db: Db, cid: string): void {
  db.keepingCaches.run(
    `UPDATE channels SET message_count = (SELECT count(*) FROM messages m WHERE ${NOTED}), last_message_at = ${LAST_NOTED}
     WHERE cid = ?`,
    cid,
  )
  settleActivity(db, cid)
}

function settleActivity(db: Db, cid: string): void {
  db.keepingCaches.run(
    'UPDATE channels SET last_updated = max(created_at, coalesce(last_message_at, 0)) WHERE cid = ?',
    cid,
  )
}

export function recountMembers(db: Db, cid: string): void {
  db.keepingCaches.run(
    'UPDATE channels SET member_count = (SELECT count(*) FROM members m WHERE m.cid = channels.cid) WHERE cid = ?',
    cid,
  )
}

export function deleteChannelRow(db: Db, cid: string): void {
  db.changing('channels', 'members', 'channel_mutes').run('DELETE FROM channels WHERE cid = ?', cid)
}
