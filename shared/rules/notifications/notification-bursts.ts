/** More than this many in one channel within the window are told as one number. */
const BURST_OF_CHANNEL = 5
/** More than this many in all are one sentence. */
const BURST_OF_ALL = 20
const BURST_WINDOW_MS = 10_000

/** What was told lately: when, and of which channel. */
export type RecentNotifications = readonly { readonly at: number; readonly cid: string }[]

/** How the next one is told: by itself, as a number for its channel, or in one sentence for everything. */
type BurstForm =
  | { readonly form: 'one' }
  | { readonly form: 'channel'; readonly count: number }
  | { readonly form: 'everything'; readonly count: number }

/** Adds one that is told now, and forgets what is out of the window. `at`: milliseconds of a clock that never goes back. */
export const withNotification = (recent: RecentNotifications, cid: string, at: number): RecentNotifications => [
  ...recent.filter((one) => at - one.at < BURST_WINDOW_MS),
  { at, cid },
]

/** The form of the newest of `told`. */
export function burstForm(recent: RecentNotifications): BurstForm {
  const newest = recent.at(-1)
  if (!newest) return { form: 'one' }
  if (recent.length > BURST_OF_ALL) return { form: 'everything', count: recent.length }
  const ofChannel = recent.filter(({ cid }) => cid === newest.cid).length
  return ofChannel > BURST_OF_CHANNEL ? { form: 'channel', count: ofChannel } : { form: 'one' }
}
