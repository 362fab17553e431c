import type { MuteKind, MuteRow } from '../rows.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import { optional, type Reader, type Tx } from '../store.ts'

/** The viewer's mute lists, always replaced as a whole. Expired entries do not count. */
type Stored = { kind: string; target: string; expires_at: number | null; sum: number }

const OF = 'SELECT * FROM mutes WHERE kind = ? ORDER BY target'
const CLEAR = 'DELETE FROM mutes WHERE kind = ?'
const PUT = insertInto('mutes')
const REMOVE = 'DELETE FROM mutes WHERE kind = ? AND target = ?'
const CHANNELS = 'SELECT cid FROM channels'

export function of(reader: Reader, kind: MuteKind): readonly MuteRow[] {
  return reader.db.all<Stored>(OF, kind).map((stored) => {
    const { target, expires_at } = checked(reader.db, 'mutes', stored)
    return { target, expiresAt: optional(expires_at) }
  })
}

/** `now` determines whether the entry is still active. */
export function isMuted(reader: Reader, kind: MuteKind, target: string, now: number): boolean {
  const expiresAt = ends(reader, kind).get(target)
  return expiresAt !== undefined && expiresAt > now
}

/** When it ends automatically; `undefined` if it does not, or has expired. */
export function endsAt(reader: Reader, kind: MuteKind, target: string, now: number): number | undefined {
  const at = ends(reader, kind).get(target)
  return at === undefined || at <= now || at === Number.POSITIVE_INFINITY ? undefined : at
}

/** Everything of one kind that is muted at `now`. */
export const mutedTargets = (reader: Reader, kind: MuteKind, now: number): readonly string[] =>
  [...ends(reader, kind)].flatMap(([target, expiresAt]) => (expiresAt > now ? [target] : []))

/** When each mute ends; infinity if never. */
function ends(reader: Reader, kind: MuteKind): ReadonlyMap<string, number> {
  return reader.db.memo.of(
    `mutes ${kind}`,
    () => new Map(of(reader, kind).map(({ target, expiresAt }) => [target, expiresAt ?? Number.POSITIVE_INFINITY])),
  )
}

/** The server sent the whole list. */
export function replace(tx: Tx, kind: MuteKind, rows: readonly MuteRow[]): void {
  const before = of(tx, kind)
  tx.db.run(CLEAR, kind)
  for (const row of rows) tx.db.run(PUT, ...summed('mutes', { kind, target: row.target, expires_at: row.expiresAt }))
  tx.db.memo.forget(`mutes ${kind}`)
  const table = kind === 'channel' ? 'channels' : 'users'
  for (const row of [...before, ...rows]) tx.touch(table, row.target)
  if (kind === 'user') for (const { cid } of tx.db.all<{ cid: string }>(CHANNELS)) tx.touch('channels', cid)
}

/** One mute was set or removed; `expiresAt` is epoch milliseconds of the server. */
export function set(tx: Tx, kind: MuteKind, target: string, muted: boolean, expiresAt?: number): void {
  if (muted) tx.db.run(PUT, ...summed('mutes', { kind, target, expires_at: expiresAt }))
  else tx.db.run(REMOVE, kind, target)
  tx.db.memo.forget(`mutes ${kind}`)
  tx.touch(kind === 'channel' ? 'channels' : 'users', target)
  if (kind === 'user') for (const { cid } of tx.db.all<{ cid: string }>(CHANNELS)) tx.touch('channels', cid)
}
