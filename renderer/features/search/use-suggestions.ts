import { useMemo } from 'react'
import { nameRank, nameWords } from '#shared/rules/search/search-names.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { HAS, IS, type HasWhat, type IsWhat } from '#shared/rules/search/search-query.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { formatsFor, useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppSelector, useMe } from '../../store/hooks.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { channelTitle, selectConversationOrder } from '../sidebar/index.ts'
import { dayOf, isoDay, quoted, type Typing } from './question.ts'

/** A value for the filter being typed. */
export type Suggestion = {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly userId?: string
  /** The complete filter: `from:"Ola Wiśniewska"`. */
  readonly source: string
}

const MOST = 8

export const HAS_ICONS: Readonly<Record<HasWhat, IconName>> = {
  link: 'link',
  image: 'image',
  video: 'video',
  audio: 'mic',
  file: 'file',
  poll: 'poll',
  location: 'map-pin',
  reaction: 'smile',
}
const IS_ICONS: Readonly<Record<IsWhat, IconName>> = {
  pinned: 'pin',
  thread: 'thread',
  edited: 'pencil',
  mine: 'user',
  reply: 'reply',
  unread: 'inbox',
}

type Candidate = Omit<Suggestion, 'source'> & { readonly value: string; readonly also?: readonly string[] }

/** Values that match the text after the colon; empty while no filter is being typed. */
export function useSuggestions(typing: Typing | undefined): readonly Suggestion[] {
  const people = usePeople(typing?.key === 'from' || typing?.key === 'mentions')
  const places = usePlaces()
  const fixed = useFixed()
  return useMemo(() => {
    if (typing === undefined) return []
    const { key, value, head } = typing
    const from =
      key === 'from' || key === 'mentions'
        ? people
        : key === 'in'
          ? places
          : key === 'has' || key === 'is'
            ? fixed[key]
            : fixed.date
    return best(from, value).map(({ value: taken, also: _also, ...one }) => ({
      ...one,
      source: `${head}${quoted(taken)}`,
    }))
  }, [typing, people, places, fixed])
}

function best(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const text = nameWords(typed.replace(/^[@#]/, ''))
  if (text.length === 0) return candidates.slice(0, MOST)
  return candidates
    .flatMap((one, at) => {
      const ranks = [one.label, one.value, ...(one.also ?? [])].map((name) => nameRank(nameWords(name), text) ?? 99)
      const rank = Math.min(...ranks)
      return rank === 99 ? [] : [{ one, rank, at }]
    })
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, MOST)
    .map(({ one }) => one)
}

const NO_ONE: readonly Candidate[] = []

/** The viewer first, then other people by name, apps last. Sorted only while they are needed. */
function usePeople(wanted: boolean): readonly Candidate[] {
  const t = useTexts('search')
  const { compare } = useFormats()
  const users = useAppSelector((state) => state.entities.users)
  const me = useMe()
  return useMemo(() => {
    if (!wanted) return NO_ONE
    const others = Object.values(users).filter(({ id }) => id !== me?.id)
    const names = others.map(({ name }) => fold(name))
    const isShared = (name: string): boolean => names.filter((other) => other === fold(name)).length > 1
    const own =
      me === undefined
        ? []
        : [{ id: me.id, label: t('meNamed', { name: cleanName(me.name) }), userId: me.id, value: 'me' }]
    return [
      ...own,
      ...others
        .toSorted((a, b) => Number(a.bot) - Number(b.bot) || compare(a.name, b.name))
        .map(({ id, name }) => ({
          id,
          label: cleanName(name),
          userId: id,
          value: name.includes('"') || isShared(name) ? id : name,
        })),
    ]
  }, [wanted, users, me, t, compare])
}

/** Conversations in sidebar order; unnamed ones by their id. */
function usePlaces(): readonly Candidate[] {
  const order = useAppSelector(selectConversationOrder)
  const channels = useAppSelector((state) => state.entities.channels)
  const titles = useAppSelector((state) => order.map((cid) => channelTitle(state, cid)).join('\n'))
  return useMemo(() => {
    const names = titles.split('\n')
    return order.map((cid, at): Candidate => {
      const channel = channels[cid]
      const name = channel?.name ?? ''
      return {
        id: cid,
        label: names[at] ?? cid,
        icon: channel?.isPrivate === true ? 'lock' : 'hash',
        value: name === '' || name.includes('"') ? cid : name,
        ...(channel?.directUserId === undefined ? {} : { userId: channel.directUserId }),
      }
    })
  }, [order, channels, titles])
}

/** Fixed values: kinds, states and a few days. */
function useFixed(): {
  readonly has: readonly Candidate[]
  readonly is: readonly Candidate[]
  readonly date: readonly Candidate[]
} {
  const t = useTexts('search')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(() => fixedValues(t, formats, now), [t, formats, now])
}

type Texts = ReturnType<typeof useTexts<'search'>>

function fixedValues(t: Texts, formats: ReturnType<typeof formatsFor>, now: number) {
  const has = (Object.keys(HAS_ICONS) as HasWhat[]).map((what): Candidate => ({
    id: what,
    label: t(`has.${what}`),
    icon: HAS_ICONS[what],
    value: what,
    also: aliases(HAS, what),
  }))
  const is = (Object.keys(IS_ICONS) as IsWhat[]).map((what): Candidate => ({
    id: what,
    label: t(`is.${what}`),
    icon: IS_ICONS[what],
    value: what,
    also: aliases(IS, what),
  }))
  const day = (id: string, label: string, value: string): Candidate => ({ id, label, icon: 'calendar', value })
  const ago = (days: number): number => new Date(now).setDate(new Date(now).getDate() - days)
  const date = [
    day('today', t('date.today'), 'today'),
    day('yesterday', t('date.yesterday'), 'yesterday'),
    ...[7, 30].map((days) => day(String(days), formats.shortDate(ago(days)), isoDay(dayOf(ago(days))))),
    day('month', isoDay(dayOf(now)).slice(0, 7), isoDay(dayOf(now)).slice(0, 7)),
    day('year', String(dayOf(now).year), String(dayOf(now).year)),
  ]
  return { has, is, date }
}

const aliases = (table: ReadonlyMap<string, string>, what: string): readonly string[] =>
  [...table].flatMap(([name, means]) => (means === what ? [name] : []))
