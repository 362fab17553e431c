import { fold } from '#shared/rules/search/search-fold.ts'
import { KEYS, type FilterKey, parseQuery, type Day, type Filter } from '#shared/rules/search/search-query.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { SearchState } from '../../store/window/ui.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useAppStore } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { channelTitle } from '../sidebar/index.ts'

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
export const textOf = ({ chips, text }: Pick<SearchState, 'chips' | 'text'>): string =>
  [...chips, withoutBegun(text).trimStart()].join(' ').trimStart()

/** The text of the field without the filter that is still being written: nothing is searched for it yet. */
export function withoutBegun(text: string): string {
  const typing = typingAt(text, text.length)
  return typing !== undefined && isBegun(typing) ? text.slice(0, typing.start) : text
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

/** `#release-4-2`, or the names of the people in a direct conversation. */
export function placeName(state: AppState, cid: string, found?: Channel): string {
  const channel = state.entities.channels[cid] ?? found
  if (channel === undefined) return ''
  const title = channelTitle(state, cid)
  const name = title === '' ? cleanName(channel.name === '' ? channel.id : channel.name) : title
  return channel.directUserIds.length > 0 ? name : `#${name}`
}

/** The same in another account, by the names that its answer contains. */
export function placeNameElsewhere(channel: Channel | undefined, nameOf: (id: string) => string | undefined): string {
  if (channel === undefined) return ''
  if (channel.directUserIds.length === 0 || channel.name !== '') return `#${cleanName(channel.name || channel.id)}`
  return channel.directUserIds.map((id) => cleanName(nameOf(id) ?? id)).join(', ')
}

/** A filter as readable text. */
type ChipLabel = { readonly text: string; readonly userId?: string; readonly icon?: 'hash' }

const noon = ({ year, month, day }: Day, away = 0): number => new Date(year, month - 1, day + away, 12).getTime()

export function useChipLabel(): (filter: Filter) => ChipLabel {
  const t = useTexts('search')
  const formats = useFormats()
  const store = useAppStore()
  const date = (from: Day | undefined, until: Day | undefined): string => {
    if (from === undefined) return until === undefined ? '' : t('chip.before', { date: formats.shortDate(noon(until)) })
    if (until === undefined) return t('chip.after', { date: formats.shortDate(noon(from, -1)) })
    const [first, last] = [formats.shortDate(noon(from)), formats.shortDate(noon(until, -1))]
    return first === last ? t('chip.on', { date: first }) : t('chip.between', { from: first, until: last })
  }
  const label = (filter: Filter): ChipLabel => {
    switch (filter.kind) {
      case 'from':
      case 'mentions': {
        const found = filter.me ? undefined : userNamed(store.getState(), filter.value)
        const name = filter.me ? t('me') : (found?.name ?? filter.value)
        return { text: t(`chip.${filter.kind}`, { name: cleanName(name) }), ...(found ? { userId: found.id } : {}) }
      }
      case 'in':
        return { text: t('chip.in', { name: titleOf(store.getState(), filter.value) }), icon: 'hash' }
      case 'has':
        return { text: t('chip.has', { what: t(`has.${filter.what}`).toLocaleLowerCase() }) }
      case 'is':
        return { text: t(`is.${filter.what}`) }
      case 'time':
        return { text: date(filter.from, filter.until) }
    }
  }
  return (filter) => {
    const one = label(filter)
    return filter.exclude ? { ...one, text: t('chip.not', { chip: one.text }) } : one
  }
}

/** Finds a user by id, or by a unique name. */
function userNamed({ entities: { users } }: AppState, value: string) {
  const byId = users[value]
  if (byId !== undefined) return byId
  const wanted = fold(value)
  const named = Object.values(users).filter(
    (user) => fold(user.name) === wanted || fold(user.name).startsWith(`${wanted} `),
  )
  return named.length === 1 ? named[0] : undefined
}

const titleOf = (state: AppState, value: string): string =>
  state.entities.channels[value] === undefined ? value : channelTitle(state, value)
