import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { ClientId } from '../../context.ts'

/** Within this time the same message from two windows of one user is likely a mistake. */
const REPEATED_WITHIN_MS = 10_000

type Sent = { readonly place: string; readonly what: string; readonly client: ClientId; readonly at: number }

/** Messages that the windows of one user sent in the last seconds. */
export type RecentSends = {
  /** Throws `message/just-sent` if another window has just sent the same to this place. */
  check(place: string, content: unknown, client: ClientId): void
  /** Records an accepted message. */
  note(place: string, content: unknown, client: ClientId): void
}

export function createRecentSends(clock: Pick<Clock, 'monotonic'>): RecentSends {
  let sent: readonly Sent[] = []

  return {
    check(place, content, client) {
      const what = JSON.stringify(content)
      const since = clock.monotonic() - REPEATED_WITHIN_MS
      const same = sent.filter((each) => each.place === place && each.what === what && each.at > since)
      // Repeating after that warning, or in the same window, is deliberate.
      if (same.length > 0 && same.every((each) => each.client !== client)) throw new AppError('message/just-sent')
    },
    note(place, content, client) {
      const at = clock.monotonic()
      sent = sent.filter((each) => each.at > at - REPEATED_WITHIN_MS)
      sent = [...sent, { place, what: JSON.stringify(content), client, at }]
    },
  }
}
