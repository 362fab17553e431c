import { fold } from '#shared/rules/search/search-fold.ts'
import { KEYS, type FilterKey, parseQuery, type Day, type Filter } from '#shared/rules/search/search-query.ts'
import type { SearchState } from '../../store/window/ui.ts'

/** The local day, for `on:today`. `now` in epoch milliseconds. */
export function dayOf(now: number): Day {
  const date = new Date(now)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

/** `2026-11-05`, as filters use it. */
export const isoDay = ({ year, month, day }: Day): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/**
 * The complete query as the engine parses it: filters first, so that the word being typed is last. A filter with an
 * unfinished value is left out, because no one is called "J".
 */
export function textOf({ chips, text }: Pick<SearchState, 'chips' | 'text'>): string {
  const typing = typingAt(text, text.length)
  const completeText = typing !== undefined && isBegun(typing) ? text.slice(0, typing.start) : text
  return [...chips, completeText.trimStart()].join(' ').trimStart()
}

function isBegun({ key, head, value }: Typing): boolean {
  if (key === 'from' || key === 'in' || key === 'mentions' || value === '') return true
  return parseQuery(`${head}${value}`, EPOCH).filters.length === 0
}

/** Placeholder day where only the syntax matters. */
const EPOCH: Day = { year: 1970, month: 1, day: 2 }

/** The filter of a chip. */
export const filterOf = (source: string, today: Day): Filter | undefined => parseQuery(source, today).filters[0]

type Extracted = { readonly text: string; readonly chips: readonly string[] }

/**
 * Extracts finished filters from the text. One that may still be continued stays, unless `all` is set (Enter was pressed).
 */
export function extractChips(text: string, today: Day, all = false): Extracted {
  const done = parseQuery(text, today).filters.filter(({ end }) => all || end < text.length)
  let rest = text
  for (const { start, end } of done.toReversed()) {
    const after = rest.slice(end)
    rest = rest.slice(0, start) + (start === 0 || /\s$/.test(rest.slice(0, start)) ? after.trimStart() : after)
  }
  return { text: done.length === 0 ? text : rest, chips: done.map(({ start, end }) => text.slice(start, end)) }
}

/** A filter being typed at the caret. */
export type Typing = {
  readonly key: FilterKey
  /** Start of the filter, and its part before the value: `-from:`. */
  readonly start: number
  readonly head: string
  readonly value: string
}

const AT_CARET = /(?:^|\s)(-?([\p{L}]+):)(?:"([^"]*)|([^\s"]*))$/u

export function typingAt(text: string, caret: number): Typing | undefined {
  const match = AT_CARET.exec(text.slice(0, caret))
  const [, head, name, quoted, bare] = match ?? []
  const key = name === undefined ? undefined : KEYS.get(fold(name))
  if (match === null || head === undefined || key === undefined) return undefined
  const start = match.index + match[0].indexOf(head)
  return { key, start, head, value: quoted ?? bare ?? '' }
}

/** Quotes a value that contains spaces. */
export const quoted = (value: string): string => (/\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value)
