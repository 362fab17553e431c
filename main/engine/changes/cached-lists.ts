import type { Window } from '#shared/domain/changes.ts'
import type { ListView, Shown } from './windows.ts'
import type { Gathered } from './tx.ts'

/**
 * Closed lists whose rows the window's replica still holds, so that going back paints at once. A cached list is always
 * exactly up to date or not cached at all: the first change of anything in it removes it from the replica, and nothing
 * about it crosses the bridge after that. Source: ADR 15.
 */
export type CachedLists = Map<ListView['key'], Shown>

/** Number of conversations that a user switches between; the one closed first is evicted first. */
export const CACHED_LISTS = 10

/** Messages of all cached lists together. */
const CACHED_MESSAGES = 1_500

type Interest = {
  readonly lists: CachedLists
  readonly cached: CachedLists
  readonly dirty: ReadonlySet<string>
  readonly pollByMessage: ReadonlyMap<string, string>
}

/** Nothing about the list is pending, and the replica has its current content. */
export const mayCache = ({ dirty }: Interest, { view, window }: Shown): boolean =>
  !dirty.has(view.key) && isQuiet(window)

const isQuiet = ({ loading, error }: Window): boolean => loading === 'none' && error === undefined

/** Moves a closed list to the cache. Returns the lists that are evicted. */
export function cacheList({ lists, cached }: Interest, shown: Shown): readonly ListView['key'][] {
  lists.delete(shown.view.key)
  cached.set(shown.view.key, shown)
  let held = [...cached.values()].reduce((sum, { window }) => sum + window.ids.length, 0)
  const evicted: ListView['key'][] = []
  for (const [key, { window }] of cached) {
    if (cached.size <= CACHED_LISTS && held <= CACHED_MESSAGES) break
    cached.delete(key)
    held -= window.ids.length
    evicted.push(key)
  }
  return evicted
}

/** Removes cached lists that changed; returns their keys. */
export function dropTouched(interest: Interest, gathered: Gathered): readonly ListView['key'][] {
  if (interest.cached.size === 0) return []
  const stale = [...interest.cached.values()].filter((shown) => isTouched(interest, shown, gathered))
  return stale.map(({ view }) => {
    interest.cached.delete(view.key)
    return view.key
  })
}

function isTouched({ pollByMessage }: Interest, { view, window }: Shown, { windows, entities }: Gathered): boolean {
  const messages = entities.get('messages')
  const polls = entities.get('polls')
  const lead = view.parentId
  return (
    windows.has(view.key) ||
    (lead === undefined ? entities.get('reads')?.has(view.cid) : messages?.has(lead)) === true ||
    (messages !== undefined && window.ids.some((id) => messages.has(id))) ||
    (polls !== undefined && window.ids.some((id) => polls.has(pollByMessage.get(id) ?? '')))
  )
}
