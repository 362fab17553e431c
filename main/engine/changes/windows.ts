import type { Window } from '#shared/domain/changes.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import { gapsBefore, rangeAt } from '#shared/rules/messages/message-ranges.ts'
import { WINDOW_LIMIT } from '#shared/constants.ts'
import type { RangeRow, RangeScope } from '#main/cache/rows.ts'
import type { Reader } from '#main/cache/store.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as ends from '#main/cache/messages/ends.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'

/**
 * A timeline or thread as one window shows it: everything cached between two keys. Without `to` it follows the newest
 * message; without `from` it was just opened and takes the newest page.
 */
export type ListView = {
  readonly key: `timeline:${string}` | `thread:${string}`
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly from?: Placed
  readonly to?: Placed
  /** First key shown so far while there is no `from`: visible messages stay when many arrive at once. */
  readonly seen?: Placed
  readonly loading: Window['loading']
  readonly error?: string
  readonly landed?: Window['landed']
}

/** A view with its current content: the keys are for paging, the window is for the screen. */
export type Shown = { readonly view: ListView; readonly keys: readonly Placed[]; readonly window: Window }

/** Messages read from the cache when a list opens. */
export const OPENING = 100

/**
 * Reads a view again. Never patched: it always shows what is in the cache and the outbox. The cache remembers the end of
 * a list, so that a message that comes last costs no reading of those before it.
 *
 * @param unsent own messages of this list that have no fact yet
 */
export function showList(reader: Reader, view: ListView, unsent: readonly Placed[]): Shown {
  const facts = factKeys(reader, view)
  const mine = unsent.filter((key) => view.to === undefined || isBetween(key, view.from, view.to))
  const all = mine.length === 0 ? facts : [...facts, ...mine].toSorted(comparePlaced)
  const keys = all.length > WINDOW_LIMIT ? all.slice(-WINDOW_LIMIT) : all
  const isFull = facts.length >= OPENING && view.to === undefined
  const from = keys.length < all.length ? keys[0] : (view.from ?? (isFull ? facts[0] : undefined))
  const known = ranges.of(reader, view.key)
  const shownFacts =
    facts.length > 0 && keys.length < all.length ? facts.filter((key) => isBetween(key, from, pages.END)) : facts
  const seen = view.seen ?? (from === undefined && view.to === undefined ? facts[0] : undefined)
  return {
    view: from === view.from && seen === view.seen ? view : { ...view, from, seen },
    keys,
    window: {
      key: view.key,
      ids: keys.map((key) => key.id),
      hasPrev: hasOlder(reader, view.key, shownFacts[0], known),
      hasNext: view.to !== undefined && hasNewer(reader, view.key, shownFacts.at(-1) ?? view.to, known),
      loading: view.loading,
      gapsBefore: gapsIn(reader, shownFacts, known),
      unanswered:
        keys.length > 0 || known.length > 0 || view.parentId !== undefined || isBlocked(reader, view.cid)
          ? undefined
          : true,
      ...(view.error === undefined ? {} : { error: view.error }),
      landed: view.landed,
    },
  }
}

/** Messages stored alone (pinned, found, quoted) do not start the newest page. */
function withoutStrays(keys: readonly Placed[], known: Known): readonly Placed[] {
  const first = keys.findIndex((key) => rangeAt(known, key) !== undefined)
  return first > 0 ? keys.slice(first) : keys
}

/** Nothing of a blocked channel is shown, even if it is cached. */
const isBlocked = (reader: Reader, cid: Cid): boolean => channels.byCid(reader, cid)?.blocked === true

function factKeys(reader: Reader, view: ListView): readonly Placed[] {
  if (view.from === undefined && view.to === undefined) {
    const newest = withoutStrays(ends.newest(reader, view.key, OPENING), ranges.of(reader, view.key))
    const first = newest[0]
    if (view.seen === undefined || first === undefined || comparePlaced(first, view.seen) <= 0) return newest
    return ends.since(reader, view.key, view.seen)
  }
  if (view.from !== undefined && view.to === undefined) return ends.since(reader, view.key, view.from)
  return pages.between(reader, view.key, view.from ?? pages.BEGINNING, view.to ?? pages.END)
}

type Known = readonly RangeRow[]

/** Messages that the server never had are in none of its pages: no gap is shown at them. */
function gapsIn(reader: Reader, facts: readonly Placed[], known: Known): readonly string[] {
  const gaps = gapsBefore(facts, known)
  if (gaps.length === 0) return gaps
  const own = messages.seenByNoOneElse(
    reader,
    facts.map(({ id }) => id),
  )
  return own.size === 0
    ? gaps
    : gapsBefore(
        facts.filter(({ id }) => !own.has(id)),
        known,
      )
}

function hasOlder(reader: Reader, scope: RangeScope, first: Placed | undefined, known: Known): boolean {
  if (first === undefined) return false
  return (rangeAt(known, first)?.hasPrev ?? true) || ends.hasBefore(reader, scope, first)
}

function hasNewer(reader: Reader, scope: RangeScope, last: Placed, known: Known): boolean {
  return (rangeAt(known, last)?.hasNext ?? true) || pages.after(reader, scope, last, 1).length > 0
}

const isBetween = (key: Placed, from: Placed | undefined, to: Placed): boolean =>
  (from === undefined || comparePlaced(from, key) <= 0) && comparePlaced(key, to) <= 0

/** Adds up to `limit` older messages that are cached without a gap; `undefined` if there are none. */
export function grownOlder(reader: Reader, { view, keys }: Shown, limit: number): ListView | undefined {
  const first = keys[0]
  if (first === undefined) return undefined
  const range = rangeAt(ranges.of(reader, view.key), first)
  if (range === undefined) return undefined
  const older = pages.before(reader, view.key, first, limit, range.first)
  if (older.length === 0) return undefined
  const all = [...older, ...keys]
  return all.length <= WINDOW_LIMIT
    ? { ...view, from: older[0] }
    : { ...view, from: older[0], to: all[WINDOW_LIMIT - 1] }
}

/** Adds up to `limit` newer ones; at the newest message the view follows it again. `undefined` if none are cached. */
export function grownNewer(reader: Reader, { view, keys }: Shown, limit: number): ListView | undefined {
  const last = keys.at(-1)
  if (last === undefined || view.to === undefined) return undefined
  const range = rangeAt(ranges.of(reader, view.key), last)
  if (range === undefined) return undefined
  const newer = pages.after(reader, view.key, last, limit, range.last)
  const end = newer.at(-1) ?? last
  const isNewest = !range.hasNext && comparePlaced(end, range.last) >= 0
  if (newer.length === 0 && !isNewest) return undefined
  const all = [...keys, ...newer]
  const from = all.length > WINDOW_LIMIT ? all.at(-WINDOW_LIMIT) : view.from
  return { ...view, from, to: isNewest ? undefined : end }
}

/** Moves the view around a cached message, within the range without gaps that contains it. */
export function viewAround(reader: Reader, view: ListView, at: Placed, limit: number): ListView {
  const range = rangeAt(ranges.of(reader, view.key), at)
  const keys = pages
    .around(reader, view.key, at, limit)
    .filter((key) => range === undefined || isBetween(key, range.first, range.last))
  const last = keys.at(-1)
  const isNewest = range !== undefined && !range.hasNext && last !== undefined && comparePlaced(last, range.last) >= 0
  return { ...view, from: keys[0] ?? at, to: isNewest ? undefined : (last ?? at) }
}

export const newestView = (view: ListView): ListView => ({
  ...view,
  from: undefined,
  to: undefined,
  seen: undefined,
  landed: undefined,
})
