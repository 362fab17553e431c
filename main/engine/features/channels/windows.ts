import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import { INITIAL_MESSAGE_PAGE, MESSAGE_PAGE, REPLY_PAGE } from '#shared/constants.ts'
import { isWholeSince, type PageQuery } from '#shared/rules/messages/message-ranges.ts'
import type { MessageRow } from '#main/cache/rows.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as unreads from '#main/cache/channels/unread.ts'
import * as messages from '#main/cache/messages/messages.ts'
import {
  viewAround,
  grownNewer,
  grownOlder,
  newestView,
  OPENING,
  type ListView,
  type Shown,
} from '../../changes/windows.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { readStateHeld } from '../../changes/visible.ts'
import type { ClientId } from '../../context.ts'
import { type Core, type Recovery, type Timelines, requireConnection } from '../../core.ts'
import { refreshThread, refreshTimeline } from '../../sync/recover.ts'
import { fetchChannel, fetchMessage, fetchReplies } from './fetch.ts'

/** Cached messages added at once while paging: a smaller page would save no request. */
const CACHED_PAGE = 50

type Place = { readonly cid: Cid; readonly parentId?: MessageId }

const keyOf = ({ cid, parentId }: Place): ListView['key'] =>
  parentId === undefined ? `timeline:${cid}` : `thread:${parentId}`

/** Target of a list; see `aim` of the bridge. */
type Aim = {
  readonly around?: MessageId
  readonly at?: number
  readonly unread?: true
  readonly visit?: number
}

type Parts = Recovery & Pick<Core, 'context' | 'log' | 'outbox' | 'serverNow'>

/**
 * Opens a list or navigates in it: all ways to a place in a list end here. The last call wins; one that is still loading
 * then, or whose list was closed, changes nothing. Returns the message that the list is at.
 */
export async function openList(core: Parts, client: ClientId, place: Place, aim: Aim): Promise<MessageId | null> {
  const isWanted = core.collector.navigate(client, keyOf(place))
  const isAimed = aim.around !== undefined || aim.at !== undefined
  const target = isAimed ? await locate(core, place, aim) : aim.unread ? await locateUnread(core, place) : undefined
  if (!isWanted()) return null
  if (target !== undefined) return aimAt(core, client, place, target, aim.visit)
  showNewest(core, client, place)
  return null
}

/**
 * Shows the cache at once, before the call is answered; the network follows in the background. A list at the newest message
 * keeps its length.
 */
function showNewest(core: Parts, client: ClientId, place: Place): void {
  const key = keyOf(place)
  const held = core.collector.held(client, key)?.view ?? { key, ...place, loading: 'none' }
  core.collector.setList(client, held.to === undefined ? { ...held, landed: undefined } : newestView(held))
  core.collector.flush()
  refresh(core, place)
}

/** Fetches what a list that was just opened may have missed. */
function refresh(core: Parts, place: Place): void {
  if (!core.isHealthy()) {
    if (!isCached(core, place)) core.collector.setLoading(keyOf(place), 'none', 'network/offline')
  } else if (place.parentId !== undefined) {
    const { cid, parentId } = place
    refreshThread(core, cid, parentId)
  } else if (!core.watched.has(place.cid) || isShort(core, place.cid)) {
    refreshTimeline(core, place.cid)
  }
}

/** Whether something can be shown without a connection, even an empty channel. */
const isCached = (core: Pick<Core, 'cache' | 'context'>, { cid, parentId }: Place): boolean =>
  parentId === undefined
    ? channels.byCid(core.cache.reader, cid) !== undefined
    : visibleMessage(core.context, parentId) !== undefined

/** The newest range may not reach the newest message, or contains only the short page of the channel list. */
function isShort(core: Pick<Core, 'cache' | 'collector'>, cid: Cid): boolean {
  const latest = ranges.latest(core.cache.reader, `timeline:${cid}`)
  if (latest === undefined) return true
  return latest.hasPrev && core.collector.openLists().every((view) => view.cid !== cid || view.from === undefined)
}

type Target = {
  readonly placed: Placed
  /** An own message that the server does not know yet; it is among the newest. */
  readonly newest: boolean
  readonly unread?: 'first' | 'held'
}

/** Finds the message or the time and loads its neighbors. Rejects as {@link openList} does. */
async function locate(core: Parts, place: Place, { around, at = 0 }: Aim): Promise<Target> {
  if (around === undefined) return locateTime(core, place, at)
  const held = messages.byId(core.cache.reader, around)
  const intent = held === undefined ? core.outbox.byId(around) : undefined
  if (intent !== undefined) return { placed: { createdAt: core.serverNow(), id: around }, newest: true }
  let row: MessageRow
  try {
    if (held === undefined) requireConnection(core)
    row = held ?? (await fetchMessage(core, place.cid, around))
    if (row.cid !== place.cid) throw new AppError('message/elsewhere')
    if (row.type === 'deleted' && held === undefined) throw new AppError('message/gone')
  } catch (error) {
    if (at === 0 || !(error instanceof AppError) || !NOT_HERE.has(error.code)) throw error
    return locateTime(core, place, at)
  }
  // A reply that the channel does not show is found under its thread's first message.
  const lead = place.parentId === undefined && !row.showInChannel ? row.parentId : undefined
  if (lead !== undefined) return locate(core, place, { around: lead, at: row.createdAt })
  return locateMessage(core, place, { createdAt: row.createdAt, id: around })
}

const NOT_HERE: ReadonlySet<string> = new Set(['message/gone', 'message/elsewhere'])

async function locateMessage(core: Parts, place: Place, placed: Placed): Promise<Target> {
  if (ranges.at(core.cache.reader, keyOf(place), placed) === undefined && core.isHealthy()) {
    // The message itself is cached: without a connection it is shown with its cached neighbors.
    await unless(core, isNetwork, () => fetchPage(core, place, { kind: 'around', target: placed }))
  }
  return { placed, newest: false }
}

/** The first message at or after a time, else the last one before it; fetched if the cache has a gap there. */
async function locateTime(core: Recovery, place: Place, at: number): Promise<Target> {
  const scope = keyOf(place)
  const time: Placed = { createdAt: at, id: '' }
  const known = ranges.of(core.cache.reader, scope)
  const isBefore = known[0]?.hasPrev === false && at <= known[0].first.createdAt
  const isAfter = known.at(-1)?.hasNext === false && at >= (known.at(-1)?.last.createdAt ?? 0)
  if (ranges.at(core.cache.reader, scope, time) === undefined && !isBefore && !isAfter) {
    requireConnection(core)
    await fetchPage(core, place, { kind: 'around', target: time })
  }
  const [next] = pages.after(core.cache.reader, scope, time, 1)
  const found = next ?? pages.before(core.cache.reader, scope, time, 1)[0]
  return found === undefined ? { placed: time, newest: true } : { placed: found, newest: false }
}

type FirstUnread = {
  readonly lastReadAt: number
  /** Known to be the first, or named so by the server. */
  readonly firstId: MessageId | undefined
  readonly heldId: MessageId | undefined
}

/**
 * The first unread message. If earlier ones may be missing, the page around the read mark is fetched; without a connection
 * it is the first cached one. `undefined` if nothing is unread, or nothing unread is available.
 */
async function locateUnread(core: Parts, place: Place): Promise<Target | undefined> {
  let found = firstUnread(core, place)
  if (found !== undefined && found.firstId === undefined && core.isHealthy()) {
    const time = { createdAt: Math.max(0, found.lastReadAt), id: '' }
    await unless(core, isAny, () => fetchPage(core, place, { kind: 'around', target: time }))
    found = firstUnread(core, place)
  }
  if (found === undefined) return undefined
  const { lastReadAt, firstId, heldId } = found
  const first = firstId ?? afterMark(core, place, lastReadAt)
  if (first !== undefined) {
    const target = await unless(core, isAny, () => locate(core, place, { around: first, at: lastReadAt }))
    if (target !== undefined) return { ...target, unread: 'first' }
  }
  if (heldId === undefined) return undefined
  return { ...(await locate(core, place, { around: heldId })), unread: 'held' }
}

/** What follows the mark where nothing is missing between: what is unread comes after that. */
function afterMark(core: Pick<Core, 'cache'>, place: Place, since: number): MessageId | undefined {
  const scope = keyOf(place)
  const [next] = pages.after(core.cache.reader, scope, { createdAt: since, id: '\u{10FFFF}' }, 1)
  const isNext = next !== undefined && isWholeSince(ranges.of(core.cache.reader, scope), since, next)
  return isNext ? asMessageId(next.id) : undefined
}

function firstUnread(
  { context, cache }: Pick<Core, 'cache' | 'context'>,
  { cid, parentId }: Place,
): FirstUnread | undefined {
  if (parentId === undefined) {
    const { state, firstHeldId } = readStateHeld(context, cid)
    const { unread, lastReadAt = 0, firstUnreadId } = state
    return unread === 0 ? undefined : { lastReadAt, firstId: firstUnreadId, heldId: firstHeldId }
  }
  const { unread = 0, lastReadAt } = visibleMessage(context, parentId)?.thread ?? {}
  if (unread === 0 || lastReadAt === undefined) return undefined
  const { firstId, isFirst } = unreads.firstOfThread(cache.reader, cid, parentId, context.now(), lastReadAt)
  return { lastReadAt, firstId: isFirst ? firstId : undefined, heldId: firstId }
}

/** `undefined` if it failed for an expected reason: then the cache is shown. */
async function unless<Value>(
  core: Pick<Core, 'log'>,
  mayFail: (error: AppError) => boolean,
  ask: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || !mayFail(error)) throw error
    core.log('windows').info('not-loaded', { code: error.code })
    return undefined
  }
}

const isNetwork = ({ code }: AppError): boolean => code.startsWith('network/')
/** Whatever the reason that the first unread message is missing: the newest page in its place would be marked as read unnoticed. */
const isAny = (): boolean => true

/** Moves the list to what was found; a list that shows it already keeps its content. */
function aimAt(
  core: Parts,
  client: ClientId,
  place: Place,
  { placed, newest, unread }: Target,
  visit: number | undefined,
): MessageId | null {
  const key = keyOf(place)
  const isNew = core.collector.list(client, key) === undefined
  const held = core.collector.held(client, key)
  const view: ListView = held?.view ?? { key, ...place, loading: 'none' }
  const isShown = held?.window.ids.includes(placed.id) === true && held.window.gapsBefore.length === 0
  const aimed = isShown
    ? view
    : newest
      ? newestView(view)
      : { ...viewAround(core.cache.reader, view, placed, OPENING), loading: 'none' as const }
  const { keys } = core.collector.setList(client, { ...aimed, landed: undefined })
  const id = nearest(keys, placed)
  if (visit !== undefined) core.collector.setList(client, { ...aimed, landed: { visit, id, unread } })
  if (isNew) refresh(core, place)
  return id
}

/** The message itself; if the list does not show it, the first one after it, else the last before. */
function nearest(keys: readonly Placed[], placed: Placed): MessageId | null {
  const found = keys.find(({ id }) => id === placed.id) ?? keys.find((key) => comparePlaced(key, placed) >= 0)
  const key = found ?? keys.at(-1)
  return key === undefined ? null : asMessageId(key.id)
}

/** Extends the list by a page: from the cache if nothing is missing, else from the server. */
export async function pageList(
  core: Recovery,
  client: ClientId,
  place: Place,
  direction: 'older' | 'newer',
): Promise<void> {
  const key = keyOf(place)
  const shown = core.collector.list(client, key)
  if (shown === undefined || shown.view.loading !== 'none') return
  if (grow(core, client, shown, direction)) return
  const cursor = edgeFact(core, shown, direction)
  const hasMore = direction === 'older' ? shown.window.hasPrev : shown.window.hasNext
  if (!hasMore || cursor === undefined || !core.isHealthy()) return
  core.collector.setLoading(key, direction)
  try {
    await fetchPage(core, place, { kind: direction, cursor })
  } finally {
    core.collector.setLoading(key, 'none')
  }
  const now = core.collector.list(client, key)
  // The list has moved meanwhile: the page belongs to a place that is no longer shown.
  if (now !== undefined && now.keys.some(({ id }) => id === cursor.id)) grow(core, client, now, direction)
}

function grow(
  core: Pick<Core, 'cache' | 'collector'>,
  client: ClientId,
  shown: Shown,
  direction: 'older' | 'newer',
): boolean {
  const take = direction === 'older' ? grownOlder : grownNewer
  // A list may be shorter than what is cached by now: it is filled up to what it would open with.
  const grown = take(core.cache.reader, shown, Math.max(CACHED_PAGE, OPENING - shown.keys.length))
  if (grown) core.collector.setList(client, grown)
  return grown !== undefined
}

/** The outermost message that the server knows: an unsent one cannot be a cursor. */
function edgeFact(core: Pick<Core, 'cache'>, { keys }: Shown, direction: 'older' | 'newer'): Placed | undefined {
  const isFact = (key: Placed): boolean => messages.byId(core.cache.reader, key.id) !== undefined
  return direction === 'older' ? keys.find(isFact) : keys.findLast(isFact)
}

const fetchPage = (core: Timelines, { cid, parentId }: Place, query: PageQuery): Promise<void> =>
  parentId === undefined
    ? fetchChannel(core, cid, query, query.kind === 'around' ? INITIAL_MESSAGE_PAGE : MESSAGE_PAGE)
    : fetchReplies(core, { cid, parentId }, query, REPLY_PAGE)
