import { cleanName, cleanText, isBlank } from '#shared/lib/clean-text.ts'
import { parseTime } from '#shared/lib/rfc3339.ts'
import type { UserId } from '#shared/lib/brand.ts'

/** What every decoder needs to know about where an object came from. */
export type DecodeContext = {
  readonly viewerId: UserId
  /**
   * Server time this copy stands for: the event's `created_at`; for an answer, the newest server time that was known when
   * the request was sent.
   */
  readonly asOf: number
  /** An answer to our own request. In broadcasts `own_reactions` and `own_votes` are someone else's. */
  readonly isAnswer: boolean
  /** Nothing that was made is later than this. Absent: times are not checked. */
  readonly latest?: number | undefined
  /** Called once for each item that was not usable, with the noun. */
  readonly dropped?: (what: string) => void
}

/** A JSON object as it came. Reading is lenient: a field of the wrong type is as good as absent. Nothing here throws. */
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

/** An id is taken as it is or not at all: changing one would make it name something else. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > ID_LIMIT) return undefined
  return value.isWellFormed() && !value.includes('\u0000') ? value : undefined
}

/** Longer than an id: what a server needs to find its place again, in its own words. */
const CURSOR_LIMIT = 4_000

/**
 * The cursor to the page after the one that was asked for with `asked`. A server that names the same one again stands
 * still: there is no more to come.
 */
export const cursorOf = (value: unknown, asked: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= CURSOR_LIMIT && value !== asked ? value : undefined

/** Message text and the like; absent when empty. */
export function textOf(value: unknown, limit = TEXT_LIMIT): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return cleanText(value, limit)
}

/** Names, titles and file names, in one safe line; absent when nothing is left. */
export function nameOf(value: unknown, limit = NAME_LIMIT): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = cleanName(value, limit)
  return isBlank(name) ? undefined : name
}

/** An address of http or https, re-written by the parser that will use it. */
export function urlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > URL_LIMIT) return undefined
  const url = URL.parse(value)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A whole number from 0; anything below counts as 0. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(number)))
}

/** More than anyone counts. */
const TALLY_LIMIT = 1_000_000

/** How many of something people made: an absurd number is a big one. */
export const tallyOf = (value: unknown): number | undefined => {
  const count = countOf(value)
  return count === undefined ? undefined : Math.min(TALLY_LIMIT, count)
}

export const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Epoch milliseconds. Absent for `null`, empty texts and the year 1 that Go servers send for "never". */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? parseTime(value) : undefined
  return time === undefined || time <= 0 ? undefined : time
}

/** Clocks differ, and zones are mistaken; a message of a later time than this was not written then. */
const CLOCKS_DIFFER_MS = 86_400_000

/** How late what is heard now can have been made, at the server's `now`, of a copy that stands for `asOf`. */
export const latestAt = (now: number, asOf: number): number => Math.max(now, asOf) + CLOCKS_DIFFER_MS

/** Nothing of the contract is older: a time before it is a clock that was never set, or seconds taken for milliseconds. */
const EARLIEST = Date.UTC(2000, 0)

/** A time at which something happened: one of years ahead, or of another age, is no better than none. */
export function pastOf(value: unknown, { latest = Number.POSITIVE_INFINITY }: Pick<DecodeContext, 'latest'>) {
  const time = timeOf(value)
  return time !== undefined && time >= EARLIEST && time <= latest ? time : undefined
}

/** The time of an object that may not even be one. */
export const timeIn = (object: unknown, field: string): number | undefined => timeOf(asWire(object)?.[field])

/** Opaque data is kept up to this: it is written back to disk as text, and depth overflows what walks it. */
const OPAQUE_DEPTH = 16
const OPAQUE_NODES = 2_000
const OPAQUE_TEXT = 20_000

/** Keys that `known` does not name, kept opaque; too deep, too wide or too long ones are left out, `__proto__` always. */
export function customOf(wire: Wire, known: ReadonlySet<string> = NOTHING_KNOWN): Wire {
  const kept = Object.entries(wire).filter(
    ([key, value]) => !known.has(key) && key !== '__proto__' && isModest(value, OPAQUE_DEPTH, { nodes: OPAQUE_NODES }),
  )
  return Object.fromEntries(kept)
}

/** Field names, written as words. */
export const fieldSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

const NOTHING_KNOWN: ReadonlySet<string> = new Set()

function isModest(value: unknown, depth: number, budget: { nodes: number }): boolean {
  budget.nodes -= 1
  if (budget.nodes < 0) return false
  if (typeof value === 'string') return value.length <= OPAQUE_TEXT
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((part) => isModest(part, depth - 1, budget))
}

/** Decodes the good items of a list and counts the others. */
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
