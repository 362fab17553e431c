import * as v from 'valibot'
import {
  MAX_FILTER_TEXT,
  SEGMENT_KINDS,
  SEGMENT_LIMITS,
  SEGMENT_SORTS,
  type ResolvedLine,
  type Segment,
  type SegmentMember,
  type SegmentMembership,
  type SegmentReason,
  type SegmentTarget,
  type SegmentUse,
} from '../../domain/manage/segments.ts'
import { call } from '../../lib/contract.ts'
import { line, pageCursor, shortText } from '../schemas.ts'

/** Of a segment: the server says which characters it allows. */
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.:-]{1,255}$/))
/** A user id, or the cid of a channel. */
const targetId = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.check((value) => value.isWellFormed() && !value.includes('\u0000'), 'text'),
)
const kind = v.picklist(SEGMENT_KINDS)
const name = v.pipe(line, v.maxLength(SEGMENT_LIMITS.name))
const description = v.pipe(shortText, v.trim(), v.maxLength(SEGMENT_LIMITS.description))
const filter = v.pipe(v.string(), v.maxLength(MAX_FILTER_TEXT), v.check(isObject, 'filter'))
const find = v.optional(v.pipe(shortText, v.trim(), v.maxLength(100)), '')

/** What the object means is checked by the server. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Segments, for those who may manage campaigns. All but `list` and `get` need a connection. They reject with
 * `network/offline`, `manage/not-allowed`, `segments/gone` for one that was deleted, or the server's own refusal.
 */
export const segments = {
  /**
   * 50 at most; `next` continues after them. `find` matches whole names and ids, and the beginning of names. Without a
   * connection those that were listed last, with when that was in `asOf`.
   */
  list: call<{ readonly segments: readonly Segment[]; readonly next?: string; readonly asOf?: number }>()(
    v.object({
      find,
      kind: v.optional(kind),
      sort: v.optional(v.object({ by: v.picklist(SEGMENT_SORTS), direction: v.picklist([1, -1]) })),
      after: v.optional(pageCursor),
    }),
  ),
  /** Without a connection as it was listed last, with when that was in `asOf`. */
  get: call<{ readonly segment: Segment; readonly asOf?: number }>()(v.object({ id })),
  /** Rejects with `segments/taken` if the id exists. */
  create: call<Segment>()(
    v.object({
      id: v.optional(id),
      kind,
      name,
      description: v.optional(description),
      filter: v.optional(filter),
      all: v.optional(v.boolean(), false),
    }),
  ),
  /** Rejects with `segments/changed` if someone else has changed it since this version. */
  change: call<Segment>()(
    v.object({
      id,
      version: v.pipe(v.string(), v.maxLength(64)),
      name: v.optional(name),
      description: v.optional(description),
      filter: v.optional(filter),
    }),
  ),
  remove: call<void>()(v.object({ id })),
  /** Adds by hand. Rejects with `segments/unknown-target` if one does not exist; then none is added. */
  addTargets: call<Segment>('heavy')(
    v.object({ id, targetIds: v.pipe(v.array(targetId), v.minLength(1), v.maxLength(SEGMENT_LIMITS.added)) }),
  ),
  removeTargets: call<Segment>()(
    v.object({ id, targetIds: v.pipe(v.array(targetId), v.minLength(1), v.maxLength(SEGMENT_LIMITS.removed)) }),
  ),
  /** Who was added by hand, 100 at most, by id. `from`: from this id on. */
  targets: call<{
    readonly targets: readonly (SegmentTarget & { readonly member?: SegmentMember })[]
    readonly next?: string
  }>()(v.object({ id, kind, from: v.optional(targetId), after: v.optional(pageCursor) })),
  /** Whether this person or channel is in the segment with this filter, and why. */
  membership: call<SegmentMembership>()(v.object({ id: v.optional(id), kind, filter, all: v.boolean(), targetId })),
  /** The first fifty who match or were added by hand, those who were active last first, each with why. */
  members: call<readonly (SegmentMember & { readonly reason: SegmentReason })[]>()(
    v.object({ id: v.optional(id), kind, filter, all: v.boolean() }),
  ),
  /**
   * Counts who matches a filter, or everyone: 1,000 at most in one step. `from`: where the step before ended. Without
   * `next` everyone is counted.
   */
  count: call<{ readonly count: number; readonly next?: string }>()(
    v.object({ kind, filter, all: v.boolean(), from: v.optional(targetId) }),
  ),
  /** Whom the lines of a list name: by id, by e-mail address, by name. Of channels: by cid, by name. */
  resolve: call<readonly ResolvedLine[]>('heavy')(
    v.object({
      kind,
      lines: v.pipe(v.array(v.pipe(line, v.maxLength(255))), v.minLength(1), v.maxLength(200)),
    }),
  ),
  /** People or channels whose name contains the text, to choose from. */
  find: call<readonly SegmentMember[]>()(v.object({ kind, text: find })),
  /** Campaigns that send to it; 100 at most. */
  uses: call<readonly SegmentUse[]>()(v.object({ id })),
}
