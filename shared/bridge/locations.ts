import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import { cid, messageId } from './schemas.ts'

/** A live share of the viewer's: its message, and when it ends by itself (epoch milliseconds). */
export type LiveShare = { readonly messageId: MessageId; readonly cid: Cid; readonly endAt: number }

const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
/** Milliseconds, at least a minute and at most a day. Source: behaviour spec, section 5 "Location". */
const share = v.pipe(v.number(), v.integer(), v.minValue(MIN_LOCATION_SHARE_MS), v.maxValue(24 * 3_600_000))

/** Places in messages (`Message.location`). Never queued: a place is worth nothing later. */
export const locations = {
  /**
   * Sends a place as a message of its own; with `forMs` a live share that ends by itself on the server. Never in a
   * thread. Rejects with `network/offline`, `location/failed`, and tells a notice of the latter.
   */
  share: call<MessageId>()(v.object({ cid, latitude, longitude, forMs: v.optional(share) })),
  /** The viewer moved: tells all live shares of this computer, at most every 3 s. Nothing happens without one. */
  move: call<void>()(v.object({ latitude, longitude })),
  /** Ends an own live share now. Rejects with `message/gone`, `network/offline`. */
  stop: call<void>()(v.object({ messageId })),
  /** Own live shares that still run, from the server. Empty without a connection. */
  live: call<readonly LiveShare[]>()(v.undefined()),
}
