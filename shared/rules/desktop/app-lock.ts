const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Wrong PINs without a delay: typos happen. */
const FREE_TRIES = 3
/** The delay after each further one, in order; the last one applies to all that follow. */
const WAITS = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const

/** How long attempts are refused after this many wrong PINs in a row, in milliseconds. */
export function waitAfter(wrong: number): number {
  if (wrong < FREE_TRIES) return 0
  return WAITS[Math.min(wrong - FREE_TRIES, WAITS.length - 1)] ?? 0
}

/** Calls allowed while Parlor is locked: none that shows, changes or sends anything. */
const WHILE_LOCKED: ReadonlySet<string> = new Set([
  'app.attach',
  'app.reportFocus',
  'app.logFailure',
  'desktop.safePage',
  'desktop.quit',
  'lock.unlock',
  'lock.forget',
])

export const mayWhileLocked = (call: string): boolean => WHILE_LOCKED.has(call)
