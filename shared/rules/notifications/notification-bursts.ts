/** More than this many in one channel within the window are shown as a count. */
const BURST_OF_CHANNEL = 5
/** More than this many in total are shown as one summary. */
const BURST_OF_ALL = 20
const BURST_WINDOW_MS = 10_000

/** Recent notifications: time and channel. */
export type RecentNotifications = readonly { readonly at: number; readonly cid: string }[]

/** The form of the next notification: individual, a count for its channel, or a summary of everything. */
type BurstForm =
  | { readonly form: 'one' }
  | { readonly form: 'channel'; readonly count: number }
  | { readonly form: 'everything'; readonly count: number }

/** Adds a notification, and removes those outside the window. `at`: milliseconds of a monotonic clock. */
export const withNotification = (recent: RecentNotifications, cid: string, at: number): RecentNotifications => [
  ...recent.filter((one) => at - one.at < BURST_WINDOW_MS),
  { at, cid },
]

/** The form of the newest of `recent`. */
export function burstForm(recent: RecentNotifications): BurstForm {
  const newest = recent.at(-1)
  if (!newest) return { form: 'one' }
  if (recent.length > BURST_OF_ALL) return { form: 'everything', count: recent.length }
  const ofChannel = recent.filter(({ cid }) => cid === newest.cid).length
  return ofChannel > BURST_OF_CHANNEL ? { form: 'channel', count: ofChannel } : { form: 'one' }
}
