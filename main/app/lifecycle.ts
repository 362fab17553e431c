import { type Clock, every, type Stop } from '#main/lib/clock.ts'
import type { Host } from '#main/hosts/host.ts'

/** How often a host without power events looks whether the computer slept. */
const LOOK_MS = 15_000
/** The wall clock ran this much further than the other: it slept, or someone set the clock. Both are worth a look. */
const SLEPT_MS = 20_000

/** Calls `onResume` after the computer woke: by the system's word where the host hears it, else by comparing clocks. */
export function watchResume(host: Pick<Host, 'power' | 'ports'>, onResume: () => void): Stop {
  if (host.power) {
    host.power.onResume(onResume)
    return () => undefined
  }
  return watchClocks(host.ports.clock, onResume)
}

/** The system has no event for it that both hosts could hear. */
const LOOK_AT_NETWORK_MS = 3_000

/** Tells when this computer is in another network than before, or in one again. */
export function watchNetwork({ network, ports }: Pick<Host, 'network' | 'ports'>, onOnline: () => void): Stop {
  let before = network.addresses()
  return every(ports.clock, LOOK_AT_NETWORK_MS, () => {
    const now = network.addresses()
    if (now === before) return
    before = now
    if (now !== '') onOnline()
  })
}

/** No one reads without a touch of mouse or keys for this long. */
const IDLE_MS = 10 * 60_000
/** How often it is looked whether someone is there; anyone who comes back is seen at once by the window they touch. */
const LOOK_AT_IDLE_MS = 60_000

/**
 * Tells when no one sits in front of the screen any more, and when someone does again: what is on screen then is read by
 * no one. Where the host cannot tell, someone always is.
 */
export function watchAway({ power, ports }: Pick<Host, 'power' | 'ports'>, notify: (away: boolean) => void): Stop {
  if (!power) return () => undefined
  let notified = false
  let locked = false
  const look = (): void => {
    const away = locked || (power.idleMs?.() ?? 0) >= IDLE_MS
    if (away === notified) return
    notified = away
    notify(away)
  }
  power.onLock(() => {
    locked = true
    look()
  })
  power.onUnlock(() => {
    locked = false
    look()
  })
  return power.idleMs ? every(ports.clock, LOOK_AT_IDLE_MS, look) : () => undefined
}

function watchClocks(clock: Clock, onResume: () => void): Stop {
  let before = { wall: clock.now(), monotonic: clock.monotonic() }
  return every(clock, LOOK_MS, () => {
    const now = { wall: clock.now(), monotonic: clock.monotonic() }
    const asleep = now.wall - before.wall - (now.monotonic - before.monotonic)
    before = now
    if (asleep > SLEPT_MS) onResume()
  })
}
