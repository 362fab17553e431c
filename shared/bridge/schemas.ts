import * as v from 'valibot'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { cleaned, isBlank } from '#shared/lib/clean-text.ts'

/** Building blocks of the contract: ids are checked for shape here, once, so no handler has to. */

const wellFormed = v.check((value: string) => value.isWellFormed() && !value.includes('\u0000'), 'text')

/** `type:id` with the characters. */
export const cid = v.pipe(v.string(), v.maxLength(129), v.regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9!_-]+$/), v.transform(asCid))
export const messageId = v.pipe(v.string(), v.minLength(1), v.maxLength(255), wellFormed, v.transform(asMessageId))
export const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(255), wellFormed, v.transform(asUserId))
/** Where a server's list goes on, in the server's own words. */
export const pageCursor = v.pipe(v.string(), v.minLength(1), v.maxLength(4_000), wellFormed)
export const key = v.pipe(v.string(), v.minLength(1), v.maxLength(400), wellFormed)
/** Twice the ceiling: the rule about length answers with a plain issue, the border only stops the absurd. */
export const text = v.pipe(v.string(), v.maxLength(MAX_MESSAGE_LENGTH * 2), v.transform(cleaned))
/** What stands in a composer, however much was pasted: it may go in parts or as a file. Fits into one call in any script. */
export const longText = v.pipe(v.string(), v.maxLength(300_000), v.transform(cleaned))
export const shortText = v.pipe(v.string(), v.maxLength(500), v.transform(cleaned))
/** A name, or a line that says something. */
export const line = v.pipe(
  shortText,
  v.trim(),
  v.check((value) => !isBlank(value), 'blank'),
)
/** Milliseconds, from a minute to ten years. */
export const duration = v.pipe(v.number(), v.integer(), v.minValue(60_000), v.maxValue(10 * 365 * 24 * 3_600_000))
export const nothing = v.undefined()
/** At most 600 kB. */
export const picture = v.object({
  base64: v.pipe(v.string(), v.maxLength(800_000), v.base64()),
  mimeType: v.picklist(['image/png', 'image/jpeg', 'image/webp']),
})
export type SmallPicture = v.InferOutput<typeof picture>

/** The last instant that a date can say. */
const LAST_INSTANT = 8.64e15

/**
 * Where a list is to stand. Without any of it at its newest page.
 *
 * - `around`: at this message, which is loaded with its neighbours where it is not held;
 * - `at` (epoch milliseconds): at the first message at or after this time, else the last before it. Beside `around` it
 *   is where to go when that message no longer exists;
 * - `unread`: at the first unread message, which is loaded with its neighbours where the server has earlier ones than are
 *   held; without a connection at the first that is held (`Window.landed` says which);
 * - `visit` names the call in `Window.landed`, so that rows and place arrive as one.
 *
 * The last call wins: one that is still loading when the list is moved or closed changes nothing any more. Answers the
 * message the list stands at, `null` at the newest page (with `unread` where nothing is). Rejects with `message/gone`, with `network/offline` where
 * nothing of that place is held, and as the server does.
 */
export const aim = {
  around: v.optional(messageId),
  at: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(LAST_INSTANT))),
  unread: v.optional(v.literal(true)),
  visit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
}
