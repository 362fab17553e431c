import { useEffect, useMemo, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { NamesFound, SavedSearch } from '#shared/domain/search.ts'
import type { User } from '#shared/domain/user.ts'
import { asCid, type Cid, type UserId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useAppSelector, useEngine, useMe } from '../../store/hooks.ts'
import { selectHasRail } from '../../store/accounts.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import type { SwitcherAction } from '../../app/keys/shortcuts.tsx'
import { channelTitle, isLoud, selectConversationOrder } from '../sidebar/index.ts'
import { selectSavedSearches } from '../search/index.ts'
import { parseAhead, ranked } from './rank.ts'

export type SwitcherItem =
  | {
      readonly kind: 'channel'
      readonly id: string
      readonly name: string
      readonly cid: Cid
      readonly person?: string
    }
  | {
      readonly kind: 'person'
      readonly id: string
      readonly name: string
      readonly userId: UserId
      readonly user: User
    }
  | { readonly kind: 'action'; readonly id: string; readonly name: string; readonly action: SwitcherAction }
  | {
      readonly kind: 'search'
      readonly id: string
      readonly name: string
      readonly text: string
      /** In all accounts of this profile. */
      readonly everywhere: boolean
    }
  | { readonly kind: 'saved'; readonly id: string; readonly name: string; readonly search: SavedSearch }

export type SwitcherGroup = {
  readonly name: 'places' | 'recent' | 'unread' | 'actions' | 'saved' | 'search'
  readonly items: readonly SwitcherItem[]
}

const PLACES = 12
const RECENT = 6
const UNREAD = 6
const SOME_ACTIONS = 4
const SOME_SAVED = 4
const ALL_ACTIONS = 240

type Prefix = '#' | '@' | '>' | '/' | undefined

/** Splits a query into its prefix (`#`, `@`, `>` or `/`) and the text after it. */
export function readQuery(query: string): { readonly prefix: Prefix; readonly text: string } {
  const prefix = /^[#@>/]/.exec(query)?.[0] as Prefix
  return { prefix, text: (prefix === undefined ? query : query.slice(1)).trim() }
}

/** The matches of the query in groups. Without a query: recent and unread conversations. */
export function useSwitcherItems(query: string, actions: readonly SwitcherAction[]): readonly SwitcherGroup[] {
  const { prefix, text } = readQuery(query)
  const places = usePlaces()
  const quiet = useDefaultGroups(places)
  useParseAhead(places)
  const saved = useAppSelector(selectSavedSearches)
  const scopes = useAppSelector(selectHasRail) ? SCOPES : ONE_SCOPE
  const isOf = (...prefixes: readonly Prefix[]): boolean => prefixes.includes(prefix)
  const hasPlaces = isOf(undefined, '#', '@')
  const hasActions = isOf(undefined, '>')
  const hasSearches = isOf(undefined, '/')
  const names = useCachedNames(hasPlaces ? text : '')
  return useMemo(() => {
    if (query === '') return quiet
    const groups: readonly SwitcherGroup[] = [
      { name: 'places', items: hasPlaces ? matching(places, names, prefix, text) : [] },
      { name: 'actions', items: hasActions ? actionsFor(actions, prefix, text) : [] },
      { name: 'saved', items: hasSearches ? savedFor(saved, prefix, text) : [] },
      {
        name: 'search',
        items: hasSearches && text !== '' ? scopes.map((everywhere) => searchFor(text, everywhere)) : [],
      },
    ]
    return groups.filter((group) => group.items.length > 0)
  }, [query, quiet, prefix, text, places, names, actions, saved, scopes, hasPlaces, hasActions, hasSearches])
}

/** Saved searches; all of them with the prefix `/`. */
function savedFor(saved: readonly SavedSearch[], prefix: Prefix, text: string): readonly SwitcherItem[] {
  const items = saved.map((search): SwitcherItem => ({
    kind: 'saved',
    id: `saved-${search.name}`,
    name: search.name,
    search,
  }))
  return ranked(items, text, (item) => item.name, prefix === '/' ? items.length : SOME_SAVED)
}

/** Takes a few milliseconds. */
const NAMES_AT_ONCE = 150

/** Parses names in idle time before the first letter is typed. */
function useParseAhead(places: readonly SwitcherItem[]): void {
  useEffect(() => {
    let at = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = (): void => {
      parseAhead(places.slice(at, at + NAMES_AT_ONCE).map(({ name }) => name))
      at += NAMES_AT_ONCE
      timer = at < places.length ? setTimeout(next) : undefined
    }
    timer = setTimeout(next)
    return () => clearTimeout(timer)
  }, [places])
}

const SCOPES = [false, true]
const ONE_SCOPE = [false]

const searchFor = (text: string, everywhere: boolean): SwitcherItem => ({
  kind: 'search',
  id: everywhere ? 'search-everywhere' : 'search',
  name: text,
  text,
  everywhere,
})

function actionsFor(actions: readonly SwitcherAction[], prefix: Prefix, text: string): readonly SwitcherItem[] {
  const items = actions.map((action): SwitcherItem => ({
    kind: 'action',
    id: `action-${action.id}`,
    name: action.label,
    action,
  }))
  return ranked(items, text, (item) => item.name, prefix === '>' ? ALL_ACTIONS : SOME_ACTIONS)
}

/** Loaded places first, then those found only in the cache. A person with a direct conversation is listed once. */
export function matching(
  places: readonly SwitcherItem[],
  names: readonly SwitcherItem[],
  prefix: Prefix,
  text: string,
): readonly SwitcherItem[] {
  const wanted = (item: SwitcherItem): boolean => {
    const isPerson = item.kind === 'person' || (item.kind === 'channel' && item.person !== undefined)
    return prefix === undefined || isPerson === (prefix === '@')
  }
  const found = ranked(places.filter(wanted), text, (item) => item.name, PLACES)
  const held = new Set(places.map(({ id }) => id))
  const talkedTo = new Set(places.flatMap((item) => (item.kind === 'channel' ? (item.person ?? []) : [])))
  const isNew = (item: SwitcherItem): boolean =>
    !held.has(item.id) && !(item.kind === 'person' && talkedTo.has(item.userId))
  return [...found, ...names.filter((item) => wanted(item) && isNew(item))].slice(0, PLACES)
}

/** Notes to self, conversations in sidebar order, then people without a conversation. */
function usePlaces(): readonly SwitcherItem[] {
  const order = useAppSelector(selectConversationOrder)
  const users = useAppSelector((state) => state.entities.users)
  const channels = useAppSelector((state) => state.entities.channels)
  const titles = useAppSelector((state) => order.map((cid) => channelTitle(state, cid)).join('\n'))
  const me = useMe()?.id
  const notesName = useTexts('sidebar')('notes')
  return useMemo(() => {
    const names = titles.split('\n')
    const direct = new Set(order.map((cid) => channels[cid]?.directUserId))
    const conversations = order.map((cid, at): SwitcherItem => conversation(cid, names[at] ?? '', channels[cid]))
    const people = Object.values(users).filter((user) => user.id !== me && !direct.has(user.id))
    const notes = conversations.filter((item) => item.kind === 'channel' && channels[item.cid]?.notes)
    const own = me === undefined ? undefined : users[me]
    const first = notes.length > 0 || own === undefined ? notes : [{ ...person(own), name: notesName }]
    return [...first, ...conversations.filter((item) => !notes.includes(item)), ...people.map(person)]
  }, [order, users, channels, titles, me, notesName])
}

const conversation = (cid: string, name: string, channel: Channel | undefined): SwitcherItem => ({
  kind: 'channel',
  id: `channel-${cid}`,
  name,
  cid: asCid(cid),
  person: channel?.directUserId,
})

const person = (user: User): SwitcherItem => ({
  kind: 'person',
  id: `person-${user.id}`,
  name: cleanName(user.name),
  userId: user.id,
  user,
})

/** Conversations the viewer was in, latest first; unread ones that are not among them; and others of the sidebar. */
function useDefaultGroups(places: readonly SwitcherItem[]): readonly SwitcherGroup[] {
  const visited = useAppSelector((state) => state.ui.back)
  const openCid = useAppSelector(selectOpenCid)
  const channels = useAppSelector((state) => state.entities.channels)
  return useMemo(() => {
    const talks = places.flatMap((item) => (item.kind === 'channel' && item.cid !== openCid ? [item] : []))
    const seen = visited.toReversed().flatMap(({ route }) => (route.view === 'channel' ? [route.cid] : []))
    const known = [...new Set(seen)].flatMap((cid) => talks.find((item) => item.cid === cid) ?? [])
    const recent = known.slice(0, RECENT)
    const others = talks.filter((item) => !recent.includes(item)).slice(0, RECENT - recent.length)
    const unread = talks.filter(({ cid }) => {
      const channel = channels[cid]
      return channel !== undefined && isLoud(channel)
    })
    const groups: readonly SwitcherGroup[] = [
      { name: 'recent', items: recent },
      { name: 'unread', items: unread.filter((item) => !recent.includes(item)).slice(0, UNREAD) },
      { name: 'places', items: others.filter((item) => !unread.includes(item)) },
    ]
    return groups.filter((group) => group.items.length > 0)
  }, [places, visited, openCid, channels])
}

const SETTLED_MS = 120
const NO_ITEMS: readonly SwitcherItem[] = []

/** People and channels that are not loaded in the window, from the local cache. */
function useCachedNames(text: string): readonly SwitcherItem[] {
  const engine = useEngine()
  const me = useMe()?.id
  const [answer, setAnswer] = useState<{ text: string; found: NamesFound }>()
  useEffect(() => {
    if (text === '') return undefined
    let live = true
    const timer = setTimeout(() => {
      engine.search.names({ text, limit: PLACES }).then(
        (found) => live && setAnswer({ text, found }),
        // The loaded places are shown anyway.
        () => undefined,
      )
    }, SETTLED_MS)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [engine, text])
  return useMemo(() => {
    if (answer === undefined || answer.text !== text) return NO_ITEMS
    const { people, channels } = answer.found
    return [
      ...channels.filter(({ name }) => name !== '').map((one) => conversation(one.cid, cleanName(one.name), one)),
      ...people.filter(({ id }) => id !== me).map(person),
    ]
  }, [answer, text, me])
}
