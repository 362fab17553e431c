import type { MuteKind, MuteRow } from '../rows.ts'
import { bind } from '../sql.ts'
import type { Reader, Tx } from '../tx.ts'
import { optional } from './json.ts'

/** The viewer's mute lists, always replaced as a whole. An entry whose time has passed does not count. */
type Stored = { target: string; expires_at: number | null }

const OF = 'SELECT target, expires_at FROM mutes WHERE kind = ? ORDER BY target'
const ONE = 'SELECT 1 AS yes FROM mutes WHERE kind = ? AND target = ? AND (expires_at IS NULL OR expires_at > ?)'
const CLEAR = 'DELETE FROM mutes WHERE kind = ?'
const PUT = 'INSERT OR REPLACE INTO mutes (kind, target, expires_at) VALUES (?, ?, ?)'
const REMOVE = 'DELETE FROM mutes WHERE kind = ? AND target = ?'
const CHANNELS = 'SELECT cid FROM channels'

export function of(reader: Reader, kind: MuteKind): readonly MuteRow[] {
  return reader.db.all<Stored>(OF, kind).map((row) => ({ target: row.target, expiresAt: optional(row.expires_at) }))
}

export const isMuted = (reader: Reader, kind: MuteKind, target: string, now: number): boolean =>
  reader.db.get(ONE, kind, target, now) !== undefined

/** The server sent the whole list. */
export function replace(tx: Tx, kind: MuteKind, rows: readonly MuteRow[]): void {
  const before = of(tx, kind)
  tx.db.run(CLEAR, kind)
  for (const row of rows) tx.db.run(PUT, kind, row.target, bind(row.expiresAt))
  if (kind === 'channel') for (const row of [...before, ...rows]) tx.touch('channels', row.target)
  else for (const { cid } of tx.db.all<{ cid: string }>(CHANNELS)) tx.touch('channels', cid)
}

/** One mute was set or taken back. */
export function set(tx: Tx, kind: MuteKind, target: string, muted: boolean): void {
  if (muted) tx.db.run(PUT, kind, target, null)
  else tx.db.run(REMOVE, kind, target)
  if (kind === 'channel') tx.touch('channels', target)
}
