import type { Clock } from '#main/lib/clock.ts'

/** Beyond this difference the user is notified once that the device's clock is wrong. */
const SKEW_NOTICE_MS = 5 * 60_000

/** How far the server's clock is ahead of ours, measured from its responses. Epoch milliseconds. */
export type ServerClock = {
  /**
   * Records a server time from a response or health check, with its accuracy. A value that agrees within `accuracyMs`
   * changes nothing, so that coarse values (`Date` headers are whole seconds) do not disturb a better estimate.
   */
  note(serverMs: number, accuracyMs: number): void
  /** Server minus local time; 0 before the first measurement. */
  offsetMs(): number
  /** Current server time. Follows the monotonic clock, so that a jump of the wall clock does not move it. */
  now(): number
  /**
   * The device slept, or its clock was changed. On some systems the monotonic clock stops during sleep. The sleep is the
   * difference between the system uptime and the monotonic clock since the last measurement; without an uptime, it is the
   * difference of the wall clock.
   */
  woke(): void
}

type Moment = { readonly wall: number; readonly monotonic: number; readonly up: number | undefined }

/** Inaccuracy of the uptime. */
const UP_ERROR_MS = 2_000

function sleepBetween(before: Moment, after: Moment): number {
  const passed = after.monotonic - before.monotonic
  if (before.up === undefined || after.up === undefined) return after.wall - before.wall - passed
  const slept = after.up - before.up - passed
  return slept > UP_ERROR_MS ? slept : 0
}

/** `onSkew` is called once, when the clocks differ by more than {@link SKEW_NOTICE_MS}. */
export function createServerClock(clock: Clock, onSkew: (offsetMs: number) => void = () => {}): ServerClock {
  let reference: { readonly serverMs: number; readonly monotonic: number } | undefined
  /** Both clocks at the last measurement. */
  let seen: Moment | undefined
  const readClocks = (): Moment => ({ wall: clock.now(), monotonic: clock.monotonic(), up: clock.up?.() })
  let notified = false
  const now = (): number => (reference ? reference.serverMs + (clock.monotonic() - reference.monotonic) : clock.now())
  const offsetMs = (): number => now() - clock.now()
  return {
    now,
    offsetMs,
    note(serverMs, accuracyMs) {
      if (!Number.isFinite(serverMs)) return
      seen = readClocks()
      const agrees = Math.abs(serverMs - now()) <= accuracyMs
      if (!agrees || !reference) reference = { serverMs: agrees ? now() : serverMs, monotonic: clock.monotonic() }
      if (notified || Math.abs(offsetMs()) <= SKEW_NOTICE_MS) return
      notified = true
      onSkew(offsetMs())
    },
    woke() {
      if (!reference || !seen) return
      const here = readClocks()
      const slept = sleepBetween(seen, here)
      seen = here
      if (slept > 0) reference = { ...reference, serverMs: reference.serverMs + slept }
    },
  }
}
