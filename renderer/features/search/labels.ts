import type { Day, Filter } from '#shared/rules/search/search-query.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useAppStore } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { channelTitle } from '../sidebar/index.ts'

/** `#release-4-2`, or the names of the people in a direct conversation. */
export function placeName(state: AppState, cid: string, found?: Channel): string {
  const channel = state.entities.channels[cid] ?? found
  if (channel === undefined) return ''
  const title = channelTitle(state, cid)
  const name = title === '' ? cleanName(channel.name === '' ? channel.id : channel.name) : title
  return channel.directUserIds.length > 0 ? name : `#${name}`
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
