import type { Cid } from '#shared/lib/brand.ts'
import { isNamed } from '#shared/rules/messages/broadcast-mentions.ts'
import type { MessageRow } from '../rows.ts'
import type { Reader, Tx } from '../tx.ts'

/**
 * Counts of unread messages that are remembered with the time up to which they were counted: with thousands of them in a
 * channel, the next event counts only what came after. Whatever may change what was counted forgets it; the count itself
 * is always a query (`unread.ts`).
 */
type KeptCount = {
  /** What else the count depends on: the floor of the history, and who is muted. */
  readonly context: string
  /** Newest message time that was counted. */
  readonly upTo: number
  readonly n: number
  readonly mentions: number
}

type Kept = ReadonlyMap<number, KeptCount>

const keyOf = (cid: string): string => `unread ${cid}`
const keptOf = (reader: Reader, cid: string): Kept | undefined => reader.db.memo.peek(keyOf(cid)) as Kept | undefined

/** Fewer are counted as quickly as they are remembered. */
const WORTH = 50
/** The viewer's own mark and the moment of the server's count. */
const MARKS = 2

export const keptCount = (reader: Reader, cid: Cid, mark: number): KeptCount | undefined =>
  keptOf(reader, cid)?.get(mark)

export function keep(reader: Reader, cid: Cid, mark: number, count: KeptCount): void {
  if (count.n < WORTH) return
  const others = [...(keptOf(reader, cid) ?? [])].filter(([each]) => each !== mark).slice(1 - MARKS)
  reader.db.memo.put(keyOf(cid), new Map([...others, [mark, count]]))
}

/** A message was written; `before` is what stood there. */
export function written(tx: Tx, before: MessageRow | undefined, now: MessageRow): void {
  if (before ? !countsAlike(tx, before, now) : reaches(tx, now)) forget(tx, now.cid)
}

export const forget = (tx: Tx, cid: Cid): void => tx.db.memo.forget(keyOf(cid))

/** Some count goes as far as this message. */
const reaches = (tx: Tx, { cid, createdAt }: MessageRow): boolean =>
  [...(keptOf(tx, cid)?.values() ?? [])].some(({ upTo }) => createdAt <= upTo)

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
