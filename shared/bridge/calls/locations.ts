import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { TrackPoint } from '#shared/domain/place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import { cid, key, line, messageId } from '../schemas.ts'

/** A live share of the viewer: its message, and when it ends automatically (epoch milliseconds). */
export type LiveShare = { readonly messageId: MessageId; readonly cid: Cid; readonly endAt: number }

const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
/** Milliseconds, from a minute to a day. */
const share = v.pipe(v.number(), v.integer(), v.minValue(MIN_LOCATION_SHARE_MS), v.maxValue(24 * 3_600_000))

/** Locations in messages (`Message.location`). They go through the outbox like text. */
export const locations = {
  /**
   * Sends a location as a separate message, rounded to its precision; with `forMs`, a live share that the server
   * ends. Never in a thread. A queued live share is dropped when less than a minute of it is left, and is not started
   * after a restart. `replaces` is an item that was withdrawn to be changed. If the server refuses, the item is parked
   * and a notice is shown. Rejects with `outbox/full`, `disk/full`.
   */
  share: call<MessageId>()(
    v.object({
      cid,
      latitude,
      longitude,
      precision: v.optional(v.picklist(['exact', 'near', 'city']), 'exact'),
      forMs: v.optional(share),
      /** This device's name for anyone who sees the location. Absent: not included. */
      device: v.optional(v.pipe(line, v.maxLength(60))),
      replaces: v.optional(key),
      /** Sends even though another window has just sent the same; otherwise that rejects with `message/just-sent`. */
      again: v.optional(v.boolean()),
    }),
  ),
  /**
   * The viewer moved: updates all live shares of this device, each with its own precision, at most every 3 s. Does
   * nothing without one.
   */
  move: call<void>()(v.object({ latitude, longitude })),
  /**
   * Ends a live share of the viewer now: this device sends no more updates, and without a connection the server is
   * informed as soon as there is one. Rejects with `message/gone`, or as the server refuses.
   */
  stop: call<void>()(v.object({ messageId })),
  /** Live shares of the viewer that are still active, from the server. Empty without a connection. */
  live: call<readonly LiveShare[]>()(v.undefined()),
  /**
   * The path of a live location, oldest first, as far as this device recorded it with the setting `locationTracks`.
   * Empty without the setting, and after the share has ended.
   */
  track: call<readonly TrackPoint[]>()(v.object({ messageId })),
}
