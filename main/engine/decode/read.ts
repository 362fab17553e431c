import { cleanName, cleanText, isBlank } from '#shared/lib/clean-text.ts'
import { parseTime } from '#shared/lib/rfc3339.ts'
import type { UserId } from '#shared/lib/brand.ts'

/** Origin of a wire object, for its decoder. */
export type DecodeContext = {
  readonly viewerId: UserId
  /**
   * Server time of this copy: the event's `created_at`; for a response, the newest server time that was known when the
   * request was sent.
   */
  readonly asOf: number
  /** A response to our own request. In broadcasts `own_reactions` and `own_votes` are another user's. */
  readonly isAnswer: boolean
  /** Latest plausible creation time. Absent: times are not checked. */
  readonly latest?: number
  /** Called once for each unusable item, with its kind. */
  readonly dropped?: (what: string) => void
}

/** A JSON object as received. Reading is lenient: a field of the wrong type counts as absent. Nothing here throws. */
export type Wire = Readonly<Record<string, unknown>>

const ID_LIMIT = 255
const NAME_LIMIT = 255
/** Longer texts are clipped with "show more" on screen; this bounds what is stored. */
const TEXT_LIMIT = 1_000_000
const URL_LIMIT = 8_192

export function asWire(value: unknown): Wire | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** An id is accepted unchanged or not at all: a changed one would name something else. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > ID_LIMIT) return undefined
  return value.isWellFormed() && !value.includes('\u0000') ? value : undefined
}

/** Cursors may be longer than ids: servers choose their format. */
const CURSOR_LIMIT = 4_000

/**
 * The cursor of the page after the one requested with `previous`. A server that returns the same cursor again makes no
 * progress: there are no more pages.
 */
export const cursorOf = (value: unknown, previous: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= CURSOR_LIMIT && value !== previous ? value : undefined

/** Message text and the like; absent when empty. */
export function textOf(value: unknown, limit = TEXT_LIMIT): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return cleanText(value, limit)
}

/** Names, titles and file names, as one safe line; absent if empty. */
export function nameOf(value: unknown, limit = NAME_LIMIT): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = cleanName(value, limit)
  return isBlank(name) ? undefined : name
}

/** An http or https address, normalized by the parser that will use it. */
export function urlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > URL_LIMIT) return undefined
  const url = URL.parse(value)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A whole number; negative numbers count as 0. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(number)))
}

/** Largest count that is stored. */
const TALLY_LIMIT = 1_000_000

/** A count of things that users created, with implausibly large numbers limited. */
export const tallyOf = (value: unknown): number | undefined => {
  const count = countOf(value)
  return count === undefined ? undefined : Math.min(TALLY_LIMIT, count)
}

export const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Epoch milliseconds. Absent for `null`, empty texts and the year 1 that Go servers send for "never". */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? knownTime(value) : undefined
  return time === undefined || time <= 0 ? undefined : time
}

/** An event has its own time in several places, and the same people with theirs: parsing those was half of decoding. */
const times = new Map<string, number | undefined>()
/** Those of a response with two thousand events. */
const TIMES = 8_000

function knownTime(text: string): number | undefined {
  if (times.has(text)) return times.get(text)
  if (times.size >= TIMES) times.clear()
  const time = parseTime(text)
  // Longer ones are no times, and would only fill the memory.
  if (text.length <= 40) times.set(text, time)
  return time
}

/** Tolerance for clock and time zone errors; messages with later times than this are implausible. */
const CLOCKS_DIFFER_MS = 86_400_000

/** The latest plausible creation time, at the server's `now`, in a copy of the time `asOf`. */
export const latestAt = (now: number, asOf: number): number => Math.max(now, asOf) + CLOCKS_DIFFER_MS

/** Earlier times come from a clock that was never set, or are seconds taken for milliseconds. */
const EARLIEST = Date.UTC(2000, 0)

/** A time in the past: implausible times in the future or before the year 2000 count as absent. */
export function pastOf(value: unknown, { latest = Number.POSITIVE_INFINITY }: Pick<DecodeContext, 'latest'>) {
  const time = timeOf(value)
  return time !== undefined && time >= EARLIEST && time <= latest ? time : undefined
}

/** A time field of a value that may not be an object. */
export const timeIn = (object: unknown, field: string): number | undefined => timeOf(asWire(object)?.[field])

/** Limits of opaque data: it is written to disk as text, and recursion over it must not overflow the stack. */
const OPAQUE_DEPTH = 16
const OPAQUE_NODES = 2_000
const OPAQUE_TEXT = 20_000

/** Keys that `known` does not contain, as opaque values; too deep or too large ones are dropped, `__proto__` always. */
export function customOf(wire: Wire, known: ReadonlySet<string> = NOTHING_KNOWN): Wire {
  const unknown = Object.keys(wire).filter((key) => !known.has(key) && key !== '__proto__')
  if (unknown.length === 0) return {}
  const small = unknown.filter((key) => isSmall(wire[key], OPAQUE_DEPTH, { nodes: OPAQUE_NODES }))
  return Object.fromEntries(small.map((key) => [key, wire[key]]))
}

/** A set of field names from space-separated lists. */
export const fieldSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

const NOTHING_KNOWN: ReadonlySet<string> = new Set()

function isSmall(value: unknown, depth: number, budget: { nodes: number }): boolean {
  budget.nodes -= 1
  if (budget.nodes < 0) return false
  if (typeof value === 'string') return value.length <= OPAQUE_TEXT
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((part) => isSmall(part, depth - 1, budget))
}

/** Decodes a list; unusable items are dropped. */
export function eachOf<Row>(
  value: unknown,
  decode: (item: unknown) => Row | undefined,
  limit = Number.POSITIVE_INFINITY,
): readonly Row[] {
  const rows: Row[] = []
  for (const item of asList(value)) {
    if (rows.length >= limit) break
    const row = decode(item)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** The time of the last change as the server writes it; some servers send numbers. A later change is made against it. */
export const versionOf = (wire: Wire | undefined): string => {
  const at = wire?.['updated_at']
  return typeof at === 'string' || typeof at === 'number' ? String(at).slice(0, 64) : ''
}
