import type { Cid, UserId } from '#shared/lib/brand.ts'
import { asCid } from '#shared/lib/brand.ts'
import { useAppSelector, useMe } from '../../store/hooks.ts'
import type { SwitcherAction } from './Switcher.tsx'
import { filterRanked } from './search.ts'
import { channelTitle, selectConversationOrder } from './selectors.ts'

export type SwitcherItem =
  | { readonly kind: 'channel'; readonly id: string; readonly name: string; readonly cid: Cid }
  | { readonly kind: 'person'; readonly id: string; readonly name: string; readonly userId: UserId }
  | {
      readonly kind: 'action'
      readonly id: string
      readonly name: string
      readonly keys: readonly string[]
      readonly run: () => void
    }

export type SwitcherGroup = { readonly name: 'places' | 'recent' | 'actions'; readonly items: readonly SwitcherItem[] }

const PLACES = 12
const RECENT = 6

/** What answers the query, in groups. Without one: recent places and nothing else. */
export function useSwitcherItems(query: string, actions: readonly SwitcherAction[]): readonly SwitcherGroup[] {
  const places = usePlaces()
  const recent = useAppSelector((state) => state.ui.back)
  const prefix = /^[#@>]/.exec(query)?.[0]
  const words = prefix === undefined ? query.trim() : query.slice(1).trim()
  const actionItems = actions.map((action): SwitcherItem => ({
    kind: 'action',
    id: `action-${action.id}`,
    name: action.label,
    keys: action.keys,
    run: action.run,
  }))
  if (query === '') {
    const seen = recent.toReversed().flatMap((route) => (route.view === 'channel' ? [route.cid] : []))
    const known = [...new Set(seen)].flatMap(
      (cid) => places.find((item) => item.kind === 'channel' && item.cid === cid) ?? [],
    )
    const rest = places.filter((item) => item.kind === 'channel' && !known.includes(item))
    return [{ name: 'recent', items: [...known, ...rest].slice(0, RECENT) }]
  }
  const wanted = places.filter((item) => prefix === undefined || item.kind === (prefix === '#' ? 'channel' : 'person'))
  const found = prefix === '>' ? [] : filterRanked(wanted, words, (item) => item.name).slice(0, PLACES)
  const offered = prefix === undefined || prefix === '>' ? filterRanked(actionItems, words, (item) => item.name) : []
  const groups: readonly SwitcherGroup[] = [
    { name: 'places', items: found },
    { name: 'actions', items: offered.slice(0, prefix === '>' ? 30 : 4) },
  ]
  return groups.filter((group) => group.items.length > 0)
}

/** Conversations in sidebar order, then people one has no conversation with yet. */
function usePlaces(): readonly SwitcherItem[] {
  const order = useAppSelector(selectConversationOrder)
  const users = useAppSelector((state) => state.entities.users)
  const channels = useAppSelector((state) => state.entities.channels)
  const me = useMe()
  const titles = useAppSelector((state) => order.map((cid) => channelTitle(state, cid)).join('\n')).split('\n')
  const direct = new Set(order.map((cid) => channels[cid]?.directUserId))
  const conversations = order.map((cid, at): SwitcherItem => ({
    kind: 'channel',
    id: `channel-${cid}`,
    name: titles[at] ?? '',
    cid: asCid(cid),
  }))
  const people = Object.values(users)
    .filter((user) => user.id !== me?.id && !direct.has(user.id))
    .map((user): SwitcherItem => ({ kind: 'person', id: `person-${user.id}`, name: user.name, userId: user.id }))
  return [...conversations, ...people]
}
