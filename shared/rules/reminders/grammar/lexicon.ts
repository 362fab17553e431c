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
export type Token =
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

export type Lexicon = ReadonlyMap<string, readonly Token[]>

/** Words with one meaning, separated by spaces. */
type Line = readonly [words: string, token: Token]

export const unit = (words: string, name: Unit): Line => [words, { kind: 'unit', unit: name }]
export const part = (words: string, name: Part): Line => [words, { kind: 'part', part: name }]
export const day = (words: string, days: number): Line => [words, { kind: 'day', days }]
export const value = (words: string, amount: number): Line => [
  words,
  { kind: 'number', value: amount, written: 'word' },
]

/** The first line is one, the second two, and so on. */
export const numbers = (lists: readonly string[]): Line[] => lists.map((words, index) => value(words, index + 1))
export const ordinals = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'ordinal', value: index + 1 }])
export const ordinal = (words: string, amount: number): Line => [words, { kind: 'ordinal', value: amount }]
export const hours = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'hour', value: index + 1 }])
export const months = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'month', month: index + 1 }])
/** The first line is Monday. */
export const weekdays = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'weekday', weekday: index + 1 }])

export function lexicon(lines: readonly Line[]): Lexicon {
  const words = new Map<string, readonly Token[]>()
  for (const [list, token] of lines)
    for (const word of list.split(' ')) words.set(fold(word), [...(words.get(fold(word)) ?? []), token])
  return words
}

/** Lower case without accents, ł as l and ё as е; punctuation remains, because times and dates contain it. */
export const fold = (text: string): string =>
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
export function tokensOfDigits(word: string): readonly Token[] {
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
