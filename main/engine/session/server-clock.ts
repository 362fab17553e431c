import type { Clock } from '#main/lib/clock.ts'

/** Beyond this the user is told once that the computer's clock is wrong. */
const SKEW_NOTICE_MS = 5 * 60_000

/** How far the server's clock is ahead of ours, measured from its answers. Epoch milliseconds. */
export type ServerClock = {
  /**
   * An answer or health check said this, give or take `accuracyMs`. What agrees within that changes nothing, so that
   * coarse words (`Date` headers are whole seconds) do not shake a better estimate.
   */
  note(serverMs: number, accuracyMs: number): void
  /** Server minus local; 0 until something was heard. */
  offsetMs(): number
  /** What the server's clock shows now. Follows the monotonic clock, so a jump of the wall clock does not move it. */
  now(): number
  /**
   * The computer slept, or someone set its clock. The monotonic clock stands still in a sleep on some systems: what the
   * computer was up longer since the server was heard last is the sleep; where no one knows that, what the wall clock went
   * further.
   */
  woke(): void
}

type Moment = { readonly wall: number; readonly monotonic: number; readonly up: number | undefined }

/** Less is what the time a computer is up is not exact by. */
const UP_ERROR_MS = 2_000

function sleepBetween(before: Moment, after: Moment): number {
  const passed = after.monotonic - before.monotonic
  if (before.up === undefined || after.up === undefined) return after.wall - before.wall - passed
  const slept = after.up - before.up - passed
  return slept > UP_ERROR_MS ? slept : 0
}

/** `onSkew` is called once, when the clocks turn out to differ by more than {@link SKEW_NOTICE_MS}. */
export function createServerClock(clock: Clock, onSkew: (offsetMs: number) => void = () => {}): ServerClock {
  let heard: { readonly serverMs: number; readonly monotonic: number } | undefined
  /** Where both clocks stood when the server was heard last. */
  let seen: Moment | undefined
  const look = (): Moment => ({ wall: clock.now(), monotonic: clock.monotonic(), up: clock.up?.() })
  let notified = false
  const now = (): number => (heard ? heard.serverMs + (clock.monotonic() - heard.monotonic) : clock.now())
  const offsetMs = (): number => now() - clock.now()
  return {
    now,
    offsetMs,
    note(serverMs, accuracyMs) {
      if (!Number.isFinite(serverMs)) return
      seen = look()
      const agrees = Math.abs(serverMs - now()) <= accuracyMs
      if (!agrees || !heard) heard = { serverMs: agrees ? now() : serverMs, monotonic: clock.monotonic() }
      if (notified || Math.abs(offsetMs()) <= SKEW_NOTICE_MS) return
      notified = true
      onSkew(offsetMs())
    },
    woke() {
      if (!heard || !seen) return
      const here = look()
      const slept = sleepBetween(seen, here)
      seen = here
      if (slept > 0) heard = { ...heard, serverMs: heard.serverMs + slept }
    },
  }
}
