import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Placed } from '#shared/lib/order.ts'
import { MESSAGE_PAGE, REPLY_PAGE } from '#shared/constants.ts'
import type { PageQuery } from '#shared/rules/windows.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as ranges from '#main/cache/tables/ranges.ts'
import * as messages from '#main/cache/tables/messages.ts'
import { aimedAt, grownNewer, grownOlder, newestView, type ListView, type Shown } from '../../changes/windows.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { ClientId } from '../../context.ts'
import type { Core } from '../../core.ts'
import { refreshThread, refreshTimeline } from '../../sync/recover.ts'
import { fetchChannel, fetchMessage, fetchReplies } from './fetch.ts'

/** Messages taken from the cache at once while paging: no request is saved by taking fewer. */
const CACHED_PAGE = 50

export type Place = { readonly cid: Cid; readonly parentId?: MessageId }

const keyOf = ({ cid, parentId }: Place): ListView['key'] =>
  parentId === undefined ? `timeline:${cid}` : `thread:${parentId}`

/** Shows what is held at once; the network follows in the background. An open window keeps its place. */
export function openList(core: Core, client: ClientId, place: Place): void {
  const key = keyOf(place)
  const held = core.collector.held(client, key)
  core.collector.setList(client, held?.view ?? { key, ...place, loading: 'none' })
  if (!core.isHealthy()) {
    if (!isHeld(core, place)) core.collector.setLoading(key, 'none', 'network/offline')
  } else if (place.parentId !== undefined) {
    const { cid, parentId } = place
    core.background('open-thread', () => refreshThread(core, cid, parentId))
  } else if (!core.watched.has(place.cid) || isShort(core, place.cid)) {
    core.background('open', () => refreshTimeline(core, place.cid))
  }
}

/** Something can be shown without a connection, be it an empty channel. */
const isHeld = (core: Core, { cid, parentId }: Place): boolean =>
  parentId === undefined
    ? channels.byCid(core.cache.reader, cid) !== undefined
    : visibleMessage(core.sight, parentId) !== undefined

/** The newest stretch is known not to reach the newest message, or came only as the short page of the list. */
function isShort(core: Core, cid: Cid): boolean {
  const latest = ranges.latest(core.cache.reader, `timeline:${cid}`)
  if (latest === undefined) return true
  return latest.hasPrev && core.collector.openLists().every((view) => view.cid !== cid || view.from === undefined)
}

/** Puts the window around a message, asking for it first where it is not held. Throws `message/gone`. */
export async function openAround(core: Core, client: ClientId, place: Place, id: MessageId): Promise<void> {
  const key = keyOf(place)
  const view: ListView = core.collector.held(client, key)?.view ?? { key, ...place, loading: 'none' }
  const held = messages.byId(core.cache.reader, id)
  const unsent = held === undefined && core.outbox.byId(id) !== undefined
  if (unsent) return void core.collector.setList(client, newestView(view))
  if (held === undefined && !core.isHealthy()) throw new AppError('network/offline')
  const row = held ?? (await fetchMessage(core, place.cid, id))
  if (row.type === 'deleted' && held === undefined) throw new AppError('message/gone')
  const target: Placed = { createdAt: row.createdAt, id }
  if (ranges.at(core.cache.reader, key, target) === undefined && core.isHealthy()) {
    await fetchPage(core, place, { kind: 'around', target })
  }
  core.collector.setList(client, { ...aimedAt(core.cache.reader, view, target, CACHED_PAGE), loading: 'none' })
}

/** Grows the window by a page: from the cache where nothing is missing, else from the server. */
export async function pageList(
  core: Core,
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
  if (now) grow(core, client, now, direction)
}

function grow(core: Core, client: ClientId, shown: Shown, direction: 'older' | 'newer'): boolean {
  const take = direction === 'older' ? grownOlder : grownNewer
  const grown = take(core.cache.reader, shown, CACHED_PAGE)
  if (grown) core.collector.setList(client, grown)
  return grown !== undefined
}

/** The outermost message that the server knows: an unsent one is no cursor. */
function edgeFact(core: Core, { keys }: Shown, direction: 'older' | 'newer'): Placed | undefined {
  const isFact = (key: Placed): boolean => messages.byId(core.cache.reader, key.id) !== undefined
  return direction === 'older' ? keys.find(isFact) : keys.findLast(isFact)
}

export function showLatest(core: Core, client: ClientId, place: Place): void {
  const shown = core.collector.list(client, keyOf(place))
  if (!shown) return
  core.collector.setList(client, newestView(shown.view))
  if (place.parentId === undefined && core.isHealthy() && !ranges.latest(core.cache.reader, keyOf(place))) {
    core.background('latest', () => refreshTimeline(core, place.cid))
  }
}

const fetchPage = (core: Core, { cid, parentId }: Place, query: PageQuery): Promise<void> =>
  parentId === undefined
    ? fetchChannel(core, cid, query, MESSAGE_PAGE)
    : fetchReplies(core, { cid, parentId }, query, REPLY_PAGE)
