import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { endOfShare } from '#shared/rules/locations/locations.ts'
import { updateLiveLocation } from '#shared/wire/locations.ts'
import type { Stop } from '#main/lib/clock.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { deviceOf } from '../../outbox/contents.ts'
import { forgetStop, keepStop, keptStops } from './stopped.ts'

/** A timer does not run while the computer sleeps: what waits is compared again at least so often. */
const LOOK_AGAIN_MS = 30_000
/** An end that could not be told yet is tried so often. */
const TELL_AGAIN_MS = 2_000

type Waiting = IntentFor<'send-message'> & { readonly payload: { readonly place: { readonly live: object } } }

const isWaiting = (intent: Intent): intent is Waiting =>
  intent.kind === 'send-message' &&
  intent.payload.place?.live !== undefined &&
  intent.state !== 'parked' &&
  intent.state !== 'inflight'

/** A live share that went out from here is moved from here. */
export function noteShare(core: Core, { id, messageId, payload }: IntentFor<'send-message'>): void {
  const { place } = payload
  if (place?.live === undefined || !core.memory.sharing.begun.has(id)) return
  const { latitude, longitude, precision, live } = place
  core.memory.sharing.live.set(messageId ?? asMessageId(id), {
    endAt: live.until,
    precision,
    at: { latitude, longitude },
  })
}

export type ShareWatch = {
  /** What an earlier start left. */
  readonly start: () => void
  /** Something new waits. */
  readonly look: () => void
  /** Ends a live share, here at once. Rejects where the server refuses; without a line it is told later. */
  stop(messageId: MessageId): Promise<void>
  /** Own live shares that run, as far as this start of the program began them: when the last one ends. */
  readonly endsAt: () => number | undefined
  readonly stopAll: () => void
}

/**
 * Shares that wait for a connection. One whose time runs out meanwhile is refused then, not when the line is back; one of
 * an earlier start of the program does not begin by itself, someone has to say so again.
 */
export function createShareWatch(core: Core): ShareWatch {
  const { live, stopped } = core.memory.sharing
  /** Ends that are being told just now. */
  const sending = new Set<MessageId>()
  let stop: Stop | undefined

  async function send(messageId: MessageId, at: number): Promise<void> {
    const body = { message_id: messageId, created_by_device_id: deviceOf(core), end_at: formatTime(at) }
    await core.api.send(updateLiveLocation, { body, signal: core.life })
    known(messageId, at)
  }

  /** The server has heard of it, or has no such share any more. */
  function known(messageId: MessageId, at: number): void {
    stopped.set(messageId, { at, notified: true })
    if (keptStops(core.stores.outbox.reader).some(([id]) => id === messageId))
      core.stores.outbox.transaction((tx) => forgetStop(tx, messageId))
  }

  /** What the server refuses for good is over there already. */
  async function sendLater(messageId: MessageId, at: number): Promise<void> {
    sending.add(messageId)
    try {
      await send(messageId, at)
    } catch (error) {
      if (!(error instanceof ApiError) || error.verdict.task !== 'park') throw error
      known(messageId, at)
    } finally {
      sending.delete(messageId)
    }
  }

  /** No one can be told now: it is noted on disk, and told as soon as there is a line, in this start or a later one. */
  function stopLater(messageId: MessageId, at: number): void {
    try {
      core.stores.outbox.transaction((tx) => keepStop(tx, messageId, at))
    } finally {
      look()
    }
  }

  async function stopOne(messageId: MessageId): Promise<void> {
    const at = core.serverNow()
    live.delete(messageId)
    stopped.set(messageId, { at, notified: false })
    core.collector.touch('messages', messageId)
    if (!core.isHealthy()) return stopLater(messageId, at)
    sending.add(messageId)
    try {
      await send(messageId, at)
    } catch (error) {
      // The line was not what it seemed.
      if (error instanceof ApiError && error.class === 'network') return stopLater(messageId, at)
      // Nothing more is told from here, but others still see it: so it is shown.
      stopped.delete(messageId)
      core.collector.touch('messages', messageId)
      throw error
    } finally {
      sending.delete(messageId)
    }
  }

  function look(): void {
    stop?.()
    stop = undefined
    if (core.life.aborted) return
    const untold = [...stopped].filter(([, { notified }]) => !notified)
    if (core.isHealthy()) {
      for (const [messageId, { at }] of untold) {
        if (!sending.has(messageId)) core.background('stop-sharing', () => sendLater(messageId, at))
      }
    }
    const waiting = core.outbox.all().filter(isWaiting)
    for (const { id, payload } of waiting) {
      if (endOfShare(payload.place.live, core.serverNow()) === undefined) park(core, id, 'location/over', false)
    }
    if (waiting.length + untold.length > 0)
      stop = core.ports.clock.after(untold.length > 0 ? TELL_AGAIN_MS : LOOK_AGAIN_MS, look)
  }

  core.life.addEventListener('abort', () => stop?.())
  return {
    look,
    stop: stopOne,
    endsAt() {
      const ends = [...live.values()].map(({ endAt }) => endAt).filter((endAt) => endAt > core.serverNow())
      return ends.length === 0 ? undefined : Math.max(...ends)
    },
    stopAll() {
      for (const messageId of live.keys()) core.background('stop-sharing', () => stopOne(messageId))
    },
    start() {
      for (const [messageId, at] of keptStops(core.stores.outbox.reader))
        stopped.set(messageId, { at, notified: false })
      // What was tried may be there: that is asked when there is a line.
      for (const { id, attempts } of core.outbox.all().filter(isWaiting)) {
        if (attempts === 0) park(core, id, 'location/not-resumed', true)
      }
      look()
    },
  }
}

const park = (core: Core, id: string, code: string, retryable: boolean): void =>
  core.outbox.update(id, { state: 'parked', reason: { code }, retryable })
