import type { Cid } from '#shared/lib/brand.ts'
import { markDelivered } from '#shared/wire/receipts.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { Stop } from '#main/lib/clock.ts'
import { ApiError } from '../../api/errors.ts'
import { readState } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { isReadWithoutTrace } from '../reads/traceless.ts'

/** Source for the numbers: docs/wire.md 7.14. */
const BUFFER_MS = 1_000
const BATCH = 100
const DOUBLINGS = 3

/** Tells senders that their messages have reached this computer. Threads are not reported, nor is what is read without a trace. */
export type DeliveryReporter = {
  /** Something by someone else is new in this channel. */
  note(cid: Cid): void
  /** The viewer reads here: that says more. */
  forget(cid: Cid): void
  stop(): void
}

type Seat = Pick<Core, 'me' | 'cache' | 'context' | 'memory' | 'api' | 'life' | 'isHealthy' | 'ports'>

/**
 * Channels are collected for a second, and what was newest by then is told, a hundred a call. What could not be told for
 * the network's sake is tried again with longer pauses; anything else waits for the next message.
 */
export function createDeliveryReporter(core: Seat): DeliveryReporter {
  const waiting = new Set<Cid>()
  /** Up to when a channel is told; forgotten with the program, as a repeat does no harm. */
  const notified = new Map<Cid, number>()
  let planned: Stop | undefined
  let isRunning = false
  let doublings = 0

  function plan(): void {
    if (planned || isRunning || waiting.size === 0) return
    planned = core.ports.clock.after(BUFFER_MS * 2 ** doublings, () => {
      planned = undefined
      void report()
    })
  }

  async function report(): Promise<void> {
    const batch = [...waiting].slice(0, BATCH)
    for (const cid of batch) waiting.delete(cid)
    const news = batch.flatMap((cid) => newestUntold(core, cid, notified.get(cid)) ?? [])
    if (news.length === 0 || !core.isHealthy() || !core.memory.settings.publishDelivery) return plan()
    isRunning = true
    const confirmations = news.map(({ cid, id }) => ({ cid, id }))
    try {
      await core.api.send(markDelivered, { body: { latest_delivered_messages: confirmations }, signal: core.life })
      doublings = 0
      for (const { cid, at } of news) notified.set(cid, at)
    } catch (error) {
      // Told again with the next message where no try would help; the channel's newest is what counts then.
      if (error instanceof ApiError && error.retryable) {
        doublings = Math.min(DOUBLINGS, doublings + 1)
        for (const { cid } of news) waiting.add(cid)
      }
    }
    isRunning = false
    if (!core.life.aborted) plan()
  }

  return {
    note(cid) {
      if (!core.memory.settings.publishDelivery || core.cache.reader.isGuest) return
      waiting.add(cid)
      plan()
    },
    forget: (cid) => void waiting.delete(cid),
    stop() {
      planned?.()
      waiting.clear()
    },
  }
}

type News = { readonly cid: Cid; readonly id: string; readonly at: number }

/** The newest message of a channel, unless it is read, told, or the viewer's own. */
function newestUntold(core: Seat, cid: Cid, reportedUntil = 0): News | undefined {
  const channel = channels.byCid(core.cache.reader, cid)
  if (channel?.config?.deliveryEvents !== true || isReadWithoutTrace(core, cid)) return undefined
  const newest = pages.newest(core.cache.reader, `timeline:${cid}`, 1)[0]
  if (newest === undefined || newest.createdAt <= reportedUntil) return undefined
  if (newest.createdAt <= (readState(core.context, cid).lastReadAt ?? 0)) return undefined
  return messages.byId(core.cache.reader, newest.id)?.userId === core.me
    ? undefined
    : { cid, id: newest.id, at: newest.createdAt }
}
