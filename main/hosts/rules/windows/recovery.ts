/** Times of the crashes of one window, epoch milliseconds, oldest first. */
export type Crashes = readonly number[]

/** Three in a minute: it would crash again. */
const TOO_MANY = 3
const WITHIN_MS = 60_000

/** What is done about a window whose page died: load it again, or ask the person first. */
export function afterCrash(
  before: Crashes,
  now: number,
): { readonly crashes: Crashes; readonly next: 'reload' | 'ask' } {
  const crashes = [...before.filter((at) => now - at < WITHIN_MS), now]
  return { crashes, next: crashes.length < TOO_MANY ? 'reload' : 'ask' }
}
