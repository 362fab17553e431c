import type { Clock } from '#main/lib/clock.ts'

/** Real time plus what the test adds; it decides only about the lifetimes of codes and links. */
export function shiftedClock(): Clock & { advance(ms: number): void } {
  let shift = 0
  return {
    now: () => Date.now() + shift,
    monotonic: () => performance.now() + shift,
    after(ms, fn) {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    },
    advance: (ms) => void (shift += ms),
  }
}
