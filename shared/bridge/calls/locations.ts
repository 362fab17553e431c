import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { TrackPoint } from '#shared/domain/place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import { cid, key, line, messageId } from '../schemas.ts'

/** A live share of the viewer's: its message, and when it ends by itself (epoch milliseconds). */
export type LiveShare = { readonly messageId: MessageId; readonly cid: Cid; readonly endAt: number }

const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
/** Milliseconds, at least a minute and at most a day. */
const share = v.pipe(v.number(), v.integer(), v.minValue(MIN_LOCATION_SHARE_MS), v.maxValue(24 * 3_600_000))

/** Places in messages (`Message.location`). They go through the outbox like words. */
export const locations = {
  /**
   * Sends a place as a message of its own, rounded to its precision; with `forMs` a live share that ends by itself on the
   * server. Never in a thread. A live share that waits is given up when less than a minute of it is left, and does not
   * begin by itself after a restart. `replaces` is an item that was taken back to be changed. What the server refuses is
   * parked and told as a notice. Rejects with `outbox/full`, `disk/full`.
   */
  share: call<MessageId>()(
    v.object({
      cid,
      latitude,
      longitude,
      precision: v.optional(v.picklist(['exact', 'near', 'city']), 'exact'),
      forMs: v.optional(share),
      /** What this computer is called for anyone who sees the place. Absent: no one is told. */
      device: v.optional(v.pipe(line, v.maxLength(60))),
      replaces: v.optional(key),
      /** Meant, although another window has just sent the same: otherwise `message/just-sent`. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * The viewer moved: tells all live shares of this computer, each with its own precision, at most every 3 s. Nothing
   * happens without one.
   */
  move: call<void>()(v.object({ latitude, longitude })),
  /**
   * Ends an own live share now: this computer tells no more of it from then on, and without a connection the server hears
   * of it as soon as there is one. Rejects with `message/gone`, or as the server refuses.
   */
  stop: call<void>()(v.object({ messageId })),
  /** Own live shares that still run, from the server. Empty without a connection. */
  live: call<readonly LiveShare[]>()(v.undefined()),
  /**
   * Where a live place has been, oldest first, as far as this computer saw it with the setting `locationTracks`. Empty
   * without the setting, and when the share is over.
   */
  track: call<readonly TrackPoint[]>()(v.object({ messageId })),
}
