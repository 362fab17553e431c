import { fold } from '#shared/rules/search/search-fold.ts'
import { KEYS, type FilterKey } from '#shared/rules/search/filter-names.ts'
import { parseQuery, type Day, type Filter } from '#shared/rules/search/search-query.ts'
import type { SearchState } from '../../store/window/ui.ts'

/** The person's own day, for `on:today`. `now` in epoch milliseconds. */
export function dayOf(now: number): Day {
  const date = new Date(now)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

/** `2026-11-05`, as filters understand it. */
export const isoDay = ({ year, month, day }: Day): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/**
 * The whole question as the engine takes it apart: filters first, so that the word being typed stands last. A filter whose
 * value is only begun is not asked for: no one is called "J".
 */
export function textOf({ chips, text }: Pick<SearchState, 'chips' | 'text'>): string {
  const typing = typingAt(text, text.length)
  const asked = typing !== undefined && isBegun(typing) ? text.slice(0, typing.start) : text
  return [...chips, asked.trimStart()].join(' ').trimStart()
}

function isBegun({ key, head, value }: Typing): boolean {
  if (key === 'from' || key === 'in' || key === 'mentions' || value === '') return true
  return parseQuery(`${head}${value}`, EPOCH).filters.length === 0
}

/** Any day will do where only the form matters. */
const EPOCH: Day = { year: 1970, month: 1, day: 2 }

/** Filter of a chip, as it was taken out of the field. */
export const filterOf = (source: string, today: Day): Filter | undefined => parseQuery(source, today).filters[0]

type Lifted = { readonly text: string; readonly chips: readonly string[] }

/**
 * Takes finished filters out of the field. One that still may go on stays, unless `all` is wanted (Enter was pressed).
 */
export function lift(text: string, today: Day, all = false): Lifted {
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
  /** Where the filter begins, and what of it comes before the value: `-from:`. */
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

/** A value as it has to be written: names with spaces stand in quotes. */
export const quoted = (value: string): string => (/\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value)
