import type { Length, PhraseParts, Time } from './calendar.ts'

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
/** `close` is the end of a working day, `dawn` the last hours of a night, `dusk` the time just before evening. */
export type Part =
  | 'dawn'
  | 'morning'
  | 'noon'
  | 'lunch'
  | 'afternoon'
  | 'close'
  | 'dusk'
  | 'evening'
  | 'night'
  | 'tonight'
  | 'midnight'

/** A possible meaning of one word. A word may have several. */
type Token =
  | { readonly kind: 'number'; readonly value: number; readonly written: 'word' | 'digits' | 'padded' }
  /** `24th`, `first`, `pierwszego`, `первого`. */
  | { readonly kind: 'ordinal'; readonly value: number }
  /** An hour whose inflection distinguishes it from a number: `dziewiątej`. */
  | { readonly kind: 'hour'; readonly value: number }
  | {
      readonly kind: 'clock'
      readonly hour: number
      readonly minute: number
      readonly by: ':' | '.'
      readonly padded: boolean
    }
  | { readonly kind: 'date'; readonly day: number; readonly month: number; readonly year?: number }
  | { readonly kind: 'unit'; readonly unit: Unit }
  /** Days from today. */
  | { readonly kind: 'day'; readonly days: number }
  /** 1 is Monday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'part'; readonly part: Part }

type Lexicon = ReadonlyMap<string, readonly Token[]>

/** Words with one meaning, separated by spaces. */
type LexiconLine = readonly [words: string, token: Token]

export const unit = (words: string, name: Unit): LexiconLine => [words, { kind: 'unit', unit: name }]
export const part = (words: string, name: Part): LexiconLine => [words, { kind: 'part', part: name }]
export const day = (words: string, days: number): LexiconLine => [words, { kind: 'day', days }]
export const value = (words: string, amount: number): LexiconLine => [
  words,
  { kind: 'number', value: amount, written: 'word' },
]

/** The first line is one, the second two, and so on. */
export const numbers = (lists: readonly string[]): LexiconLine[] => lists.map((words, index) => value(words, index + 1))
export const ordinals = (lists: readonly string[]): LexiconLine[] =>
  lists.map((words, index) => [words, { kind: 'ordinal', value: index + 1 }])
export const ordinal = (words: string, amount: number): LexiconLine => [words, { kind: 'ordinal', value: amount }]
export const hours = (lists: readonly string[]): LexiconLine[] =>
  lists.map((words, index) => [words, { kind: 'hour', value: index + 1 }])
export const months = (lists: readonly string[]): LexiconLine[] =>
  lists.map((words, index) => [words, { kind: 'month', month: index + 1 }])
/** The first line is Monday. */
export const weekdays = (lists: readonly string[]): LexiconLine[] =>
  lists.map((words, index) => [words, { kind: 'weekday', weekday: index + 1 }])

export function lexicon(lines: readonly LexiconLine[]): Lexicon {
  const words = new Map<string, readonly Token[]>()
  for (const [list, token] of lines)
    for (const word of list.split(' ')) words.set(fold(word), [...(words.get(fold(word)) ?? []), token])
  return words
}

/** Lower case without accents, ł as l and ё as е; punctuation remains, because times and dates contain it. */
const fold = (text: string): string =>
  text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l')

/** The folded words of a phrase, with digits separated from letters. */
export function wordsOf(text: string): readonly string[] {
  return fold(text)
    .replaceAll(/(\d),(\d)/g, '$1.$2')
    .replaceAll(/(\d)t(\d{1,2}:)/g, '$1 $2')
    .replaceAll(/(?<!\p{L})([ap])\.\s?m(?:\.|(?!\p{L}))/gu, ' $1m ')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[,;!?()«»"„”“…]/g, ' ')
    .replaceAll(/(\d+)(?:st|nd|rd|th)(?!\p{L})/gu, ' #$1 ')
    .replaceAll(/(\d+)-(?:го|ого|его|е|ое|му|ому|ego|go)(?!\p{L})/gu, ' #$1 ')
    .replaceAll(/(\d+)-?(?:tej|ta|ej)(?!\p{L})/gu, ' @$1 ')
    .replaceAll(/(?<![#@\d])(\d)(\p{L})/gu, '$1 $2')
    .replaceAll(/(\d)(\p{L})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .replaceAll(/(\p{L})-(?=\p{L})/gu, '$1 ')
    .replaceAll('@', ' @')
    .split(/\s+/)
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => word !== '')
}

/** The possible meanings of a word with digits: `9.30` is a time or a number, `24.11` a date or a number. */
function tokensOfDigits(word: string): readonly Token[] {
  const [, sign, marked] = /^([#@])(\d{1,2})$/.exec(word) ?? []
  if (marked !== undefined) return [{ kind: sign === '#' ? 'ordinal' : 'hour', value: Number(marked) }]
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(word) ?? []
  if (hour !== undefined) return clockOf(hour, Number(minute), ':')
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word)
  if (iso) return [{ kind: 'date', day: Number(iso[3]), month: Number(iso[2]), year: Number(iso[1]) }]
  const [, first, second, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(word) ?? []
  if (first !== undefined)
    return [
      { kind: 'date', day: Number(first), month: Number(second), year: Number(year) + (year?.length === 2 ? 2000 : 0) },
    ]
  if (word.includes('/')) return slashed(word)
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(word)) return []
  const [whole = '', rest] = word.split('.')
  const written = /^0\d/.test(word) ? 'padded' : 'digits'
  const number: Token = { kind: 'number', value: Number(word), written }
  if (rest?.length !== 2) return [number]
  const [far, near] = [Number(whole), Number(rest)]
  const isDate = far >= 1 && far <= 31 && near >= 1 && near <= 12
  return [number, ...clockOf(whole, near, '.'), ...(isDate ? [{ kind: 'date' as const, day: far, month: near }] : [])]
}

function clockOf(hour: string, minute: number, by: ':' | '.'): readonly Token[] {
  const isTime = hour.length < 3 && Number(hour) < 24 && minute < 60
  return isTime ? [{ kind: 'clock', hour: Number(hour), minute, by, padded: /^0\d/.test(hour) }] : []
}

/** American dates have the month first: ambiguous dates are refused. */
function slashed(word: string): readonly Token[] {
  const [, first, second, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(word) ?? []
  if (first === undefined) return []
  const [one, two] = [Number(first), Number(second)]
  if (one <= 12 && two <= 12 && one !== two) return []
  const place = two > 12 ? { day: two, month: one } : { day: one, month: two }
  return [{ kind: 'date', ...place, year: year === undefined ? undefined : Number(year) }]
}

/** The words of a phrase, and the possible tokens of each. */
type Line = { readonly words: readonly string[]; readonly meanings: readonly (readonly Token[])[] }
type Match<T> = { readonly value: T; readonly end: number }

/** A parser: every possible match from a word on, with its value and end. */
export type Rule<T> = (line: Line, at: number) => readonly Match<T>[]

/** Longer phrases are not about a time. */
const LONGEST = 16

/** Matches a token of this kind. */
export const one =
  <Kind extends Token['kind']>(kind: Kind): Rule<Extract<Token, { kind: Kind }>> =>
  ({ meanings }, at) =>
    (meanings[at] ?? []).flatMap((token) =>
      token.kind === kind ? [{ value: token as Extract<Token, { kind: Kind }>, end: at + 1 }] : [],
    )

/** The value of a rule that matches words without a meaning of their own. */
const IGNORED = Symbol('ignored')
type Ignored = typeof IGNORED

/** The values of rules, without ignored ones. */
type ValuesOf<Rules> = Rules extends readonly [Rule<infer Value>, ...infer Rest]
  ? [Value] extends [Ignored]
    ? ValuesOf<Rest>
    : [Value, ...ValuesOf<Rest>]
  : []

/** Matches the rules one after the other; `undefined` from `make` rejects the combination. */
export const seq =
  <const Rules extends readonly Rule<unknown>[], T>(
    rules: Rules,
    make: (...values: ValuesOf<Rules>) => T | undefined,
  ): Rule<T> =>
  (line, at) => {
    let partial: Match<unknown[]>[] = [{ value: [], end: at }]
    for (const rule of rules)
      partial = partial.flatMap(({ value, end }) =>
        rule(line, end).map((next) => ({
          value: next.value === IGNORED ? value : [...value, next.value],
          end: next.end,
        })),
      )
    return partial.flatMap(({ value, end }) => {
      const made = make(...(value as ValuesOf<Rules>))
      return made === undefined ? [] : [{ value: made, end }]
    })
  }

export const alt =
  <T>(...rules: readonly Rule<T>[]): Rule<T> =>
  (line, at) =>
    rules.flatMap((rule) => rule(line, at))

export const opt =
  <T>(rule: Rule<T>): Rule<T | undefined> =>
  (line, at) => [...rule(line, at), { value: undefined, end: at }]

/** Optional words without a meaning of their own. */
export const maybe =
  (rule: Rule<unknown>): Rule<Ignored> =>
  (line, at) => [...rule(line, at).map(({ end }) => ({ value: IGNORED, end }) as const), { value: IGNORED, end: at }]

/** Negative lookahead. */
export const not =
  (rule: Rule<unknown>): Rule<Ignored> =>
  (line, at) =>
    rule(line, at).length === 0 ? [{ value: IGNORED, end: at }] : []

export const as =
  <T>(rule: Rule<unknown>, value: T): Rule<T> =>
  (line, at) =>
    rule(line, at).map(({ end }) => ({ value, end }))

/** Matches the rule and adds nothing to the phrase. */
export const filler = (rule: Rule<unknown>): Rule<PhraseParts> => as(rule, {})

/** Builds rules for literal phrases of a language, and collects their words. */
export function vocabulary(): {
  readonly literal: (...phrases: string[]) => Rule<Ignored>
  readonly literals: ReadonlySet<string>
} {
  const literals = new Set<string>()
  const literal = (...phrases: string[]): Rule<Ignored> => {
    const lists = phrases.map((phrase) => fold(phrase).split(' '))
    for (const word of lists.flat()) literals.add(word)
    return ({ words }, at) =>
      lists.flatMap((list) =>
        list.every((word, index) => words[at + index] === word) ? [{ value: IGNORED, end: at + list.length }] : [],
      )
  }
  return { literal, literals }
}

/** One or more of the rules in any order; the same field cannot occur twice. */
export function severalOf(rules: readonly Rule<PhraseParts>[]): Rule<PhraseParts> {
  const any = alt(...rules)
  const after = (line: Line, { value, end }: Match<PhraseParts>): readonly Match<PhraseParts>[] => [
    { value, end },
    ...any(line, end).flatMap((next) => {
      const both = together(value, next.value)
      return both === undefined ? [] : after(line, { value: both, end: next.end })
    }),
  ]
  return (line, at) => any(line, at).flatMap((first) => after(line, first))
}

/** `undefined` if both have the same field. */
export const together = (before: PhraseParts, next: PhraseParts): PhraseParts | undefined =>
  Object.keys(next).some((key) => key in before) ? undefined : { ...before, ...next }

/** `twenty five`, `двадцать пять` and `25`. */
export const cardinal: Rule<Token & { kind: 'number' }> = alt(
  one('number'),
  seq([one('number'), one('number')], (tens, ones) => joined(tens, ones.written, ones.value)),
)

/** `twenty fifth`, `двадцать пятого`, `dwudziestego piątego`. */
export const anyOrdinal: Rule<number> = alt(
  seq([one('ordinal')], ({ value }) => value),
  seq([one('number'), one('ordinal')], (tens, ones) => joined(tens, 'word', ones.value)?.value),
  seq([one('ordinal'), one('ordinal')], (tens, ones) =>
    tens.value >= 20 && tens.value % 10 === 0 && ones.value < 10 ? tens.value + ones.value : undefined,
  ),
)

function joined(
  tens: Token & { kind: 'number' },
  written: string,
  ones: number,
): (Token & { kind: 'number' }) | undefined {
  const isPair = tens.written === 'word' && written === 'word' && tens.value >= 20 && tens.value % 10 === 0
  return isPair && ones >= 1 && ones < 10 ? { ...tens, value: tens.value + ones } : undefined
}

/** A whole number in this range. */
export const whole = (from: number, to: number): Rule<number> =>
  seq([cardinal], ({ value }) => (Number.isInteger(value) && value >= from && value <= to ? value : undefined))

/** The name of this unit only. */
export const unitOf = (name: Unit): Rule<Ignored> =>
  seq([one('unit')], ({ unit }) => (unit === name ? IGNORED : undefined))
export const anyUnit: Rule<Unit> = seq([one('unit')], ({ unit }) => unit)

export const length = (unit: Unit, amount: number): Length => ({ [unit]: amount })

const SIZES: readonly Unit[] = ['minute', 'hour', 'day', 'week', 'month', 'year']

/** `2 hours and 15 minutes`, `1h30`: larger units first, each once. */
export function lengths(amount: Rule<Length>, and: Rule<unknown>): Rule<Length> {
  const rest: Rule<Length> = alt(
    seq([maybe(and), amount], (each) => each),
    seq([cardinal], ({ value, written }) =>
      Number.isInteger(value) && value < 60 && (value >= 10 || written === 'padded') ? { minute: value } : undefined,
    ),
  )
  const after = (line: Line, { value, end }: Match<Length>): readonly Match<Length>[] => [
    { value, end },
    ...rest(line, end).flatMap((next) =>
      isRest(value, next.value) ? after(line, { value: { ...value, ...next.value }, end: next.end }) : [],
    ),
  ]
  return (line, at) => amount(line, at).flatMap((first) => after(line, first))
}

/** Minutes without a unit are allowed only after hours, and nothing after a fraction. */
function isRest(before: Length, next: Length): boolean {
  const last = Math.min(...Object.keys(before).map((unit) => SIZES.indexOf(unit as Unit)))
  const first = Math.max(...Object.keys(next).map((unit) => SIZES.indexOf(unit as Unit)))
  const isOfHours = !('minute' in next) || last === SIZES.indexOf('hour')
  return first < last && isOfHours && Object.values(before).every((amount) => Number.isInteger(amount))
}

/** An hour of a 12- or 24-hour clock; `undefined` if out of range. */
export function clock(hour: number, minute = 0, isExact = false): Time | undefined {
  if (!Number.isInteger(hour) || hour < 0 || hour > 23 || minute < 0 || minute > 59) return undefined
  return { hour, minute, loose: isExact || hour === 0 || hour > 12 ? undefined : (true as const) }
}

/** Minutes before or after an hour; a quarter to one is 12:45. */
export function around(hour: number, minutes: number): Time | undefined {
  const isOfTwelve = hour >= 1 && hour <= 12
  const total = (hour * 60 + minutes + 24 * 60) % (24 * 60)
  const of = Math.floor(total / 60)
  return clock(isOfTwelve && of === 0 ? 12 : of, total % 60, !isOfTwelve)
}

/** `9:30` and `09:30`. */
export const written: Rule<Time> = seq([one('clock')], ({ hour, minute, by, padded }) =>
  by === ':' ? clock(hour, minute, padded) : undefined,
)

/** `9.30`, which could also be a date or a number. */
export const dotted: Rule<Time> = seq([one('clock')], ({ hour, minute, by, padded }) =>
  by === '.' ? clock(hour, minute, padded) : undefined,
)

/** An hour as a number, which could also be anything else. */
export const hourNumber: Rule<Time> = seq([cardinal], ({ value, written: how }) => clock(value, 0, how === 'padded'))

/** Minutes after an hour: `thirty`, `05`. */
export const minuteNumber: Rule<number> = seq([cardinal], ({ value, written: how }) =>
  Number.isInteger(value) && value < 60 && (value >= 10 || how === 'padded') ? value : undefined,
)

export const timeOnly = (time: Time | undefined): PhraseParts | undefined => time && { time }

/** `24 november`, `24 november 2027`; whether the day exists is checked later. */
export const dated = (day: number, month: number, year: number | undefined): PhraseParts | undefined =>
  day < 1 || day > 31 ? undefined : { day: { kind: 'date', day, month, year } }

export const year: Rule<number> = seq([one('number')], ({ value, written: how }) =>
  how === 'digits' && Number.isInteger(value) && value >= 2000 ? value : undefined,
)

export type Grammar = {
  readonly lexicon: Lexicon
  /** Words that occur only in literal phrases. */
  readonly literals: ReadonlySet<string>
  readonly phrase: Rule<PhraseParts>
}

/** Every reading of the whole phrase; each word must be used in each of them. */
export function readingsOf(text: string, { lexicon, phrase, literals }: Grammar): readonly PhraseParts[] {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > LONGEST) return []
  const meanings = words.map((word) => [...tokensOfDigits(word), ...(lexicon.get(word) ?? [])])
  if (words.some((word, at) => meanings[at]?.length === 0 && !literals.has(word))) return []
  return phrase({ words, meanings }, 0).flatMap(({ value, end }) => (end === words.length ? [value] : []))
}
