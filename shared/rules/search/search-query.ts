import { fold, isUnspaced, wordsOf } from './search-fold.ts'

/** Range of a part in the input (UTF-16 units, end exclusive). */
export type Span = { readonly start: number; readonly end: number }

/** Consecutive words; usually a single one. */
export type Term = Span & {
  /** Folded by `wordsOf`; at least one. */
  readonly words: readonly string[]
  /** The last word matches as a prefix. */
  readonly prefix: boolean
  readonly exclude: boolean
}

/** A filter. Of `from` and `in` any one must match, of the others all. */
export type Filter = Span & { readonly exclude: boolean } & (
    | { readonly kind: 'from' | 'in' | 'mentions'; readonly value: string; readonly me: boolean }
    | { readonly kind: 'has'; readonly what: HasWhat }
    | { readonly kind: 'is'; readonly what: IsWhat }
    | ({ readonly kind: 'time' } & DayRange)
  )

/** A part that looks like a filter and is not: it is searched as text, and the user is informed. */
type QueryProblem = Span & { readonly code: 'search/unknown-value' | 'search/unknown-date' }

export type SearchQuery = {
  readonly terms: readonly Term[]
  readonly filters: readonly Filter[]
  readonly problems: readonly QueryProblem[]
}

const QUERY_LIMIT = 40

/** `-key:"a value"`, `"a phrase"`, or a bare word; an unclosed quote extends to the end. */
const PART = /(-?)(?:([\p{L}]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/**
 * Parses a search query. Names of filters and values are recognized in English, Polish and Russian alike, with or
 * without accents.
 *
 * @param today the user's local day, for `on:today`
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
type Read = { readonly term?: Term; readonly filter?: Filter; readonly problem?: QueryProblem }

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

/** The single character at the end of a run without spaces is redundant: the pair before contains it. */
function withoutTail(words: readonly string[]): readonly string[] {
  const [last, before] = [words.at(-1), words.at(-2)]
  const isTail = last !== undefined && before !== undefined && Array.from(last).length === 1 && isUnspaced(last)
  return isTail && before.endsWith(last) && Array.from(before).length === 2 ? words.slice(0, -1) : words
}

/** A single character of such a script is the prefix of a pair. */
const endsOpen = (words: readonly string[]): boolean => {
  const complete = withoutTail(words)
  const last = complete.at(-1) ?? ''
  return complete.length === words.length && isUnspaced(last) && Array.from(last).length === 1
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
      // "Not on that day" is not a time range.
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

/** Whether there is nothing to search for. */
export const isEmptyQuery = (query: SearchQuery): boolean => query.terms.length === 0 && query.filters.length === 0

/** Filter names in all languages of the app, folded: each works whatever the language of the interface. */
export type FilterKey = 'from' | 'in' | 'mentions' | 'has' | 'is' | 'before' | 'after' | 'on' | 'during'
export type HasWhat = 'link' | 'image' | 'video' | 'audio' | 'file' | 'poll' | 'location' | 'reaction'
export type IsWhat = 'pinned' | 'thread' | 'edited' | 'mine' | 'reply' | 'unread'

/** The English name comes first: suggestions insert it. */
export const FILTER_NAMES: Readonly<Record<FilterKey, readonly string[]>> = {
  from: ['from', 'od', 'от'],
  in: ['in', 'w', 'в'],
  mentions: ['mentions', 'wspomina', 'упоминает'],
  has: ['has', 'ma', 'есть'],
  is: ['is', 'jest', 'это'],
  before: ['before', 'przed', 'до'],
  after: ['after', 'po', 'после'],
  on: ['on', 'dnia', 'за'],
  during: ['during', 'podczas', 'период'],
}

const HAS_NAMES: Readonly<Record<HasWhat | 'pin', readonly string[]>> = {
  link: ['link', 'links', 'url', 'odnośnik', 'ссылка'],
  image: ['image', 'images', 'photo', 'picture', 'obraz', 'zdjęcie', 'изображение', 'фото', 'картинка'],
  video: ['video', 'wideo', 'film', 'видео'],
  audio: ['audio', 'voice', 'nagranie', 'аудио', 'голос'],
  file: ['file', 'files', 'plik', 'файл'],
  poll: ['poll', 'ankieta', 'опрос'],
  location: ['location', 'lokalizacja', 'место', 'геопозиция'],
  reaction: ['reaction', 'reactions', 'reakcja', 'реакция'],
  pin: ['pin', 'pinezka', 'закреп'],
}

const IS_NAMES: Readonly<Record<IsWhat, readonly string[]>> = {
  pinned: ['pinned', 'przypięte', 'przypięta', 'закреплено', 'закреплённое'],
  thread: ['thread', 'wątek', 'обсуждение', 'тред', 'ветка'],
  edited: ['edited', 'edytowane', 'изменено'],
  mine: ['mine', 'moje', 'моё', 'мое'],
  reply: ['reply', 'replies', 'odpowiedź', 'ответ', 'ответы'],
  unread: ['unread', 'nieprzeczytane', 'непрочитанное', 'непрочитано'],
}

const byName = <Name extends string>(table: Readonly<Record<Name, readonly string[]>>): ReadonlyMap<string, Name> =>
  new Map(
    Object.entries<readonly string[]>(table).flatMap(([name, all]) => all.map((one) => [fold(one), name as Name])),
  )

export const KEYS = byName(FILTER_NAMES)
export const HAS = byName(HAS_NAMES)
export const IS = byName(IS_NAMES)
/** The viewer, as a value of `from:` and `mentions:`. */
const ME: ReadonlySet<string> = new Set(['me', 'ja', 'mnie', 'я', 'меня'].map(fold))

/** A day of the calendar, without a time zone; month from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number }

/** From the beginning of one day to the beginning of another (exclusive); open if absent. */
type DayRange = { readonly from?: Day; readonly until?: Day }

type Whole = { readonly from: Day; readonly until: Day }

const TODAY = new Set(['today', 'dzis', 'dzisiaj', 'сегодня'])
const YESTERDAY = new Set(['yesterday', 'wczoraj', 'вчера'])

/** UTC is only used for calendar arithmetic. */
function moved({ year, month, day }: Day, days: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** `2026-11-05`, `5.11.2026`, `today`, `yesterday`, `7d` (days ago). Days that do not exist are `undefined`. */
export function parseDay(text: string, today: Day): Day | undefined {
  const word = fold(text)
  if (TODAY.has(word)) return today
  if (YESTERDAY.has(word)) return moved(today, -1)
  const ago = /^(\d{1,4})[dд]$/.exec(word)
  if (ago) return moved(today, -Number(ago[1]))
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (iso) return existing({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  if (dotted) return existing({ year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) })
  return undefined
}

/** A day, a month (`2026-11`, `11.2026`) or a year (`2026`). */
function parseSpan(text: string, today: Day): Whole | undefined {
  const day = parseDay(text, today)
  if (day) return { from: day, until: moved(day, 1) }
  const month = /^(\d{4})-(\d{1,2})$/.exec(text)
  const dotted = /^(\d{1,2})\.(\d{4})$/.exec(text)
  if (month) return wholeMonth(Number(month[1]), Number(month[2]))
  if (dotted) return wholeMonth(Number(dotted[2]), Number(dotted[1]))
  const year = /^(\d{4})$/.exec(text)
  if (!year || Number(year[1]) < 1970) return undefined
  return { from: { year: Number(year[1]), month: 1, day: 1 }, until: { year: Number(year[1]) + 1, month: 1, day: 1 } }
}

const MONTHS = [
  ['january', 'jan', 'styczen', 'январь'],
  ['february', 'feb', 'luty', 'февраль'],
  ['march', 'mar', 'marzec', 'март'],
  ['april', 'apr', 'kwiecien', 'апрель'],
  ['may', 'maj', 'май'],
  ['june', 'jun', 'czerwiec', 'июнь'],
  ['july', 'jul', 'lipiec', 'июль'],
  ['august', 'aug', 'sierpien', 'август'],
  ['september', 'sep', 'wrzesien', 'сентябрь'],
  ['october', 'oct', 'pazdziernik', 'октябрь'],
  ['november', 'nov', 'listopad', 'ноябрь'],
  ['december', 'dec', 'grudzien', 'декабрь'],
] as const

/** `march`: the most recent one that has begun. */
function monthOf(text: string, today: Day): Whole | undefined {
  const word = fold(text)
  const index = MONTHS.findIndex((names) => names.some((name) => fold(name) === word))
  if (index < 0) return undefined
  return wholeMonth(index + 1 > today.month ? today.year - 1 : today.year, index + 1)
}

function wholeMonth(year: number, month: number): Whole | undefined {
  const from = existing({ year, month, day: 1 })
  if (!from) return undefined
  return { from, until: month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 } }
}

function existing(day: Day): Day | undefined {
  if (day.year < 1970 || day.year > 9_999) return undefined
  const same = moved(day, 0)
  return same.month === day.month && same.day === day.day ? day : undefined
}
