const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Wrong PINs that cost nothing: fingers slip. */
const FREE_TRIES = 3
/** After each further one, in order; the last holds for all that follow. */
const WAITS = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const

/** How long nothing is looked at after so many wrong PINs in a row, in milliseconds. */
export function waitAfter(wrong: number): number {
  if (wrong < FREE_TRIES) return 0
  return WAITS[Math.min(wrong - FREE_TRIES, WAITS.length - 1)] ?? 0
}

/** What may be asked of main while Parlor is locked: nothing that shows, changes or sends anything. */
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
