import * as v from 'valibot'
import { asCid, asMessageId, asUserId, isCid, isMessageId } from '#shared/lib/brand.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { cleaned, isBlank } from '#shared/lib/clean-text.ts'

/** Building blocks of the contract: ids are validated here once, so handlers do not have to. */

const wellFormed = v.check((value: string) => value.isWellFormed() && !value.includes('\u0000'), 'text')

/** `type:id` of a channel. */
export const cid = v.pipe(v.string(), v.check(isCid, 'cid'), v.transform(asCid))
export const messageId = v.pipe(v.string(), v.check(isMessageId, 'id'), v.transform(asMessageId))
/** See `WindowPlace`. */
export const windowPlace = v.object({ cid, parentId: v.optional(messageId) })
export const userId = v.pipe(v.string(), v.minLength(1), v.maxLength(255), wellFormed, v.transform(asUserId))
/** A server's page cursor, opaque. */
export const pageCursor = v.pipe(v.string(), v.minLength(1), v.maxLength(4_000), wellFormed)
export const key = v.pipe(v.string(), v.minLength(1), v.maxLength(400), wellFormed)
/** Twice the limit: the length rule reports a proper error, the bridge only refuses absurd sizes. */
export const text = v.pipe(v.string(), v.maxLength(MAX_MESSAGE_LENGTH * 2), v.transform(cleaned))
/**
 * Text of a composer, including large pastes: it may be sent in parts or as a file. Fits into one call in any script.
 */
export const longText = v.pipe(v.string(), v.maxLength(300_000), v.transform(cleaned))
export const shortText = v.pipe(v.string(), v.maxLength(500), v.transform(cleaned))
/** A name or another single line that must not be blank. */
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

/** The picture of a workspace: small, because every window holds those of all accounts. */
export const icon = v.object({ ...picture.entries, base64: v.pipe(v.string(), v.maxLength(80_000), v.base64()) })
export type SmallPicture = v.InferOutput<typeof picture>

/** The last instant that `Date` can represent. */
const LAST_INSTANT = 8.64e15

/**
 * The position of a message list. Without any of these: at the newest page.
 *
 * - `around`: at this message, which is loaded with its neighbors if it is not cached;
 * - `at` (epoch milliseconds): at the first message at or after this time, else the last before it. With `around`, the
 *   fallback if that message no longer exists;
 * - `unread`: at the first unread message, which is loaded with its neighbors if the server has an earlier one than the
 *   cached ones; without a connection at the first cached one (`Window.landed` tells which);
 * - `visit` identifies the call in `Window.landed`, so that rows and position arrive together.
 *
 * The last call wins: a call that is still loading when the list is moved or closed has no effect. Resolves with the
 * message the list is at, `null` at the newest page (with `unread`, if nothing is unread). Rejects with `message/gone`,
 * with `network/offline` if nothing around the position is cached, and as the server does.
 */
export const aim = {
  around: v.optional(messageId),
  at: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(LAST_INSTANT))),
  unread: v.optional(v.literal(true)),
  visit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
}
