import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid, type Cid, type MessageId } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/lib/order.ts'
import { isForLater } from '#shared/rules/messages/predict.ts'
import * as answers from '#main/cache/answered-lists.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import { listedThreads } from '../features/threads/listed.ts'
import type { ReadContext } from './memory.ts'
import { laterOrder } from './visible.ts'
import { visibleMessage, isUnsent } from './visible-message.ts'
import type { ListView } from './windows.ts'

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
  if (!key.startsWith('pinned:')) return answers.has(cache, key)
  return answers.has(cache, key) || ranges.of(cache, `timeline:${key.slice('pinned:'.length)}`).length > 0
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
