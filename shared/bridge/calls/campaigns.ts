import * as v from 'valibot'
import {
  CAMPAIGN_ATTACHMENTS,
  CAMPAIGN_DESCRIPTION_LENGTH,
  CAMPAIGN_MEMBERS,
  CAMPAIGN_NAME_LENGTH,
  CAMPAIGN_PEOPLE,
  CAMPAIGN_SEGMENTS,
  CAMPAIGN_STATES,
  DRY_RUN_VIEWS,
  EXCLUSIONS,
  REACHES,
  SENDER_MODES,
  SENDER_VISIBILITIES,
  type CampaignAttachment,
  type CampaignPoll,
  type CampaignReplies,
  type DryRunPerson,
  type DryRunStep,
  type KeptCampaignDraft,
  type ListedCampaign,
  type OpenCampaign,
} from '../../domain/manage/campaigns.ts'
import { isFieldName } from '../../lib/field-names.ts'
import { call } from '../../lib/contract.ts'
import { cleaned } from '../../lib/clean-text.ts'
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
import { key, line, pageCursor, shortText, text, userId } from '../schemas.ts'

/** The server says which characters it allows. */
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.:-]{1,255}$/))
const version = v.pipe(v.string(), v.maxLength(64))
const json = v.pipe(v.string(), v.maxLength(20_000))
const instant = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))
const fields = v.pipe(
  v.record(
    v.pipe(v.string(), v.check(isFieldName, 'reserved')),
    v.union([
      v.pipe(v.string(), v.maxLength(5_000)),
      v.pipe(v.number(), v.finite()),
      v.boolean(),
      v.object({ json: v.pipe(v.string(), v.minLength(1), v.maxLength(5_000)) }),
    ]),
  ),
  v.maxEntries(50),
)

/** What an administrator writes, as a window sends it and as a draft is stored. */
export const campaignContent = v.object({
  name: v.pipe(line, v.maxLength(CAMPAIGN_NAME_LENGTH)),
  description: v.pipe(v.string(), v.maxLength(CAMPAIGN_DESCRIPTION_LENGTH), v.transform(cleaned), v.trim()),
  senderId: userId,
  senderMode: v.optional(v.picklist(SENDER_MODES)),
  senderVisibility: v.optional(v.picklist(SENDER_VISIBILITIES)),
  text,
  attachments: v.pipe(
    v.array(v.object({ title: shortText, image: v.boolean(), json })),
    v.maxLength(CAMPAIGN_ATTACHMENTS),
  ),
  pollId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
  fields,
  segmentIds: v.pipe(v.array(id), v.maxLength(CAMPAIGN_SEGMENTS)),
  userIds: v.pipe(v.array(userId), v.maxLength(CAMPAIGN_PEOPLE)),
  channel: v.optional(
    v.object({
      type: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)),
      id: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9!_-]{1,64}$/))),
      members: v.pipe(v.array(userId), v.maxLength(CAMPAIGN_MEMBERS)),
      moderators: v.optional(v.pipe(v.array(userId), v.maxLength(CAMPAIGN_MEMBERS))),
      team: v.optional(v.pipe(line, v.maxLength(64))),
      name: v.optional(v.pipe(line, v.maxLength(255))),
      fields,
      membersJson: v.optional(json),
    }),
  ),
  createChannels: v.boolean(),
  showChannels: v.boolean(),
  skipPush: v.boolean(),
  skipWebhook: v.boolean(),
})

const run = v.pipe(v.string(), v.minLength(1), v.maxLength(64))

/**
 * Campaigns, for those who may manage them. All but `list`, `get`, `replies` and drafts need a connection. They reject with `network/offline`,
 * `manage/not-allowed`, `campaigns/id-missing` without an id, `campaigns/gone` for one that was deleted,
 * `campaigns/changed` if someone else has changed it since the `version` that a window shows, `campaigns/state` if its
 * state rules it out, or the server's own refusal. Nothing is changed then.
 */
export const campaigns = {
  /** 50 at most, newest first; `next` continues after them. Without a connection those listed last, and when in `asOf`. */
  list: call<{ readonly campaigns: readonly ListedCampaign[]; readonly next?: string; readonly asOf?: number }>()(
    v.object({
      find: v.optional(v.pipe(shortText, v.trim(), v.maxLength(100)), ''),
      states: v.optional(v.pipe(v.array(v.picklist(CAMPAIGN_STATES)), v.minLength(1))),
      senderId: v.optional(userId),
      segmentId: v.optional(id),
      after: v.optional(pageCursor),
    }),
  ),
  /** `notSent`: how many of those without the message are named. Without a connection as it was listed last. */
  get: call<OpenCampaign>()(
    v.object({
      id: v.optional(id),
      notSent: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(CAMPAIGN_PEOPLE)), 100),
    }),
  ),
  /**
   * What others answered, counted in what this device has of the channels that the message was sent to. Absent: it has not
   * started, or its messages cannot be told from those of another campaign. Makes no request for one that was opened.
   */
  replies: call<{ readonly replies?: CampaignReplies }>()(v.object({ id: v.optional(id) })),
  create: call<ListedCampaign>('heavy')(v.object({ content: campaignContent })),
  change: call<ListedCampaign>('heavy')(v.object({ id: v.optional(id), version, content: campaignContent })),
  remove: call<void>()(v.object({ id: v.optional(id) })),
  /**
   * Starts at once, or at a time. `people` is the number that was confirmed: rejects with `campaigns/grew` if more people
   * would get it.
   */
  start: call<ListedCampaign>()(
    v.object({
      id: v.optional(id),
      version,
      people: v.pipe(v.number(), v.integer(), v.minValue(0)),
      scheduledFor: v.optional(instant),
      stopAt: v.optional(instant),
    }),
  ),
  stop: call<ListedCampaign>()(v.object({ id: v.optional(id) })),
  /**
   * One step of finding out who would get it, without sending anything. Without `run` a new one begins. `campaign`: the
   * stored version that it is about, which a start may rely on.
   */
  dryRun: call<DryRunStep>()(
    v.object({ content: campaignContent, campaign: v.optional(v.object({ id, version })), run: v.optional(run) }),
  ),
  /** Its people are not looked at any more: what was counted stays, for a start. Says nothing about another one. */
  endDryRun: call<void>()(v.object({ run })),
  /** People of the last dry run, 100 at most. Rejects with `campaigns/no-run` for another one. */
  people: call<{ readonly people: readonly DryRunPerson[]; readonly count: number }>()(
    v.object({
      run,
      view: v.picklist(DRY_RUN_VIEWS),
      find: v.optional(v.pipe(shortText, v.trim(), v.maxLength(100)), ''),
      missing: v.optional(v.pipe(v.string(), v.maxLength(100))),
      reach: v.optional(v.picklist(REACHES)),
      why: v.optional(v.picklist(EXCLUSIONS)),
      twice: v.optional(v.boolean(), false),
      /** Only those for whom it is night at this moment, as far as that is known. */
      nightAt: v.optional(instant),
      /** Only those whose time zone is not known. */
      zoneless: v.optional(v.boolean(), false),
      offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    }),
  ),
  /** What is being written, stored on this device, by the id of its campaign; `''` is a new one. */
  drafts: call<Readonly<Record<string, KeptCampaignDraft>>>()(v.object({})),
  /** Stores what is being written and says when; without `draft` it is deleted. Without `id` it is the new one. */
  keepDraft: call<{ readonly at?: number }>('heavy')(
    v.object({
      id: v.optional(id),
      draft: v.optional(v.object({ content: campaignContent, version: v.optional(version) })),
    }),
  ),
  /**
   * One chunk of a file that goes out with a campaign: base64 of at most 512 KiB, in order. The first is without `id` and
   * gets one; with the last byte the file is uploaded, and the reply is what a message carries. Rejects also with
   * `upload/type-refused` or `upload/too-large` before any byte is taken, `upload/unknown` after a restart,
   * `upload/size-mismatch` and `disk/full`.
   */
  sendFile: call<{ readonly id: string; readonly attachment?: CampaignAttachment }>('heavy')(
    v.object({
      id: v.optional(key),
      name: v.pipe(line, v.maxLength(255)),
      mimeType: shortText,
      sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(1)),
      width: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      height: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      base64: v.pipe(v.string(), v.maxLength(720_000), v.base64()),
    }),
  ),
  /** The file that is being handed over is not wanted anymore. */
  dropFile: call<void>()(v.object({ id: key })),
  /** The poll that goes out with a campaign. `poll` is absent when the server has none with this id. */
  poll: call<{ readonly poll?: CampaignPoll }>()(
    v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(255)) }),
  ),
  /** A poll of the sender's, to go out with a campaign: everyone gets a copy of it. */
  createPoll: call<{ readonly id: string }>()(
    v.object({
      senderId: userId,
      question: v.pipe(line, v.maxLength(500)),
      options: v.pipe(v.array(v.pipe(line, v.maxLength(500))), v.minLength(1), v.maxLength(100)),
    }),
  ),
}

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
