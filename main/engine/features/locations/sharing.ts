import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { endOfShare } from '#shared/rules/places.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Core } from '../../core.ts'

/** A timer does not run while the computer sleeps: what waits is compared anew at least so often. */
const LOOK_AGAIN_MS = 30_000

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
  start(): void
  /** Something new waits. */
  look(): void
}

/**
 * Shares that wait for a connection. One whose time runs out meanwhile is refused then, not when the line is back; one of
 * an earlier start of the program does not begin by itself, somebody has to say so again (promise R38).
 */
export function createShareWatch(core: Core): ShareWatch {
  let stop: Stop | undefined

  function look(): void {
    stop?.()
    stop = undefined
    if (core.life.aborted) return
    const waiting = core.outbox.all().filter(isWaiting)
    for (const { id, payload } of waiting) {
      if (endOfShare(payload.place.live, core.serverNow()) === undefined) park(core, id, 'location/over', false)
    }
    if (waiting.length > 0) stop = core.ports.clock.after(LOOK_AGAIN_MS, look)
  }

  core.life.addEventListener('abort', () => stop?.())
  return {
    look,
    start() {
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
