import type { Cid } from '#shared/lib/brand.ts'
import { markDelivered } from '#shared/wire/channels.ts'
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

/**
 * Reports delivered messages to the server. Not for threads, nor for channels that are read without telling the
 * server.
 */
export type DeliveryReporter = {
  /** A message by another user arrived in this channel. */
  note(cid: Cid): void
  /** The viewer reads here: a read mark implies delivery. */
  forget(cid: Cid): void
  stop(): void
}

type Parts = Pick<Core, 'me' | 'cache' | 'context' | 'memory' | 'api' | 'life' | 'isHealthy' | 'ports'>

/**
 * Channels are collected for a second, then their newest messages are reported, a hundred per call. Network failures are
 * retried with growing pauses; after other failures the next message triggers the report.
 */
export function createDeliveryReporter(core: Parts): DeliveryReporter {
  const waiting = new Set<Cid>()
  /** Up to when each channel is reported; not stored, because a repetition does no harm. */
  const reported = new Map<Cid, number>()
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
    const news = batch.flatMap((cid) => newestUnreported(core, cid, reported.get(cid)) ?? [])
    if (news.length === 0 || !core.isHealthy() || !core.memory.settings.publishDelivery) return plan()
    isRunning = true
    const confirmations = news.map(({ cid, id }) => ({ cid, id }))
    try {
      await core.api.send(markDelivered, { body: { latest_delivered_messages: confirmations }, signal: core.life })
      doublings = 0
      for (const { cid, at } of news) reported.set(cid, at)
    } catch (error) {
      // If a retry cannot help, the next message triggers the report with the channel's newest message.
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

/** The newest message of a channel, unless it is read, reported, or the viewer's own. */
function newestUnreported(core: Parts, cid: Cid, reportedUntil = 0): News | undefined {
  const channel = channels.byCid(core.cache.reader, cid)
  if (channel?.config?.deliveryEvents !== true || isReadWithoutTrace(core, cid)) return undefined
  const newest = pages.newest(core.cache.reader, `timeline:${cid}`, 1)[0]
  if (newest === undefined || newest.createdAt <= reportedUntil) return undefined
  if (newest.createdAt <= (readState(core.context, cid).lastReadAt ?? 0)) return undefined
  return messages.byId(core.cache.reader, newest.id)?.userId === core.me
    ? undefined
    : { cid, id: newest.id, at: newest.createdAt }
}
