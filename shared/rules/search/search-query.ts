import { fold, isUnspaced, wordsOf } from './search-fold.ts'
import { monthOf, parseSpan, type Day, type DayRange } from './search-days.ts'
import { HAS, IS, KEYS, ME, type FilterKey, type HasWhat, type IsWhat } from './filter-names.ts'

/** Where a part stands in the typed text (UTF-16 units, end not included). */
export type Span = { readonly start: number; readonly end: number }

/** Words that must stand side by side in this order; one word is the usual case. */
export type Term = Span & {
  /** Folded by `wordsOf`; at least one. */
  readonly words: readonly string[]
  /** The last word may go on. */
  readonly prefix: boolean
  readonly exclude: boolean
}

/** A condition that is not about words. Of `from` and `in` any one must hold, of the others all. */
export type Filter = Span & { readonly exclude: boolean } & (
    | { readonly kind: 'from' | 'in' | 'mentions'; readonly value: string; readonly me: boolean }
    | { readonly kind: 'has'; readonly what: HasWhat }
    | { readonly kind: 'is'; readonly what: IsWhat }
    | ({ readonly kind: 'time' } & DayRange)
  )

/** A part that looks like a filter and is none: it is searched as words, and the screen may say so. */
type QueryProblem = Span & { readonly code: 'search/unknown-value' | 'search/unknown-date' }

export type SearchQuery = {
  readonly terms: readonly Term[]
  readonly filters: readonly Filter[]
  readonly problems: readonly QueryProblem[]
}

export type { Day }

const QUERY_LIMIT = 40

/** `-key:"a value"`, `"a phrase"`, or a bare word; a quote that is not closed goes to the end. */
const PART = /(-?)(?:([\p{L}]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/**
 * Takes a typed question apart. Names of filters and values are understood in English, Polish and Russian at once, with
 * or without their accents.
 *
 * @param today the person's own day, for `on:today`
 */
export function parseQuery(text: string, today: Day): SearchQuery {
  const parts: Part[] = []
  for (const match of text.matchAll(PART)) {
    if (parts.length >= QUERY_LIMIT) break
    const span = { start: match.index, end: match.index + match[0].length }
    parts.push({ ...span, minus: match[1] === '-', key: match[2], quoted: match[3], bare: match[4] })
  }
  const found = parts.map((part) => readPart(part, text, today))
  return {
    terms: found.flatMap(({ term }) => term ?? []),
    filters: found.flatMap(({ filter }) => filter ?? []),
    problems: found.flatMap(({ problem }) => problem ?? []),
  }
}

type Part = Span & {
  readonly minus: boolean
  readonly key: string | undefined
  readonly quoted: string | undefined
  readonly bare: string | undefined
}
type Read = { readonly term?: Term | undefined; readonly filter?: Filter; readonly problem?: QueryProblem }

function readPart(part: Part, text: string, today: Day): Read {
  const key = part.key === undefined ? undefined : KEYS.get(fold(part.key))
  const value = part.quoted ?? part.bare ?? ''
  if (key === undefined || value === '') return { term: termOf(part, text) }
  const filter = filterOf(key, value, part, today)
  if (filter) return { filter }
  const isDate = key === 'before' || key === 'after' || key === 'on' || key === 'during'
  const problem = {
    ...spanOf(part),
    code: isDate ? ('search/unknown-date' as const) : ('search/unknown-value' as const),
  }
  return { term: termOf(part, text), problem }
}

function termOf(part: Part, text: string): Term | undefined {
  const value = part.quoted ?? part.bare ?? ''
  const whole = part.key === undefined ? value : `${part.key}:${value}`
  const words = wordsOf(whole).map(({ word }) => word)
  if (words.length === 0) return undefined
  const last = words.at(-1) ?? ''
  const isBeingTyped = part.quoted === undefined && !part.minus && part.end === text.length && last.length > 1
  const prefix = (part.bare?.endsWith('*') === true && last.length > 1) || isBeingTyped || endsOpen(words)
  return { ...spanOf(part), words: withoutTail(words), prefix, exclude: part.minus }
}

/** The single character that ends a run without spaces only says that the run goes on or ends: the pair before has it. */
function withoutTail(words: readonly string[]): readonly string[] {
  const [last, before] = [words.at(-1), words.at(-2)]
  const isTail = last !== undefined && before !== undefined && Array.from(last).length === 1 && isUnspaced(last)
  return isTail && before.endsWith(last) && Array.from(before).length === 2 ? words.slice(0, -1) : words
}

/** One character of such a script is the beginning of a pair. */
const endsOpen = (words: readonly string[]): boolean => {
  const kept = withoutTail(words)
  const last = kept.at(-1) ?? ''
  return kept.length === words.length && isUnspaced(last) && Array.from(last).length === 1
}

function filterOf(key: FilterKey, value: string, part: Part, today: Day): Filter | undefined {
  const base = { ...spanOf(part), exclude: part.minus }
  switch (key) {
    case 'from':
    case 'in':
    case 'mentions':
      return { ...base, kind: key, value: value.replace(/^[@#]/, ''), me: ME.has(fold(value)) }
    case 'has': {
      const what = HAS.get(fold(value))
      if (what === 'pin') return { ...base, kind: 'is', what: 'pinned' }
      return what && { ...base, kind: 'has', what }
    }
    case 'is': {
      const what = IS.get(fold(value))
      return what && { ...base, kind: 'is', what }
    }
    case 'before':
    case 'after':
    case 'on':
    case 'during': {
      // "Not on that day" is no stretch of time.
      const range = part.minus ? undefined : rangeOf(key, value, today)
      return range && { ...base, kind: 'time', ...range }
    }
  }
}

function rangeOf(key: 'before' | 'after' | 'on' | 'during', value: string, today: Day): DayRange | undefined {
  const span = key === 'during' ? (monthOf(value, today) ?? parseSpan(value, today)) : parseSpan(value, today)
  if (!span) return undefined
  if (key === 'before') return { until: span.from }
  if (key === 'after') return { from: span.until }
  return span
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

/** Nothing to look for. */
export const isEmptyQuery = (query: SearchQuery): boolean => query.terms.length === 0 && query.filters.length === 0
