import type { Cid } from '#shared/lib/brand.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import type { MessageRow } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * Remembered counts of unread messages with the time up to which they were counted. A message that arrives behind it is
 * counted as it is written; any other change that may affect the count discards it, and the next one is a query
 * (`unread.ts`).
 */
export type RememberedCount = {
  /** The other inputs of the count: the start of the visible history, and the muted people. */
  readonly context: string
  /** Whether a message counts, with these inputs. */
  readonly counts: (row: MessageRow) => boolean
  /** Time of the newest counted message. */
  readonly upTo: number
  readonly n: number
  readonly mentions: number
  /** The oldest of them; absent until someone asked for it. */
  readonly first: { readonly id: string; readonly created_at: number } | undefined
}

/** By the mark from which they were counted. A transaction that fails clears the memo with them. */
type Remembered = Map<number, RememberedCount>

const keyOf = (cid: string): string => `unread ${cid}`
const rememberedOf = (reader: Reader, cid: string): Remembered | undefined =>
  reader.db.memo.peek(keyOf(cid)) as Remembered | undefined

/** The viewer's own mark and the time of the server's count. */
const MARKS = 2

export const rememberedCount = (reader: Reader, cid: Cid, mark: number): RememberedCount | undefined =>
  rememberedOf(reader, cid)?.get(mark)

export function remember(reader: Reader, cid: Cid, mark: number, count: RememberedCount): void {
  if (count.n === 0) return
  const others = [...(rememberedOf(reader, cid) ?? [])].filter(([each]) => each !== mark).slice(1 - MARKS)
  reader.db.memo.put(keyOf(cid), new Map([...others, [mark, count]]))
}

/** A message was written; `before` is its previous version. */
export function written(tx: Tx, before: MessageRow | undefined, now: MessageRow): void {
  if (!before) arrived(tx, now)
  else if (!countsAlike(tx, before, now)) forget(tx, now.cid)
}

/** Counts a new message, if it is newer than all that were counted. */
function arrived(tx: Tx, row: MessageRow): void {
  const held = rememberedOf(tx, row.cid)
  if (!held) return
  for (const { upTo } of held.values()) if (row.createdAt <= upTo) return forget(tx, row.cid)
  const mentions = Number(isNamed(row, tx.viewerId))
  for (const [mark, count] of held) {
    if (!count.counts(row)) continue
    held.set(mark, { ...count, upTo: row.createdAt, n: count.n + 1, mentions: count.mentions + mentions })
  }
}

export const forget = (tx: Tx, cid: Cid): void => tx.db.memo.forget(keyOf(cid))

const countsAlike = (tx: Tx, a: MessageRow, b: MessageRow): boolean =>
  a.cid === b.cid &&
  a.createdAt === b.createdAt &&
  a.type === b.type &&
  a.deletedAt === b.deletedAt &&
  a.silent === b.silent &&
  a.shadowed === b.shadowed &&
  a.userId === b.userId &&
  a.parentId === b.parentId &&
  a.showInChannel === b.showInChannel &&
  isNamed(a, tx.viewerId) === isNamed(b, tx.viewerId)
