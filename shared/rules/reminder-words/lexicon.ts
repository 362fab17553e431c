/** What a word of a phrase about time means. */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly ordinal?: boolean; readonly padded?: boolean }
  | { readonly kind: 'clock'; readonly hour: number; readonly minute: number }
  | { readonly kind: 'date'; readonly day: number; readonly month: number; readonly year?: number }
  | { readonly kind: 'unit'; readonly unit: Unit }
  /** Days from today. */
  | { readonly kind: 'day'; readonly days: number; readonly part?: Part }
  /** 1 is Monday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'part'; readonly part: Part }
  | { readonly kind: 'in' | 'at' | 'next' | 'and' | 'half' | 'quarter' | 'past' | 'to' | 'am' | 'pm' | 'filler' }
  | { readonly kind: 'halfhour' | 'weekend' | 'endOfDay' | 'endOfWeek' | 'dayOfMonth' | 'oclock' }

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
export type Part = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night' | 'midnight'

export type Lexicon = {
  /** Several words that mean one thing, before the words are looked at one by one. */
  readonly joined: readonly (readonly [RegExp, string])[]
  readonly words: ReadonlyMap<string, Token>
}

export const plain = (
  kind: Exclude<Token['kind'], 'number' | 'clock' | 'date' | 'unit' | 'day' | 'weekday' | 'month' | 'part'>,
) => ({ kind }) as Token
export const unit = (name: Unit): Token => ({ kind: 'unit', unit: name })
export const part = (name: Part): Token => ({ kind: 'part', part: name })
export const day = (days: number, of?: Part): Token => ({
  kind: 'day',
  days,
  ...(of === undefined ? {} : { part: of }),
})

/** Small letters without accents, ł as l and ё as е; signs stay, because times and dates are written with them. */
export const fold = (text: string): string =>
  text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l')

/** Words of one meaning in one line, separated by spaces. */
type Line = readonly [words: string, token: Token]

export const numbers = (lists: readonly string[], ordinal = false): Line[] =>
  lists.map((words, index) => [words, { kind: 'number', value: index + 1, ...(ordinal ? { ordinal } : {}) }])
export const months = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'month', month: index + 1 }])
export const weekdays = (lists: readonly string[]): Line[] =>
  lists.map((words, index) => [words, { kind: 'weekday', weekday: index + 1 }])
export const value = (words: string, amount: number): Line => [words, { kind: 'number', value: amount }]

/** Builds the words of one language: what is joined first, then lines of words of one meaning. */
export function lexicon(joined: readonly (readonly [string, string])[], lines: readonly Line[]): Lexicon {
  const words = new Map<string, Token>()
  for (const [list, token] of lines) for (const word of list.split(' ')) words.set(fold(word), token)
  const edge = '(?<![\\p{L}\\d])'
  return {
    words,
    joined: joined.map(([pattern, by]) => [new RegExp(`${edge}${fold(pattern)}(?![\\p{L}\\d])`, 'gu'), ` ${by} `]),
  }
}
