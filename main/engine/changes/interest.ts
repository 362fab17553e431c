import type { ChangeSet, EntityMap, EntityName, Grown, Window, WindowKey } from '#shared/domain/changes.ts'
import { isSameWindow } from '#shared/rules/messages/message-ranges.ts'
import type { Message, Placed } from '#shared/domain/message.ts'
import { asCid, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { isForLater } from '#shared/rules/messages/predict.ts'
import type { Touched } from '#main/cache/store.ts'
import * as meta from '#main/cache/meta.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import type { ReadContext } from './memory.ts'
import { showList, type ListView, type Shown } from './windows.ts'
import { laterOrder } from './visible.ts'
import { visibleMessage, isUnsent } from './visible-message.ts'
import { listedThreads } from '../features/threads/inbox.ts'

/** Tables that every window holds completely. Messages, polls and reads depend on its open lists. */
const ALWAYS_ON = [
  'users',
  'channels',
  'typing',
  'drafts',
  'draftRevisions',
  'outbox',
  'uploads',
  'reminders',
  'emoji',
  'emojiTerms',
  'inbox',
  'manage',
  'notices',
  'session',
  'connection',
  'settings',
] as const satisfies readonly EntityName[]

/** Reads what is visible now; results are shared by all windows of one flush. */
export type Lookup = <Name extends EntityName>(name: Name, key: string) => EntityMap[Name] | undefined

type Put = { [Name in EntityName]?: Record<string, EntityMap[Name]> }
type Del = Partial<Record<EntityName, string[]>>
type Plain = { readonly window: Window; readonly loading: Window['loading']; readonly error?: string }

/** A change-set that is being built. */
type Draft = {
  readonly put: Put
  readonly del: Del
  readonly windows: Window[]
  readonly grown: Grown[]
  readonly closed: WindowKey[]
}

export const emptyDraft = (): Draft => ({ put: {}, del: {}, windows: [], grown: [], closed: [] })

export function note<Name extends EntityName>(
  draft: Draft,
  name: Name,
  key: string,
  value: EntityMap[Name] | undefined,
): void {
  if (value === undefined) {
    const removed: Del = draft.del
    removed[name] = [...(removed[name] ?? []), key]
    return
  }
  const table: Record<string, EntityMap[Name]> = draft.put[name] ?? {}
  table[key] = value
  draft.put[name] = table as Put[Name]
}

const isEmptyDraft = ({ put, del, windows, grown, closed }: Draft): boolean =>
  [put, del].every((tables) => Object.keys(tables).length === 0) &&
  [windows, grown, closed].every((list) => list.length === 0)

/** What one window shows, and which rows its replica holds because of that. */
export type Interest = {
  rev: number
  readonly lists: Map<ListView['key'], Shown>
  /** Closed lists that are still up to date. */
  readonly cached: CachedLists
  /** The latest navigation of each open list; results of earlier ones are dropped. */
  readonly navigations: Map<ListView['key'], symbol>
  readonly plain: Map<WindowKey, Plain>
  /** Lists to be read in the next flush although nothing was touched. */
  readonly dirty: Set<WindowKey>
  readonly closed: Set<WindowKey>
  messages: Set<string>
  readonly pollByMessage: Map<string, string>
  polls: ReadonlySet<string>
  reads: ReadonlySet<string>
}

export const createInterest = (): Interest => ({
  rev: 1,
  lists: new Map(),
  cached: new Map(),
  navigations: new Map(),
  plain: new Map(),
  dirty: new Set(),
  closed: new Set(),
  messages: new Set(),
  pollByMessage: new Map(),
  polls: new Set(),
  reads: new Set(),
})

/** Updates the lists and returns the change-set for this client. */
export function collect(
  context: ReadContext,
  interest: Interest,
  gathered: Gathered,
  lookup: Lookup,
): ChangeSet | undefined {
  const draft = emptyDraft()
  for (const key of dropTouched(interest, gathered)) interest.closed.add(key)
  for (const name of ALWAYS_ON) {
    for (const key of gathered.entities.get(name) ?? []) note(draft, name, key, lookup(name, key))
  }
  const change = refreshWindows(context, interest, gathered, draft)
  if (change.moved || isThreadTouched(interest, gathered)) followLists(interest, gathered, lookup, draft)
  else followTouched(interest, gathered, lookup, draft, change.added)
  followPolls(interest, gathered, lookup, draft)
  if (isEmptyDraft(draft)) return undefined
  interest.rev += 1
  return { rev: interest.rev, ...draft }
}

/** `added`: lists only got these messages at their ends; `moved`: any other change of them, or of what is open. */
type ListChange = { readonly moved: boolean; readonly added: readonly string[] }

function refreshWindows(context: ReadContext, interest: Interest, gathered: Gathered, draft: Draft): ListChange {
  const added: string[] = []
  let moved = interest.closed.size > 0
  for (const [key, shown] of interest.lists) {
    if (!gathered.windows.has(key) && !interest.dirty.has(key)) continue
    const next = showList(context.cache, shown.view, unsentKeys(context, shown.view))
    interest.lists.set(key, next)
    if (isSameWindow(shown.window, next.window) && !interest.dirty.has(key)) continue
    if (interest.dirty.has(key) || !isGrown(shown.window, next.window)) {
      draft.windows.push(next.window)
      moved = true
      continue
    }
    const { ids, ...rest } = next.window
    const more = ids.slice(shown.window.ids.length)
    draft.grown.push({ ...rest, more })
    added.push(...more)
  }
  for (const [key, plain] of interest.plain) {
    if (!gathered.windows.has(key) && !interest.dirty.has(key)) continue
    const window = showPlain(context, key, plain.loading, plain.error)
    interest.plain.set(key, { ...plain, window })
    if (isSameWindow(plain.window, window) && !interest.dirty.has(key)) continue
    draft.windows.push(window)
    // Nearly every message moves its channel up, and the list of channels contains no messages.
    if (key !== 'channels') moved = true
  }
  draft.closed.push(...interest.closed)
  interest.dirty.clear()
  interest.closed.clear()
  return { moved, added }
}

const isGrown = ({ ids: before }: Window, { ids: now }: Window): boolean =>
  now.length >= before.length && before.every((id, index) => id === now[index])

/** A listed thread may have a new latest reply in the same position of the list. */
function isThreadTouched({ plain }: Interest, gathered: Gathered): boolean {
  const touched = gathered.entities.get('messages')
  return touched !== undefined && (plain.get('threads')?.window.ids.some((id) => touched.has(id)) ?? false)
}

/** No list has lost anything: only rows that the replica already has may have changed, and `added` are new to it. */
function followTouched(
  interest: Interest,
  gathered: Gathered,
  lookup: Lookup,
  draft: Draft,
  added: readonly string[],
): void {
  const touched = gathered.entities.get('messages')
  for (const id of added) {
    if (!interest.messages.has(id) && touched?.has(id) !== true) note(draft, 'messages', id, lookup('messages', id))
    interest.messages.add(id)
  }
  for (const name of ['messages', 'reads'] as const) {
    for (const key of gathered.entities.get(name) ?? []) {
      if (interest[name].has(key)) note(draft, name, key, lookup(name, key))
    }
  }
}

/** Messages, polls and reads depend on the lists: the replica drops rows that are in no list anymore. */
function followLists(interest: Interest, gathered: Gathered, lookup: Lookup, draft: Draft): void {
  const messages = new Set<string>()
  const reads = new Set<string>()
  for (const { view, window } of [...interest.lists.values(), ...interest.cached.values()]) {
    for (const id of window.ids) messages.add(id)
    if (view.parentId === undefined) reads.add(view.cid)
    else messages.add(view.parentId)
  }
  for (const [key, { window }] of interest.plain) {
    if (key.startsWith('pinned:') || key === 'later' || key === 'threads') for (const id of window.ids) messages.add(id)
    if (key !== 'threads') continue
    for (const id of window.ids) {
      const reply = lookup('messages', id)?.thread?.lastReplyId
      if (reply !== undefined) messages.add(reply)
    }
  }
  interest.messages = follow('messages', interest.messages, messages, gathered, lookup, draft)
  interest.reads = follow('reads', interest.reads, reads, gathered, lookup, draft)
}

/** Polls depend on the messages that contain them. */
function followPolls(interest: Interest, gathered: Gathered, lookup: Lookup, draft: Draft): void {
  for (const id of draft.del.messages ?? []) interest.pollByMessage.delete(id)
  for (const [id, { pollId }] of Object.entries(draft.put.messages ?? {})) {
    if (pollId === undefined) interest.pollByMessage.delete(id)
    else interest.pollByMessage.set(id, pollId)
  }
  const polls = new Set(interest.pollByMessage.values())
  interest.polls = follow('polls', interest.polls, polls, gathered, lookup, draft)
}

function follow(
  name: 'messages' | 'polls' | 'reads',
  before: ReadonlySet<string>,
  now: Set<string>,
  gathered: Gathered,
  lookup: Lookup,
  draft: Draft,
): Set<string> {
  const touched = gathered.entities.get(name)
  for (const key of now) if (!before.has(key) || touched?.has(key)) note(draft, name, key, lookup(name, key))
  for (const key of before) if (!now.has(key)) note(draft, name, key, undefined)
  return now
}

/**
 * Closed lists whose rows the window's replica still holds, so that going back paints at once. A cached list is always
 * exactly up to date or not cached at all: the first change of anything in it removes it from the replica, and nothing
 * about it crosses the bridge after that. Source: ADR 15.
 */
type CachedLists = Map<ListView['key'], Shown>

/** Number of conversations that a user switches between; the one closed first is evicted first. */
export const CACHED_LISTS = 10

/** Messages of all cached lists together. */
const CACHED_MESSAGES = 1_500

type Lists = Pick<Interest, 'lists' | 'cached' | 'dirty' | 'pollByMessage'>

/** Nothing about the list is pending, and the replica has its current content. */
export const mayCache = ({ dirty }: Lists, { view, window }: Shown): boolean => !dirty.has(view.key) && isQuiet(window)

const isQuiet = ({ loading, error }: Window): boolean => loading === 'none' && error === undefined

/** Moves a closed list to the cache. Returns the lists that are evicted. */
export function cacheList({ lists, cached }: Lists, shown: Shown): readonly ListView['key'][] {
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
function dropTouched(interest: Lists, gathered: Gathered): readonly ListView['key'][] {
  if (interest.cached.size === 0) return []
  const stale = [...interest.cached.values()].filter((shown) => isTouched(interest, shown, gathered))
  return stale.map(({ view }) => {
    interest.cached.delete(view.key)
    return view.key
  })
}

function isTouched({ pollByMessage }: Lists, { view, window }: Shown, { windows, entities }: Gathered): boolean {
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

/** Keys touched since the last flush, by transactions and by state in memory. */
type Gathered = {
  readonly entities: Map<EntityName, Set<string>>
  readonly windows: Set<WindowKey>
}

export const nothingGathered = (): Gathered => ({ entities: new Map(), windows: new Set() })

export function gather(into: Gathered, touched: Touched): void {
  for (const [entity, keys] of touched.entities) for (const key of keys) gatherKey(into, entity, key)
  for (const key of touched.windows) into.windows.add(key)
}

export function gatherKey(into: Gathered, entity: EntityName, key: string): void {
  const known = into.entities.get(entity)
  if (known) known.add(key)
  else into.entities.set(entity, new Set([key]))
}

export const isNothing = (gathered: Gathered): boolean => gathered.entities.size === 0 && gathered.windows.size === 0

/** Lists without paging. */
export function showPlain(context: ReadContext, key: WindowKey, loading: Window['loading'], error?: string): Window {
  return {
    key,
    ids: plainIds(context, key),
    hasPrev: false,
    hasNext: key === 'threads' && context.memory.hasMoreThreads,
    loading,
    gapsBefore: [],
    unanswered: isAnswered(context, key) ? undefined : true,
    ...(error === undefined ? {} : { error }),
  }
}

function isAnswered({ cache }: ReadContext, key: WindowKey): boolean {
  if (key === 'outbox') return true
  if (!key.startsWith('pinned:')) return meta.hasAnswered(cache, key)
  return meta.hasAnswered(cache, key) || ranges.of(cache, `timeline:${key.slice('pinned:'.length)}`).length > 0
}

function plainIds(context: ReadContext, key: WindowKey): readonly string[] {
  if (key === 'channels') return sidebarOrder(context)
  if (key === 'outbox') return context.outbox.all().map((intent) => intent.id)
  if (key === 'later') return laterOrder(context)
  if (key === 'threads') return threadOrder(context)
  return pinnedOrder(context, asCid(key.slice('pinned:'.length)))
}

/**
 * In the server's order, unread first and then by the newest reply. Threads that are only followed manually are inserted
 * in that order. A thread whose first message was removed or is not cached cannot be shown.
 */
function threadOrder(context: ReadContext): readonly string[] {
  const found = (id: MessageId): readonly Message[] =>
    [visibleMessage(context, id)].filter((each) => each !== undefined)
  const listed = listedThreads(context.cache).flatMap(({ parentId }) => found(parentId))
  const ids = new Set(listed.map((message) => message.id))
  const extra = [...follows.all(context.pending).values()]
    .filter(({ parentId, follows: isFollowed }) => isFollowed && !ids.has(parentId))
    .flatMap(({ parentId }) => found(parentId))
    .filter(({ thread, cid }) => thread !== undefined && channels.byCid(context.cache, cid) !== undefined)
  const order = [...listed]
  for (const message of extra.toSorted(byActivity)) {
    const at = order.findIndex((other) => byActivity(message, other) < 0)
    order.splice(at === -1 ? order.length : at, 0, message)
  }
  return order.map((message) => message.id)
}

function byActivity({ thread: a }: Message, { thread: b }: Message): number {
  const unreadFirst = Number((b?.unread ?? 0) > 0) - Number((a?.unread ?? 0) > 0)
  return unreadFirst || (b?.lastReplyAt ?? 0) - (a?.lastReplyAt ?? 0)
}

/**
 * Pinned channels first (newest pin on top), then by the newest message, without archived ones. As in
 * `rules/channels`.
 */
function sidebarOrder({ cache }: ReadContext): readonly Cid[] {
  const own = new Map(ownPlaces(cache).map((place) => [place.cid, place]))
  const all = channels.listedCids(cache)
  if (own.size === 0) return all
  const listed = all.filter((cid) => own.get(cid)?.archivedAt === undefined)
  const pinnedAt = (cid: Cid): number => own.get(cid)?.pinnedAt ?? 0
  return listed.toSorted((a, b) => pinnedAt(b) - pinnedAt(a))
}

/** Newest pin first, pending pins included. */
function pinnedOrder(context: ReadContext, cid: Cid): readonly string[] {
  const pending = context.outbox.in(cid).filter((intent) => intent.kind === 'pin-message')
  const facts = messages.pinnedIds(context.cache, cid)
  if (pending.length === 0) return facts
  const ids = new Set<string>([...pending.flatMap((intent) => intent.messageId ?? []), ...facts])
  return [...ids]
    .map((id) => visibleMessage(context, id as Parameters<typeof visibleMessage>[1]))
    .filter((message) => message?.pinned === true)
    .toSorted((a, b) => (b?.pinnedAt ?? 0) - (a?.pinnedAt ?? 0))
    .map((message) => message?.id ?? '')
}

/** Own messages of a list that are only intents so far, in the order they were written. */
export function unsentKeys(context: ReadContext, view: ListView): readonly Placed[] {
  const isThread = view.parentId !== undefined
  return context.outbox.sends(view.cid).flatMap((intent) => {
    const belongs = isThread
      ? intent.parentId === view.parentId
      : intent.parentId === undefined || intent.payload.showInChannel
    if (!belongs || isForLater(intent) || !isUnsent(context, intent)) return []
    return [{ createdAt: intent.payload.placedAt, id: intent.messageId ?? intent.id }]
  })
}
