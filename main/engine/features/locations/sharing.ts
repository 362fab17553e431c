import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { endOfShare } from '#shared/rules/locations/locations.ts'
import { getMessage, type MessageInput, updateLiveLocation } from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import type { Stop } from '#main/lib/clock.ts'
import { fromJson, toJson, type Reader, type Tx } from '#main/cache/store.ts'
import * as meta from '#main/cache/meta.ts'
import { ApiError } from '../../api/errors.ts'
import type { Memory } from '../../changes/memory.ts'
import type { Core } from '../../core.ts'
import { DEVICE_FIELD } from '../../decode/message.ts'
import { Refusal } from '../../outbox/runner.ts'

/** Timers stop while the device sleeps: waiting shares are checked at least this often. */
const CHECK_EVERY_MS = 30_000
/** How often sending a stop is retried. */
const RETRY_STOP_MS = 2_000

type Waiting = IntentFor<'send-message'> & { readonly payload: { readonly place: { readonly live: object } } }

const isWaiting = (intent: Intent): intent is Waiting =>
  intent.kind === 'send-message' &&
  intent.payload.place?.live !== undefined &&
  intent.state !== 'parked' &&
  intent.state !== 'inflight'

type Parts = Pick<
  Core,
  'api' | 'background' | 'collector' | 'isHealthy' | 'life' | 'memory' | 'outbox' | 'ports' | 'serverNow' | 'stores'
>

/**
 * Live shares that wait for a connection. One that expires meanwhile is parked then, not when the connection is back; one
 * of an earlier run is not sent automatically, the user has to confirm it.
 */
export class ShareWatch {
  readonly #core: Parts
  /** Stops that are being sent. */
  readonly #sending = new Set<MessageId>()
  #stopTimer: Stop | undefined

  constructor(core: Parts) {
    this.#core = core
    core.life.addEventListener('abort', () => this.#stopTimer?.())
  }

  /** Handles shares left by an earlier run. */
  start(): void {
    for (const [messageId, at] of pendingStops(this.#core.stores.outbox.reader))
      this.#sharing.stopped.set(messageId, { at, notified: false })
    // A share that was tried may have arrived: that is checked once there is a connection.
    for (const { id, attempts } of this.#core.outbox.all().filter(isWaiting)) {
      if (attempts === 0) this.#park(id, 'location/not-resumed', true)
    }
    this.check()
  }

  /** A new share is queued. */
  check(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.#core.life.aborted) return
    const unsent = [...this.#sharing.stopped].filter(([, { notified }]) => !notified)
    if (this.#core.isHealthy()) {
      for (const [messageId, { at }] of unsent) {
        if (!this.#sending.has(messageId)) this.#core.background('stop-sharing', () => this.#sendLater(messageId, at))
      }
    }
    const waiting = this.#core.outbox.all().filter(isWaiting)
    for (const { id, payload } of waiting) {
      if (endOfShare(payload.place.live, this.#core.serverNow()) === undefined) this.#park(id, 'location/over', false)
    }
    if (waiting.length + unsent.length > 0)
      this.#stopTimer = this.#core.ports.clock.after(unsent.length > 0 ? RETRY_STOP_MS : CHECK_EVERY_MS, () =>
        this.check(),
      )
  }

  /** Ends a live share, here at once. Rejects if the server refuses; without a connection it is sent later. */
  async stop(messageId: MessageId): Promise<void> {
    const at = this.#core.serverNow()
    this.#sharing.live.delete(messageId)
    this.#sharing.stopped.set(messageId, { at, notified: false })
    this.#core.collector.touch('messages', messageId)
    if (!this.#core.isHealthy()) return this.#stopLater(messageId, at)
    this.#sending.add(messageId)
    try {
      await this.#send(messageId, at)
    } catch (error) {
      // The connection was lost.
      if (error instanceof ApiError && error.class === 'network') return this.#stopLater(messageId, at)
      // The stop is not sent, and others still see the share: so it is shown as running.
      this.#sharing.stopped.delete(messageId)
      this.#core.collector.touch('messages', messageId)
      throw error
    } finally {
      this.#sending.delete(messageId)
    }
  }

  /** When the last live share ends that was started in this run of the program. */
  endsAt(): number | undefined {
    const ends = [...this.#sharing.live.values()]
      .map(({ endAt }) => endAt)
      .filter((endAt) => endAt > this.#core.serverNow())
    return ends.length === 0 ? undefined : Math.max(...ends)
  }

  stopAll(): void {
    for (const messageId of this.#sharing.live.keys()) this.#core.background('stop-sharing', () => this.stop(messageId))
  }

  get #sharing(): Memory['sharing'] {
    return this.#core.memory.sharing
  }

  async #send(messageId: MessageId, at: number): Promise<void> {
    const body = { message_id: messageId, created_by_device_id: deviceOf(this.#core), end_at: formatTime(at) }
    await this.#core.api.send(updateLiveLocation, { body, signal: this.#core.life })
    this.#confirmed(messageId, at)
  }

  /** The server knows of the stop, or no longer has the share. */
  #confirmed(messageId: MessageId, at: number): void {
    this.#sharing.stopped.set(messageId, { at, notified: true })
    if (pendingStops(this.#core.stores.outbox.reader).some(([id]) => id === messageId))
      this.#core.stores.outbox.transaction((tx) => forgetStop(tx, messageId))
  }

  /** If the server refuses permanently, the share has ended there already. */
  async #sendLater(messageId: MessageId, at: number): Promise<void> {
    this.#sending.add(messageId)
    try {
      await this.#send(messageId, at)
    } catch (error) {
      if (!(error instanceof ApiError) || error.verdict.task !== 'park') throw error
      this.#confirmed(messageId, at)
    } finally {
      this.#sending.delete(messageId)
    }
  }

  /**
   * The server cannot be reached: the stop is stored on disk and sent once there is a connection, now or in a later
   * run.
   */
  #stopLater(messageId: MessageId, at: number): void {
    try {
      this.#core.stores.outbox.transaction((tx) => storeStop(tx, messageId, at))
    } finally {
      this.check()
    }
  }

  #park(id: string, code: string, retryable: boolean): void {
    this.#core.outbox.update(id, { state: 'parked', reason: { code }, retryable })
  }
}

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

// What a message with a location adds to the request that sends it.

/**
 * The location of a message as it is sent now. A live share that has expired, or that was started before the program
 * was restarted, is refused: a location is shared only with the user's current consent.
 */
export function placeFields(
  core: Pick<Core, 'memory' | 'serverNow' | 'stores'>,
  { id, payload }: IntentFor<'send-message'>,
): MessageInput | undefined {
  const { place } = payload
  if (place === undefined) return undefined
  const { latitude, longitude, live, device } = place
  const named = device === undefined ? {} : { [DEVICE_FIELD]: device }
  const point = { latitude, longitude, created_by_device_id: deviceOf(core) }
  if (live === undefined) return { ...named, shared_location: point }
  const endAt = endOfShare(live, core.serverNow())
  if (endAt === undefined) throw new Refusal('location/over', false)
  if (!core.memory.sharing.begun.has(id)) throw new Refusal('location/not-resumed', true)
  return { ...named, shared_location: { ...point, end_at: formatTime(endAt) } }
}

/**
 * Looks up a live share whose request was in flight when the program ended: it may have reached the server. `undefined`
 * if it did not, or if this intent is not such a share.
 */
export async function arrivedShare(
  core: Pick<Core, 'api' | 'memory'>,
  { id, messageId, cid, attempts, payload }: IntentFor<'send-message'>,
  signal: AbortSignal,
): Promise<WireMessage | undefined> {
  const isOld = payload.place?.live !== undefined && attempts > 1 && !core.memory.sharing.begun.has(id)
  if (!isOld) return undefined
  try {
    const { message } = await core.api.send(getMessage, { params: { id: messageId ?? id }, query: {}, cid, signal })
    return message
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') return undefined
    throw error
  }
}

/** A live share sent from this device is updated from here. */
export function noteShare(core: Pick<Core, 'memory'>, { id, messageId, payload }: IntentFor<'send-message'>): void {
  const { place } = payload
  if (place?.live === undefined || !core.memory.sharing.begun.has(id)) return
  const { latitude, longitude, precision, live } = place
  core.memory.sharing.live.set(messageId ?? asMessageId(id), {
    endAt: live.until,
    precision,
    at: { latitude, longitude },
  })
}

/** Id of this installation: only the device that started a live share updates its position. */
export const deviceOf = (core: Pick<Core, 'stores'>): string => core.stores.report.installId
