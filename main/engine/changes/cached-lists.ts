import type { Window } from '#shared/domain/changes.ts'
import type { ListView, Shown } from './windows.ts'
import type { Gathered } from './tx.ts'

/**
 * Lists a window of the screen has left, whose rows its replica still holds, so that going back paints at once. The
 * promise is that such a list is exactly true or not held at all: the first touch of anything in it takes it out of the
 * replica with one word, and nothing of it crosses the bridge after that. Source: ADR 15.
 */
export type CachedLists = Map<ListView['key'], Shown>

/** As many conversations as a person goes back and forth between; the one that was left first goes first. */
export const RESTING_LISTS = 10

/** What all of them may hold together. */
const RESTING_MESSAGES = 1_500

type Interest = {
  readonly lists: CachedLists
  readonly cached: CachedLists
  readonly dirty: ReadonlySet<string>
  readonly pollByMessage: ReadonlyMap<string, string>
}

/** Nothing is on its way to it, and the replica has been told what it holds. */
export const mayCache = ({ dirty }: Interest, { view, window }: Shown): boolean =>
  !dirty.has(view.key) && isQuiet(window)

const isQuiet = ({ loading, error }: Window): boolean => loading === 'none' && error === undefined

/** Answers the lists that have to go because of it. */
export function cacheList({ lists, cached }: Interest, shown: Shown): readonly ListView['key'][] {
  lists.delete(shown.view.key)
  cached.set(shown.view.key, shown)
  let held = [...cached.values()].reduce((sum, { window }) => sum + window.ids.length, 0)
  const tired: ListView['key'][] = []
  for (const [key, { window }] of cached) {
    if (cached.size <= RESTING_LISTS && held <= RESTING_MESSAGES) break
    cached.delete(key)
    held -= window.ids.length
    tired.push(key)
  }
  return tired
}

/** Lets go of what is no longer true; answers the keys. */
export function forget(interest: Interest, gathered: Gathered): readonly ListView['key'][] {
  if (interest.cached.size === 0) return []
  const gone = [...interest.cached.values()].filter((shown) => isTouched(interest, shown, gathered))
  return gone.map(({ view }) => {
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
