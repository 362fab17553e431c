import * as v from 'valibot'
import type { UserId } from '../../lib/brand.ts'
import { call } from '../../lib/contract.ts'
import { PERSON_NAME_LENGTH, STATUS_LENGTH } from '../../constants.ts'
import { duration, nothing, picture, line, shortText, userId, cid } from '../schemas.ts'
import type { Ban } from '../../domain/user.ts'

/**
 * Bans. All need a connection; a ban in a channel needs `ban-channel-members` there or the right `ban`, one in the whole
 * workspace (without `cid`) the right `ban-everywhere`. They reject with `network/offline`, `manage/not-allowed` and
 * `server/not-allowed`.
 */
export const moderation = {
  /**
   * `forMs`: rounded up to whole minutes; absent: until unbanned. `shadow`: their new messages are visible only to
   * themselves and moderators. `messages`: what becomes of theirs there: deleted so that they can be restored, deleted
   * with their content, or removed; absent: they stay. `future`: also in channels that the viewer creates later. A second
   * ban replaces the first.
   */
  ban: call<void>()(
    v.object({
      cid: v.optional(cid),
      userId,
      forMs: v.optional(duration),
      reason: v.optional(v.pipe(shortText, v.trim())),
      shadow: v.optional(v.boolean(), false),
      messages: v.optional(v.picklist(['soft', 'pruning', 'hard'])),
      future: v.optional(v.boolean(), false),
    }),
  ),
  /** Removes either kind of ban. Succeeds if there is none. */
  unban: call<void>()(v.object({ cid: v.optional(cid), userId })),
  /**
   * Bans of a channel that have not expired, newest first, or that of one person. `more`: the server has further ones.
   */
  bans: call<{ readonly bans: readonly Ban[]; readonly more: boolean }>()(
    v.object({ cid, userId: v.optional(userId) }),
  ),
}

/**
 * The viewer's profile, and muting, blocking and reporting people. All but `block` and `blocked` need a connection and
 * reject with `network/offline` without one.
 */
export const people = {
  /**
   * Their messages are shown but never counted and never notify. `forMs`: rounded up to whole minutes; absent:
   * permanently.
   */
  mute: call<void>()(v.object({ userId, muted: v.boolean(), forMs: v.optional(duration) })),
  /**
   * A blocked person can no longer write to the viewer. Works without a connection: shown at once and sent later; a
   * refusal is shown in the outbox.
   */
  block: call<void>()(v.object({ userId, blocked: v.boolean() })),
  /** People the viewer has blocked, including unsent blocks, from the cache. */
  blocked: call<readonly { readonly id: UserId; readonly name: string }[]>()(nothing),
  /**
   * The viewer's name and status; an empty status is removed. With `statusUntil` (epoch milliseconds) the status ends by
   * itself then; a status without it has no end. Visible to others. Rejects with `server/not-allowed` if
   * the server does not let users change themselves.
   */
  changeProfile: call<void>()(
    v.object({
      name: v.optional(v.pipe(line, v.maxLength(PERSON_NAME_LENGTH))),
      statusText: v.optional(v.pipe(shortText, v.trim(), v.maxLength(STATUS_LENGTH))),
      statusUntil: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))),
    }),
  ),
  /** The viewer's profile picture; absent removes it. Rejects also with `upload/blocked`. */
  setPortrait: call<void>()(v.object({ picture: v.optional(picture) })),
  /** Reports a person to moderators. */
  flag: call<void>()(v.object({ userId, reason: v.optional(shortText) })),
}
