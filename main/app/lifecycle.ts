import { type Clock, every, type Stop } from '#main/lib/clock.ts'
import type { Host } from '#main/hosts/host.ts'

/** How often a host without power events looks whether the computer slept. */
const LOOK_MS = 15_000
/** The wall clock ran this much further than the other: it slept, or somebody set the clock. Both are worth a look. */
const SLEPT_MS = 20_000

/** Calls `onResume` after the computer woke: by the system's word where the host hears it, else by comparing clocks. */
export function watchResume(host: Pick<Host, 'power' | 'ports'>, onResume: () => void): Stop {
  if (host.power) {
    host.power.onResume(onResume)
    return () => undefined
  }
  return watchClocks(host.ports.clock, onResume)
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
