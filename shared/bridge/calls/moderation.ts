import * as v from 'valibot'
import {
  REVIEW_ACTIONS,
  type ContextMessage,
  type FiledReport,
  type OwnReport,
  type ReviewAction,
  type ReviewedAuthor,
  type ReviewItem,
  type SameText,
  type HistoryEntry,
  type MessageVersion,
  type ListedBan,
  type ListedMute,
} from '../../domain/manage/review.ts'
import { call } from '../../lib/contract.ts'
import { cid, key, messageId, nothing, pageCursor, shortText, userId, line, duration, picture } from '../schemas.ts'
import {
  LIST_KINDS,
  RULE_ACTIONS,
  RULE_FINDS,
  type DryRunStep,
  type ListedBlockList,
  type ListedRule,
  type Rules,
} from '../../domain/manage/rules.ts'
import type { UserId } from '../../lib/brand.ts'
import { PERSON_NAME_LENGTH, STATUS_LENGTH } from '../../constants.ts'
import type { Ban } from '../../domain/user.ts'

/** A page of a list that the server numbers. */
const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), 0)
const moment = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(8.64e15))

const filters = {
  cid: v.optional(cid),
  reason: v.optional(shortText),
  reporterId: v.optional(userId),
  authorId: v.optional(userId),
  /** Only what is newer. */
  since: v.optional(moment),
}

/** Several at once: one request for each. */
const MAX_AT_ONCE = 100
const several = <Schema extends v.GenericSchema>(item: Schema) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(MAX_AT_ONCE))

/** Ten years. */
const MAX_MINUTES = 10 * 365 * 24 * 60

const ban = v.object({
  scope: v.picklist(['channel', 'everywhere']),
  minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_MINUTES))),
  reason: v.optional(v.pipe(shortText, v.trim())),
  shadow: v.optional(v.boolean()),
  messages: v.optional(v.picklist(['soft', 'pruning', 'hard'])),
})

/**
 * The review queue. What reads it needs a connection and the right to review; it rejects with `network/offline`,
 * `manage/not-allowed`, `server/not-allowed`.
 */
export const review = {
  /**
   * Items that wait, newest first, or those that were decided, the last decision first; 100 at most. `next`: a cursor for
   * further ones. `actions`: what this server can do with messages and with people.
   */
  list: call<{
    readonly items: readonly ReviewItem[]
    readonly next?: string
    readonly actions: { readonly message: readonly ReviewAction[]; readonly person: readonly ReviewAction[] }
  }>()(v.object({ decided: v.optional(v.boolean(), false), cursor: v.optional(pageCursor), ...filters })),
  /** These items as they are now; those that no longer exist are left out. */
  items: call<readonly ReviewItem[]>()(v.object({ ids: several(key) })),
  /** Reports, newest first, 100 at most. */
  reports: call<{ readonly reports: readonly FiledReport[]; readonly more: boolean }>()(
    v.object({
      cid: filters.cid,
      reason: filters.reason,
      reporterId: filters.reporterId,
      since: filters.since,
      offset,
    }),
  ),
  /** Messages around one, oldest first, with itself. `refused`: the viewer may not read that channel. */
  context: call<{ readonly messages: readonly ContextMessage[]; readonly refused: boolean }>()(
    v.object({ cid, messageId, parentId: v.optional(messageId) }),
  ),
  author: call<ReviewedAuthor>()(v.object({ userId })),
  /**
   * Other messages with the same text, 100 at most: from our own server those that the viewer may search there, else from
   * this device. Also without a connection. Null: nothing can be searched.
   */
  sameText: call<SameText | null>()(v.object({ messageId, text: v.pipe(v.string(), v.maxLength(20_000)) })),
  /** Reports these messages, unless they are in the queue already. Returns the items of those that wait. */
  gather: call<{ readonly ids: readonly string[] }>()(
    v.object({ messageIds: several(messageId), reason: v.optional(shortText) }),
  ),
  /**
   * Decides about items; works without a connection. Not applied to an item that another moderator decided after
   * `seenAt`: that one is shown in the queue and in the outbox with the reason. Returns the ids of the decisions, for
   * `undo`. Rejects with `outbox/full` and `disk/full`; then nothing is queued.
   */
  decide: call<{ readonly ids: readonly string[] }>()(
    v.object({
      action: v.picklist(REVIEW_ACTIONS),
      items: several(
        v.object({
          id: key,
          /** `updatedAt` of the item that the viewer saw. */
          seenAt: moment,
          /** Identifies it in the outbox. */
          summary: shortText,
          cid: v.optional(cid),
        }),
      ),
      /** With `ban` and `unban`. */
      ban: v.optional(ban),
    }),
  ),
  /**
   * Takes decisions of this run back: queued ones are dropped, of the others the opposite is queued. `undone`: how many;
   * what was deleted for good stays so.
   */
  undo: call<{ readonly undone: number }>()(v.object({ ids: several(key) })),
  /** Called every 30 seconds while a window shows the queue: asks servers that do not notify of changes. */
  refresh: call<void>()(nothing),
  /**
   * What the viewer reported, and what became of it, newest first, 100 at most. For everyone; rejects with
   * `server/not-allowed` where the server does not show it.
   */
  mine: call<{ readonly reports: readonly OwnReport[]; readonly more: boolean }>()(v.object({ offset })),
}

const MAX_WORDS = 10_000

/** Names of rules and lists; the server checks which characters it allows. */
const name = v.pipe(line, v.maxLength(255))
const ruleId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_:. /-]{1,511}$/))
const version = v.pipe(v.string(), v.maxLength(64))
const word = v.pipe(shortText, v.trim(), v.minLength(1), v.maxLength(255))

const condition = v.variant('kind', [
  v.object({ kind: v.literal('list'), list: name }),
  v.object({ kind: v.literal('words'), words: v.pipe(v.array(word), v.minLength(1), v.maxLength(200)) }),
  v.object({ kind: v.literal('has'), what: v.picklist(RULE_FINDS) }),
  v.object({ kind: v.literal('joined'), days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650)) }),
  v.object({ kind: v.literal('role'), role: v.pipe(line, v.maxLength(64)) }),
  v.object({ kind: v.literal('channel'), cid }),
])

const fields = {
  name,
  enabled: v.boolean(),
  conditions: v.pipe(v.array(condition), v.minLength(1), v.maxLength(20)),
  action: v.picklist(RULE_ACTIONS),
  text: v.optional(v.pipe(shortText, v.trim())),
}

/**
 * Rules that the server applies to messages, and their block lists. All but `dryRun` need a connection; all need the right
 * `rules`. They reject with `network/offline`, `manage/not-allowed`, `server/not-allowed`. A change of what someone else
 * has changed since the `version` that a window shows rejects with `rules/changed`, and one of what was deleted with
 * `rules/gone`; then nothing is changed.
 */
export const rules = {
  list: call<Rules>()(nothing),
  /** Without an id a new rule, the last one. `position`: where it is checked. */
  save: call<ListedRule>()(
    v.object({
      rule: v.object({ ...fields, id: v.optional(ruleId), position: v.optional(v.pipe(v.number(), v.finite())) }),
      version: v.optional(version),
    }),
  ),
  remove: call<void>()(v.object({ id: ruleId, version })),
  /** Without a version a new list. */
  saveList: call<ListedBlockList>('heavy')(
    v.object({
      list: v.object({
        name,
        kind: v.picklist(LIST_KINDS),
        words: v.pipe(v.array(word), v.minLength(1), v.maxLength(MAX_WORDS)),
      }),
      version: v.optional(version),
    }),
  ),
  removeList: call<void>()(v.object({ name, version })),
  /**
   * One step through the messages stored on this computer, newest first in each channel: which of them the rule would have
   * decided about, among the other rules as they are. `from`: where the previous step ended. Changes nothing.
   */
  dryRun: call<DryRunStep>()(
    v.object({
      rule: v.object({ ...fields, id: v.optional(ruleId), position: v.optional(v.pipe(v.number(), v.finite())) }),
      /** Epoch milliseconds; absent: everything. */
      since: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))),
      from: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
    }),
  ),
}

export const historyFilter = v.object({
  byId: v.optional(userId),
  targetId: v.optional(userId),
  cid: v.optional(cid),
  actions: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z_.]{1,64}$/))), v.maxLength(64))),
  from: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/**
 * What moderators and administrators did. All need a connection and the right `history`; they reject with
 * `network/offline`, `manage/not-allowed`, `server/not-allowed`.
 */
export const history = {
  /**
   * Newest first, 50 at most. `since`: the time of the oldest entry of all; `keptDays`: after how many days the server
   * deletes entries. `next` absent: there are no more.
   */
  list: call<{
    readonly entries: readonly HistoryEntry[]
    readonly since?: number
    readonly keptDays?: number
    readonly next?: string
  }>()(v.object({ filter: historyFilter, next: v.optional(pageCursor) })),
  /** Ends a ban, or restores a deleted message; restoring needs a server token. */
  undo: call<void>()(
    v.variant('undo', [
      v.object({ undo: v.literal('unban'), userId, cid: v.optional(cid) }),
      v.object({ undo: v.literal('restore'), messageId }),
    ]),
  ),
  /** All versions of a message, newest first, and who wrote each. Needs a server token. */
  versions: call<readonly MessageVersion[]>()(v.object({ messageId })),
}

/**
 * Bans in all channels and in the whole workspace. All need a connection and the right to review; they reject with
 * `network/offline`, `manage/not-allowed`, `server/not-allowed`.
 */
export const bans = {
  /**
   * Bans in force, newest first, or those that are over, the latest first; 100 at most. `more`: the server has further
   * ones. `onlyExpired`: of the ended ones the server lists those whose time was over, and no others.
   */
  list: call<{ readonly bans: readonly ListedBan[]; readonly more: boolean; readonly onlyExpired?: true }>()(
    v.object({
      userId: v.optional(userId),
      byId: v.optional(userId),
      cid: v.optional(cid),
      /** A part of the reason, or of the name of the person. */
      query: v.optional(shortText),
      shadow: v.optional(v.boolean()),
      /** Only those in the whole workspace, not in a channel. */
      everywhere: v.optional(v.boolean(), false),
      ended: v.optional(v.boolean(), false),
      offset,
    }),
  ),
  /** Removes bans. `refused`: those that the server did not remove, each with its reason; the others are removed. */
  unban: call<{
    readonly refused: readonly { readonly userId: string; readonly cid?: string; readonly code: string }[]
  }>()(
    v.object({
      bans: v.pipe(v.array(v.object({ userId, cid: v.optional(cid) })), v.minLength(1), v.maxLength(MAX_AT_ONCE)),
    }),
  ),
  /**
   * Who muted whom, by pages of people: with the server token everyone's mutes, else the viewer's own. `more`: there are
   * further people; a page may be empty.
   */
  mutes: call<{ readonly mutes: readonly ListedMute[]; readonly more: boolean }>()(v.object({ offset })),
  /** Ends a mute. Another person's needs the server token. */
  unmute: call<void>()(v.object({ userId, byId: userId })),
}

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
