/**
 * Arithmetic of the virtual list: which rows are mounted, the height of the space before and after them, and the scroll
 * position. Pure; all numbers are CSS pixels.
 *
 * Mounted rows are in normal flow between two spacers. The anchor is a row and its distance from the top edge of the
 * view; after every change the list scrolls so that this row is back at that distance. Heights of rows that were never
 * mounted are estimates; errors in them do not show, because the position never depends on them.
 */

/** Rows `start` to `end` (exclusive) are mounted. */
export type Span = { readonly start: number; readonly end: number }

/** The reader's position: a row, and the distance of its top edge below the top edge of the view. */
export type Anchor = { readonly key: string; readonly offset: number }

/** Distance from the end that still counts as at the end. */
export const END_ZONE_PX = 64

/** The next page is requested when fewer than this many view heights are left. */
export const PAGE_AHEAD_VIEWS = 1.5

/** Rows mounted on either side of the view, in view heights. */
export const OVERSCAN_VIEWS = 1

/**
 * The same before the first paint: opening a channel lays out the visible rows first, and the others a moment later. Few,
 * since the expected heights are careful already.
 */
export const FIRST_OVERSCAN_VIEWS = 0.05

/** Rows to mount for a view whose top edge is at `top`, given the height of every row. */
export function spanAround(
  heights: readonly number[],
  top: number,
  viewHeight: number,
  overscan = OVERSCAN_VIEWS,
): Span {
  const from = top - viewHeight * overscan
  const to = top + viewHeight * (1 + overscan)
  let start = 0
  let edge = 0
  while (start < heights.length - 1 && edge + at(heights, start) <= from) edge += at(heights, start++)
  let end = start
  while (end < heights.length && edge < to) edge += at(heights, end++)
  return { start, end: Math.max(end, Math.min(start + 1, heights.length)) }
}

/** Rows to mount so that the anchor row is at its offset. */
export function spanAtRow(
  heights: readonly number[],
  index: number,
  offset: number,
  viewHeight: number,
  overscan = OVERSCAN_VIEWS,
): Span {
  return spanAround(heights, Math.max(0, sum(heights, 0, index) - offset), viewHeight, overscan)
}

/** Extends a span to another row (the focused one), without a hole. */
export function withRow(span: Span, index: number | undefined): Span {
  if (index === undefined || (index >= span.start && index < span.end)) return span
  return { start: Math.min(span.start, index), end: Math.max(span.end, index + 1) }
}

/** Whether the mounted rows cover the view with a margin, so that no others need to be mounted. */
export function covers(span: Span, heights: readonly number[], top: number, viewHeight: number): boolean {
  const before = sum(heights, 0, span.start)
  const after = before + sum(heights, span.start, span.end)
  const spare = viewHeight * OVERSCAN_VIEWS * 0.5
  const above = span.start === 0 || before <= top - spare
  const below = span.end === heights.length || after >= top + viewHeight + spare
  return above && below
}

export function sum(heights: readonly number[], from: number, to: number): number {
  let total = 0
  for (let index = from; index < to; index++) total += at(heights, index)
  return total
}

/** Edges of a mounted row, relative to the top edge of the view. */
export type LaidOut = { readonly key: string; readonly top: number; readonly bottom: number }

/**
 * The anchor row: the topmost one that is fully visible, else the one that spans the top edge.
 */
export function pickAnchor(rows: readonly LaidOut[], viewHeight: number): Anchor | undefined {
  const whole = rows.find((row) => row.top >= 0 && row.bottom <= viewHeight)
  const spanning = rows.find((row) => row.bottom > 0)
  const row = whole ?? spanning ?? rows.at(-1)
  return row === undefined ? undefined : { key: row.key, offset: row.top }
}

/** How far to scroll so that the anchor row is back at its distance; positive is down. */
export const correction = (anchor: Anchor, row: LaidOut): number => row.top - anchor.offset

/** The anchor after the view height changed: the row at the bottom edge stays there. */
export const withViewHeight = (anchor: Anchor, before: number, after: number): Anchor =>
  before > 0 && after > 0 ? { key: anchor.key, offset: anchor.offset + (after - before) } : anchor

const at = (heights: readonly number[], index: number): number => heights[index] ?? 0

/**
 * Replacement for an anchor whose row was removed (a deleted message, a trimmed page): the nearest remaining row, first
 * below, then above, in the previous order.
 */
export function nearestRemaining(
  before: readonly string[],
  key: string,
  remaining: ReadonlySet<string>,
): string | undefined {
  const index = before.indexOf(key)
  if (index < 0) return undefined
  for (let at = index; at < before.length; at++) {
    const candidate = before[at]
    if (candidate !== undefined && remaining.has(candidate)) return candidate
  }
  for (let at = index - 1; at >= 0; at--) {
    const candidate = before[at]
    if (candidate !== undefined && remaining.has(candidate)) return candidate
  }
  return undefined
}
