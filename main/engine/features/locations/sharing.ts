import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { endOfShare } from '#shared/rules/locations/locations.ts'
import { updateLiveLocation } from '#shared/wire/locations.ts'
import type { Stop } from '#main/lib/clock.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { deviceOf } from '../../outbox/contents.ts'
import { fromJson, toJson } from '#main/cache/json.ts'
import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

/** Timers stop while the computer sleeps: waiting shares are checked at least this often. */
const CHECK_EVERY_MS = 30_000
/** How often sending a stop is retried. */
const RETRY_STOP_MS = 2_000

type Waiting = IntentFor<'send-message'> & { readonly payload: { readonly place: { readonly live: object } } }

const isWaiting = (intent: Intent): intent is Waiting =>
  intent.kind === 'send-message' &&
  intent.payload.place?.live !== undefined &&
  intent.state !== 'parked' &&
  intent.state !== 'inflight'

/** A live share sent from this computer is updated from here. */
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
  /** Handles shares left by an earlier run. */
  readonly start: () => void
  /** A new share is queued. */
  readonly check: () => void
  /** Ends a live share, here at once. Rejects if the server refuses; without a connection it is sent later. */
  stop(messageId: MessageId): Promise<void>
  /** When the last live share ends that was started in this run of the program. */
  readonly endsAt: () => number | undefined
  readonly stopAll: () => void
}

/**
 * Live shares that wait for a connection. One that expires meanwhile is parked then, not when the connection is back; one
 * of an earlier run is not sent automatically, the user has to confirm it.
 */
export function createShareWatch(core: Core): ShareWatch {
  const { live, stopped } = core.memory.sharing
  /** Stops that are being sent. */
  const sending = new Set<MessageId>()
  let stop: Stop | undefined

  async function send(messageId: MessageId, at: number): Promise<void> {
    const body = { message_id: messageId, created_by_device_id: deviceOf(core), end_at: formatTime(at) }
    await core.api.send(updateLiveLocation, { body, signal: core.life })
    confirmed(messageId, at)
  }

  /** The server knows of the stop, or no longer has the share. */
  function confirmed(messageId: MessageId, at: number): void {
    stopped.set(messageId, { at, notified: true })
    if (pendingStops(core.stores.outbox.reader).some(([id]) => id === messageId))
      core.stores.outbox.transaction((tx) => forgetStop(tx, messageId))
  }

  /** If the server refuses for good, the share has ended there already. */
  async function sendLater(messageId: MessageId, at: number): Promise<void> {
    sending.add(messageId)
    try {
      await send(messageId, at)
    } catch (error) {
      if (!(error instanceof ApiError) || error.verdict.task !== 'park') throw error
      confirmed(messageId, at)
    } finally {
      sending.delete(messageId)
    }
  }

  /**
   * The server cannot be reached: the stop is stored on disk and sent once there is a connection, now or in a later
   * run.
   */
  function stopLater(messageId: MessageId, at: number): void {
    try {
      core.stores.outbox.transaction((tx) => storeStop(tx, messageId, at))
    } finally {
      check()
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
      // The connection was lost.
      if (error instanceof ApiError && error.class === 'network') return stopLater(messageId, at)
      // The stop is not sent, and others still see the share: so it is shown as running.
      stopped.delete(messageId)
      core.collector.touch('messages', messageId)
      throw error
    } finally {
      sending.delete(messageId)
    }
  }

  function check(): void {
    stop?.()
    stop = undefined
    if (core.life.aborted) return
    const unsent = [...stopped].filter(([, { notified }]) => !notified)
    if (core.isHealthy()) {
      for (const [messageId, { at }] of unsent) {
        if (!sending.has(messageId)) core.background('stop-sharing', () => sendLater(messageId, at))
      }
    }
    const waiting = core.outbox.all().filter(isWaiting)
    for (const { id, payload } of waiting) {
      if (endOfShare(payload.place.live, core.serverNow()) === undefined) park(core, id, 'location/over', false)
    }
    if (waiting.length + unsent.length > 0)
      stop = core.ports.clock.after(unsent.length > 0 ? RETRY_STOP_MS : CHECK_EVERY_MS, check)
  }

  core.life.addEventListener('abort', () => stop?.())
  return {
    check,
    stop: stopOne,
    endsAt() {
      const ends = [...live.values()].map(({ endAt }) => endAt).filter((endAt) => endAt > core.serverNow())
      return ends.length === 0 ? undefined : Math.max(...ends)
    },
    stopAll() {
      for (const messageId of live.keys()) core.background('stop-sharing', () => stopOne(messageId))
    },
    start() {
      for (const [messageId, at] of pendingStops(core.stores.outbox.reader))
        stopped.set(messageId, { at, notified: false })
      // A share that was tried may have arrived: that is checked once there is a connection.
      for (const { id, attempts } of core.outbox.all().filter(isWaiting)) {
        if (attempts === 0) park(core, id, 'location/not-resumed', true)
      }
      check()
    },
  }
}

const park = (core: Core, id: string, code: string, retryable: boolean): void =>
  core.outbox.update(id, { state: 'parked', reason: { code }, retryable })

/**
 * Shares that the user stopped and the server does not know of yet, with the time of the stop (server clock). In
 * `outbox.db`: if the user stops a share and quits, the stop is sent at the next start.
 */
const KEY = 'stopped-shares'

type Stored = Readonly<Record<string, number>>

function pendingStops(reader: Reader): readonly (readonly [MessageId, number])[] {
  const text = meta.get(reader, KEY)
  if (text === undefined) return []
  return Object.entries(fromJson<Stored>(reader.db, text)).map(([id, at]) => [asMessageId(id), at])
}

function storeStop(tx: Tx, messageId: MessageId, at: number): void {
  meta.set(tx, KEY, toJson(Object.fromEntries([...pendingStops(tx), [messageId, at]])))
}

/** The server knows, or the share has ended there anyway. */
function forgetStop(tx: Tx, messageId: MessageId): void {
  const left = pendingStops(tx).filter(([id]) => id !== messageId)
  meta.set(tx, KEY, toJson(Object.fromEntries(left)))
}
