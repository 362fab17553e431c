/** Times of the crashes of one window, epoch milliseconds, oldest first. */
export type Crashes = readonly number[]

/** Crashes in a minute after which reloading is pointless. */
const TOO_MANY = 3
const WITHIN_MS = 60_000

/** What to do with a window whose page crashed: reload it, or ask the user first. */
export function afterCrash(
  before: Crashes,
  now: number,
): { readonly crashes: Crashes; readonly next: 'reload' | 'ask' } {
  const crashes = [...before.filter((at) => now - at < WITHIN_MS), now]
  return { crashes, next: crashes.length < TOO_MANY ? 'reload' : 'ask' }
}
