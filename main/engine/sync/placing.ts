import type { PageQuery } from '#shared/rules/messages/message-ranges.ts'
import type { MessageRow } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Reader } from '#main/cache/tx.ts'

/** The server's times have microseconds. */
const STEP = 0.001

/** A message without a plausible time keeps its position once it has one. */
export function withKnownPlace(reader: Reader, row: MessageRow): MessageRow {
  const stored = row.timeUnsure === true ? messages.byId(reader, row.id) : undefined
  return stored ? { ...row, createdAt: stored.createdAt, timeUnsure: stored.timeUnsure } : row
}

/**
 * Messages of a page without a plausible time get positions between their neighbours, because the page is in the server's
 * order: right after the message before them, else right before the one after. So they never extend beyond what the page
 * proves. A message that is already between the same neighbours keeps its position.
 */
export function placed(reader: Reader, rows: readonly MessageRow[], query: PageQuery): readonly MessageRow[] {
  if (!rows.some((row) => row.timeUnsure === true)) return rows
  const known = rows.map((row) => withKnownPlace(reader, row))
  const held = new Set(known.filter((row, index) => row !== rows[index]).map(({ id }) => id))
  const sure = known.filter((row) => row.timeUnsure !== true)
  const isDescending = (sure[0]?.createdAt ?? 0) > (sure.at(-1)?.createdAt ?? 0)
  let before = query.kind === 'newer' ? query.cursor.createdAt : Number.NEGATIVE_INFINITY
  const beyond = query.kind === 'older' ? query.cursor.createdAt : Number.POSITIVE_INFINITY
  return (isDescending ? known.toReversed() : known).map((row, index, all) => {
    if (row.timeUnsure !== true) {
      before = row.createdAt
      return row
    }
    const next = all.findIndex((each, at) => at > index && each.timeUnsure !== true)
    const gap = { before, next: all[next]?.createdAt ?? beyond, left: (next < 0 ? all.length : next) - index }
    const stays = held.has(row.id) && row.createdAt > gap.before && row.createdAt < gap.next
    before = stays ? row.createdAt : placeIn(gap, row.createdAt)
    return { ...row, createdAt: before }
  })
}

/** The first of `left` positions between two neighbours, of which one or both may be unknown. */
function placeIn(gap: { before: number; next: number; left: number }, otherwise: number): number {
  if (Number.isFinite(gap.before)) return Math.min(gap.before + STEP, gap.next)
  return Number.isFinite(gap.next) ? gap.next - STEP * gap.left : otherwise
}
