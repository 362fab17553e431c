import type { Placed } from '#shared/domain/message.ts'
import { WINDOW_LIMIT } from '#shared/constants.ts'
import type { MessageRow, RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as pages from './pages.ts'

/**
 * The keys of a list from one of them to its end, as they are in the file. A list on a screen asks for them after each
 * change in it, and most changes are a message that comes last: it is added here. After a change of any other kind they
 * are read again.
 */
type End = {
  readonly first: Placed
  readonly keys: readonly Placed[]
  /** Whether the list has messages before `first`; absent until something asks. */
  readonly hasOlder?: boolean
}

/** The list may not be on a screen any more, and gets more and more messages. */
const LIMIT = 2 * WINDOW_LIMIT

/** Like {@link pages.newest}. */
export function newest(reader: Reader, scope: RangeScope, limit: number): readonly Placed[] {
  const held = endOf(reader, scope)
  if (held && (held.first === pages.BEGINNING || held.keys.length >= limit)) return held.keys.slice(-limit)
  const keys = pages.newest(reader, scope, limit)
  const first = keys[0]
  if (keys.length < limit) hold(reader, scope, { first: pages.BEGINNING, keys, hasOlder: false })
  else if (first) hold(reader, scope, { first, keys })
  return keys
}

/** All cached keys from `first` on. */
export function since(reader: Reader, scope: RangeScope, first: Placed): readonly Placed[] {
  const held = endOf(reader, scope)
  const end = (held && partOf(held, first)) ?? { first, keys: pages.between(reader, scope, first, pages.END) }
  if (end !== held) hold(reader, scope, end)
  return end.keys
}

/** Whether any message is cached before `at`. */
export function hasBefore(reader: Reader, scope: RangeScope, at: Placed): boolean {
  const held = endOf(reader, scope)
  const end = held && partOf(held, at)
  if (end?.hasOlder !== undefined) return end.hasOlder
  const hasOlder = pages.before(reader, scope, at, 1).length > 0
  if (end) hold(reader, scope, { ...end, hasOlder })
  return hasOlder
}

/** A row was written, or removed. */
export function noteWritten(tx: Tx, before: MessageRow | undefined, now: MessageRow | undefined): void {
  if (before && now && isInSamePlace(before, now)) return
  if (before === undefined && now?.shadowed === false) for (const scope of scopesOf(now)) add(tx, scope, now)
  else for (const row of [before, now]) if (row) for (const scope of scopesOf(row)) tx.db.memo.ends.forget(scope)
}

const endOf = ({ db }: Reader, scope: RangeScope): End | undefined => db.memo.ends.peek(scope) as End | undefined

function hold({ db }: Reader, scope: RangeScope, end: End): void {
  if (end.keys.length < LIMIT) db.memo.ends.put(scope, end)
  else db.memo.ends.forget(scope)
}

function partOf(held: End, from: Placed): End | undefined {
  if (isSameKey(held.first, from)) return held
  const index = held.keys.findIndex((key) => isSameKey(key, from))
  if (index < 0) return undefined
  return { first: from, keys: held.keys.slice(index), hasOlder: index > 0 || held.hasOlder }
}

/** Of two messages at the same time, the order of their ids in the file decides. */
function add(tx: Tx, scope: RangeScope, { createdAt, id }: Placed): void {
  const held = endOf(tx, scope)
  if (held === undefined) return
  const last = held.keys.at(-1) ?? held.first
  if (createdAt > last.createdAt) hold(tx, scope, { ...held, keys: [...held.keys, { createdAt, id }] })
  else tx.db.memo.ends.forget(scope)
}

const isSameKey = (a: Placed, b: Placed): boolean => a.id === b.id && a.createdAt === b.createdAt

/** Whether a shadowed one is in the channel also depends on who the viewer was when it was written. */
const isInSamePlace = (a: MessageRow, b: MessageRow): boolean =>
  isSameKey(a, b) &&
  a.cid === b.cid &&
  a.parentId === b.parentId &&
  a.showInChannel === b.showInChannel &&
  !a.shadowed &&
  !b.shadowed

/** A shadowed message may not be in its channel. */
function scopesOf({ cid, parentId, showInChannel }: MessageRow): readonly RangeScope[] {
  if (parentId === undefined) return [`timeline:${cid}`]
  return showInChannel ? [`timeline:${cid}`, `thread:${parentId}`] : [`thread:${parentId}`]
}
