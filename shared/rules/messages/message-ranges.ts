import type { Window } from '#shared/domain/changes.ts'
import { comparePlaced, type Placed } from '#shared/domain/message.ts'

/**
 * Message sets as ranges: a range has no gaps between its two keys, both inclusive. Pure functions over lists of ranges
 * that are disjoint and ascending. See docs/wire.md 7.6.
 */
export type Range = {
  readonly first: Placed
  readonly last: Placed
  readonly hasPrev: boolean
  readonly hasNext: boolean
}

/** Before any message. */
export const BEGINNING: Placed = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }

/** A list known to be empty: a range of zero length at the beginning. */
const NOTHING: Range = { first: BEGINNING, last: BEGINNING, hasPrev: false, hasNext: false }

/** The query of a page. `newest` has no cursor. */
export type PageQuery =
  | { readonly kind: 'newest' }
  | { readonly kind: 'older'; readonly cursor: Placed }
  | { readonly kind: 'newer'; readonly cursor: Placed }
  | { readonly kind: 'around'; readonly target: Placed }

const min = (a: Placed, b: Placed): Placed => (comparePlaced(a, b) <= 0 ? a : b)
const max = (a: Placed, b: Placed): Placed => (comparePlaced(a, b) >= 0 ? a : b)

export const contains = (range: Range, at: Placed): boolean =>
  comparePlaced(range.first, at) <= 0 && comparePlaced(at, range.last) <= 0

/** Whether the two share at least one key: then their union has no gap either. */
export const overlaps = (a: Range, b: Range): boolean =>
  comparePlaced(a.first, b.last) <= 0 && comparePlaced(b.first, a.last) <= 0

/** The range that contains this key. */
export const rangeAt = (ranges: readonly Range[], at: Placed): Range | undefined =>
  ranges.find((range) => contains(range, at))

/** Whether no message after this instant and before the key can be missing: one range covers both. */
export function isWholeSince(ranges: readonly Range[], since: number, at: Placed): boolean {
  const range = rangeAt(ranges, at)
  return range !== undefined && (range.first.createdAt <= since || !range.hasPrev)
}

/** The range known to reach the newest message. */
export const latestRange = (ranges: readonly Range[]): Range | undefined => {
  const newest = ranges.at(-1)
  return newest && !newest.hasNext ? newest : undefined
}

/** Union of two ranges that overlap. A flag comes from the one that reaches further; "no more" wins a tie. */
function joined(a: Range, b: Range): Range {
  const byFirst = comparePlaced(a.first, b.first)
  const byLast = comparePlaced(a.last, b.last)
  return {
    first: min(a.first, b.first),
    last: max(a.last, b.last),
    hasPrev: byFirst === 0 ? a.hasPrev && b.hasPrev : byFirst < 0 ? a.hasPrev : b.hasPrev,
    hasNext: byLast === 0 ? a.hasNext && b.hasNext : byLast > 0 ? a.hasNext : b.hasNext,
  }
}

/**
 * Adds a range and joins it with all it overlaps. The result is disjoint, ascending, and flagged by {@link
 * withNeighbours}.
 */
export function mergeRange(ranges: readonly Range[], added: Range): readonly Range[] {
  let union = added
  const apart: Range[] = []
  for (const range of ranges) {
    if (overlaps(range, union)) union = joined(range, union)
    else apart.push(range)
  }
  return withNeighbours([...apart, union].toSorted((a, b) => comparePlaced(a.first, b.first)))
}

/** There may be messages between two ranges: only the oldest can have none before it, only the newest none after it. */
function withNeighbours(ranges: readonly Range[]): readonly Range[] {
  return ranges.map((range, index) => ({
    ...range,
    hasPrev: range.hasPrev || index > 0,
    hasNext: range.hasNext || index < ranges.length - 1,
  }))
}

/**
 * The range that a loaded page proves, or `undefined` if it proves nothing. An empty newest page proves that the list
 * is empty: a range of zero length at the beginning, which live messages extend in any order.
 *
 * @param items     the usable part of the page, ascending
 * @param requested the limit of the request
 * @param returned  how many were returned, including unusable and shadowed ones: they count for the flags
 */
export function pageRange(
  query: PageQuery,
  items: readonly Placed[],
  requested: number,
  returned = items.length,
): Range | undefined {
  const full = returned >= requested
  const first = items[0]
  const last = items.at(-1)
  switch (query.kind) {
    case 'newest':
      if (first && last) return { first, last, hasPrev: full, hasNext: false }
      return full ? undefined : NOTHING
    case 'older':
      return { first: first ?? query.cursor, last: query.cursor, hasPrev: full, hasNext: true }
    case 'newer':
      return { first: query.cursor, last: last ?? query.cursor, hasPrev: true, hasNext: full }
    case 'around':
      return first && last ? { first, last, ...aroundFlags(query.target, items, full) } : undefined
  }
}

/** See docs/wire.md 7.6, row `id_around`. A short page reaches both ends; otherwise the fuller half may have more. */
function aroundFlags(
  target: Placed,
  items: readonly Placed[],
  full: boolean,
): { readonly hasPrev: boolean; readonly hasNext: boolean } {
  if (!full) return { hasPrev: false, hasNext: false }
  const middle = Math.floor(items.length / 2)
  const at = items.findIndex((item) => comparePlaced(item, target) >= 0)
  // A page entirely older than the target is before it.
  const index = at < 0 ? items.length : at
  return { hasPrev: index >= middle, hasNext: index <= middle }
}

/**
 * Merges a loaded page. A newest page ends the list: ranges that reach or are beyond its last message contain only
 * messages that were removed meanwhile or arrived live, so they are joined as the end of the list too.
 */
export function mergePage(
  ranges: readonly Range[],
  query: PageQuery,
  items: readonly Placed[],
  requested: number,
  returned = items.length,
): readonly Range[] {
  const page = pageRange(query, items, requested, returned)
  if (query.kind === 'newest' && items.length === 0) return page ? [page] : []
  if (!page) return ranges
  const newest = ranges.at(-1)
  if (query.kind === 'newest' && newest) {
    return mergeRange(ranges, { ...page, last: max(page.last, newest.last) })
  }
  return mergeRange(ranges, page)
}

/** A live message: it extends the newest range if that was known to reach the end, otherwise it is after a gap. */
export function extendLatest(ranges: readonly Range[], at: Placed): readonly Range[] {
  const latest = latestRange(ranges)
  if (latest && (!latest.hasPrev || comparePlaced(at, latest.first) >= 0)) {
    return mergeRange(ranges, { ...latest, first: min(latest.first, at), last: max(latest.last, at) })
  }
  if (rangeAt(ranges, at)) return ranges
  const newest = ranges.at(-1)
  if (newest && comparePlaced(at, newest.last) < 0) return ranges
  return mergeRange(ranges, { first: at, last: at, hasPrev: true, hasNext: false })
}

/** All messages of the list were removed. */
export const emptied = (ranges: readonly Range[]): readonly Range[] => (latestRange(ranges) ? [NOTHING] : [])

/** The connection was lost: messages may follow the newest cached one. */
export const openEnded = (ranges: readonly Range[]): readonly Range[] =>
  ranges.map((range) => (range.hasNext ? range : { ...range, hasNext: true }))

/**
 * Truncation: everything before `time` was removed. The rest is the beginning of the list; a list known to its end is
 * known to be empty if nothing is left.
 */
export function truncated(ranges: readonly Range[], time: number): readonly Range[] {
  const left = reaching(ranges, { createdAt: time, id: '' }).filter((range) => range.last.createdAt >= time)
  return left.map((range, index) =>
    index === 0 && range.first.createdAt < time
      ? { ...range, first: { createdAt: time, id: '' }, hasPrev: false }
      : range,
  )
}

/** Eviction: everything up to and including `time` was removed from the cache and can be loaded again. */
export function forgotten(ranges: readonly Range[], time: number): readonly Range[] {
  const first: Placed = { createdAt: justAfter(time), id: '' }
  return reaching(ranges, first)
    .filter((range) => range.last.createdAt > time)
    .map((range) => (range.first.createdAt <= time ? { ...range, first, hasPrev: true } : range))
}

/** Extends the range at the end of the list to `at`, since nothing follows it. */
const reaching = (ranges: readonly Range[], at: Placed): readonly Range[] =>
  ranges.map((range) => (range.hasNext ? range : { ...range, last: max(range.last, at) }))

/** The server's times have microseconds. */
const justAfter = (time: number): number => time + 0.001

/** Ids of a displayed list before which messages are known to be missing. `items` ascending. */
export function gapsBefore(items: readonly Placed[], ranges: readonly Range[]): readonly string[] {
  return items
    .filter((item, index) => {
      const previous = items[index - 1]
      return previous !== undefined && !ranges.some((range) => contains(range, previous) && contains(range, item))
    })
    .map((item) => item.id)
}

/** Whether two windows are equal, so that no update is needed. */
export const isSameWindow = (a: Window, b: Window): boolean =>
  a.hasPrev === b.hasPrev &&
  a.hasNext === b.hasNext &&
  a.loading === b.loading &&
  a.error === b.error &&
  a.landed?.visit === b.landed?.visit &&
  a.landed?.id === b.landed?.id &&
  a.landed?.unread === b.landed?.unread &&
  a.unanswered === b.unanswered &&
  sameList(a.ids, b.ids) &&
  sameList(a.gapsBefore, b.gapsBefore)

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])
