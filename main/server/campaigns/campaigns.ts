import {
  exclusionOf,
  type Standing,
  renderText,
  type FieldSource,
  type FieldSources,
} from '#shared/rules/campaigns/campaigns.ts'
import { distinctId } from '#main/lib/ids.ts'
import type { CampaignInput } from '#shared/wire/campaigns.ts'
import type { Identity } from '../http/auth/identify.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { announceAdded, announceCreation } from '../channels/channel-query.ts'
import { takeOut } from '../channels/member-changes.ts'
import { readMessage } from '../messages/message-input.ts'
import { post } from '../messages/message-post.ts'
import { messageById } from '../messages/message-table.ts'
import {
  addCampaignTarget,
  campaignById,
  pendingTargets,
  putCampaign,
  putCampaignTarget,
  segmentById,
  sentIn,
  type CampaignRow,
  type CountedCampaign,
  type CampaignTarget,
} from './campaign-tables.ts'
import { channelByCid, recountMembers, type ChannelRow } from '../channels/channel-table.ts'
import { changeMember, memberOf } from '../channels/member-table.ts'
import { insertPoll, messageOfPoll, optionsOf, pollById } from '../polls/poll-tables.ts'
import { userById, usersByIds, type UserRow } from '../users/user-tables.ts'
import { transact, trying, type Services, type Work } from '../work.ts'
import { accessTo } from '../channels/access.ts'
import { addMember, checkChannelId, createChannel } from '../channels/channels.ts'
import type { Json } from '../http/json.ts'
import { wakeDueTimer } from '../store/time.ts'
import { FIRST_PLACE, readSlice, type SegmentPlace } from './segments.ts'
import type { Db } from '../store/db.ts'

/** Messages sent in one transaction, during which other requests wait: about as long as for a slice of gathering. */
export const BATCH = 20

/** Rows that one slice of gathering looks at, in one transaction. */
export const GATHERED = 1_000

/** How far the people of a campaign have been gathered: `source` 0 are those it names, then come its segments. */
type Gathering = SegmentPlace & { readonly source: number }

/**
 * Gathers the next people and channels of a campaign. See docs/wire.md 8.20. There may be 100,000 of them, so this is
 * done in slices, and sending begins after the last one: it is in the order of the ids.
 */
function gather(work: Work, row: CampaignRow): string | null {
  let gathering: Gathering | undefined = row.gathering === null ? undefined : (JSON.parse(row.gathering) as Gathering)
  for (let left = GATHERED; left > 0 && gathering !== undefined;) {
    const { kind, ids, read, next } = sliceOf(work, row, gathering, left)
    for (const id of kind === 'user' ? reachable(work, row, ids) : ids) {
      addCampaignTarget(work.db, row.id, kind, id, work.now)
    }
    left -= Math.max(1, read)
    gathering = next
  }
  return gathering === undefined ? null : JSON.stringify(gathering)
}

function sliceOf(work: Work, row: CampaignRow, { source, ...place }: Gathering, most: number) {
  const segmentIds = JSON.parse(row.segment_ids) as string[]
  const behind = source < segmentIds.length ? { ...FIRST_PLACE, source: source + 1 } : undefined
  if (source === 0) {
    const { user_ids: named = [] } = JSON.parse(row.input) as CampaignInput
    const left = named.slice(Number(place.after))
    const next = left.length > most ? { source, part: 0, after: String(Number(place.after) + most) } : behind
    return { kind: 'user' as const, ids: left.slice(0, most), read: Math.min(most, left.length), next }
  }
  // One that was deleted meanwhile adds nobody.
  const segment = segmentById(work.db, segmentIds[source - 1] ?? '')
  if (segment === undefined) return { kind: 'user' as const, ids: [], read: 0, next: behind }
  const { next, ...slice } = readSlice(work.db, segment, row.sender_id, place, most)
  return { kind: segment.type, ...slice, next: next === undefined ? behind : { source, ...next } }
}

/** By the rule of a dry run: without the sender and without those who cannot sign in. */
function reachable(work: Work, row: CampaignRow, ids: readonly string[]): string[] {
  const users = usersByIds(work.db, ids)
  return ids.filter((id) => exclusionOf(id, row.sender_id, standingOf(users.get(id))) === undefined)
}

function standingOf(user: UserRow | undefined): Standing {
  if (user === undefined) return 'unknown'
  if (user.deleted_at !== null) return 'deleted'
  return user.deactivated_at === null ? 'active' : 'deactivated'
}

/** Starts a campaign. Its first messages are sent after the commit, or when everyone is gathered. */
export function launch(work: Work, row: CampaignRow): void {
  const begun = { ...row, gathering: JSON.stringify({ ...FIRST_PLACE, source: 0 } satisfies Gathering) }
  putCampaign(work.db, { ...begun, status: 'in_progress', started_at: work.now, updated_at: laterThan(row, work) })
  const isGathered = proceed(work, begun)
  work.afterwards(() => {
    if (isGathered) runBatch(work, row.id)
    // The rest follows at once, and not at the next regular check.
    wakeDueTimer(work.db)
  })
}

export const UNFINISHED = `SELECT id FROM campaigns WHERE status = 'in_progress'
  UNION ALL SELECT id FROM campaigns WHERE gathering > '' AND status <> 'in_progress'`

/** Starts campaigns that are due, and continues running ones. */
export function continueCampaigns(work: Work): void {
  const due = work.db.all<CampaignRow>(
    `SELECT * FROM campaigns WHERE status = 'scheduled' AND scheduled_for <= ?`,
    work.now,
  )
  for (const row of due) launch(work, row)
  for (const { id } of work.db.all<{ id: string }>(UNFINISHED)) {
    if (!due.some((row) => row.id === id)) work.afterwards(() => runBatch(work, id))
  }
}

/** Gathers some more, and says whether that was all. One that was stopped is gathered too: whom it missed is said. */
function proceed(work: Work, row: CampaignRow): boolean {
  const gathering = gather(work, row)
  work.db.run('UPDATE campaigns SET gathering = ? WHERE id = ?', gathering, row.id)
  return gathering === null
}

/** Gathers a slice of its people, or sends one batch; ends the campaign after the last one, or at its end time. */
function runBatch(services: Services, id: string): void {
  transact(services, (work) => {
    const row = campaignById(work.db, id)
    if (row !== undefined && row.gathering !== null) return void proceed(work, row)
    if (row?.status !== 'in_progress') return
    if (row.stop_at !== null && row.stop_at <= work.now) {
      return putCampaign(work.db, ended(work, row, 'stopped'))
    }
    for (const target of pendingTargets(work.db, id, BATCH)) deliverTo(work, row, target)
    if (pendingTargets(work.db, id, 1).length > 0) return
    const after = campaignById(work.db, id) ?? row
    putCampaign(work.db, ended(work, after, 'completed'))
  })
}

/** Every change has a time of its own, which is how a caller says what it has seen. */
export const laterThan = (row: { readonly updated_at: number }, work: Work): number =>
  Math.max(work.now, row.updated_at + 1)

export const ended = (work: Work, row: CampaignRow, status: 'stopped' | 'completed'): CampaignRow => ({
  ...row,
  status,
  completed_at: work.now,
  updated_at: laterThan(row, work),
})

/** A failed target does not stop the others, and leaves nothing behind: no empty channel either. */
function deliverTo(work: Work, row: CampaignRow, target: CampaignTarget): void {
  try {
    const done = trying(work, (inner) => send(inner, row, target))
    putCampaignTarget(work.db, { ...target, ...done, updated_at: work.now })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    putCampaignTarget(work.db, { ...target, state: 'failed', reason: error.message, updated_at: work.now })
  }
}

type Outcome = Pick<CampaignTarget, 'state' | 'cid' | 'message_id' | 'reason'>

function send(given: Work, row: CampaignRow, target: CampaignTarget): Outcome {
  const input = JSON.parse(row.input) as CampaignInput
  const work = input.skip_webhook === true ? withoutPrograms(given) : given
  const channel =
    target.kind === 'channel' ? channelByCid(work.db, target.target_id) : channelFor(work, row, input, target)
  if (!channel || channel.deleted_at !== null) {
    return { state: 'skipped', cid: null, message_id: null, reason: 'there is no channel' }
  }
  const known = sentIn(work.db, row.id, channel.cid)
  if (known !== undefined) return { state: 'sent', cid: channel.cid, message_id: known, reason: null }
  const who = senderOf(work, row)
  const { text: template = '', attachments, custom, poll_id } = input.message_template
  const { text } = renderText(template, fieldSources(work, row, input, target, channel))
  const poll = poll_id ? pollForOne(work, poll_id, row.sender_id) : undefined
  const draft = readMessage({ ...custom, text, attachments: attachments ?? [], poll_id: poll })
  const message = post(work, accessTo(work.db, channel, who), who, draft, { keepHidden: input.show_channels !== true })
  if (!messageById(work.db, message.id)) return refuse('input', 'a rule of the workspace returned the message')
  settleSender(work, input, row.sender_id, channel.cid)
  return { state: 'sent', cid: channel.cid, message_id: message.id, reason: null }
}

/** See docs/wire.md 5.17 `skip_webhook`. */
const withoutPrograms = (work: Work): Work => ({
  ...work,
  emit: (emission) => work.emit({ ...emission, skipPrograms: true }),
})

/** A message in a channel that several people get it in is to nobody in particular. */
function fieldSources(
  work: Work,
  row: CampaignRow,
  input: CampaignInput,
  target: CampaignTarget,
  channel: ChannelRow,
): FieldSources {
  const isForOne = target.kind === 'user' && input.channel_template?.id === undefined
  return {
    sender: personSource(userById(work.db, row.sender_id)),
    receiver: isForOne ? personSource(userById(work.db, target.target_id)) : undefined,
    channel: { id: channel.id, name: channel.name, custom: JSON.parse(channel.custom) as Json },
  }
}

const personSource = (user: UserRow | undefined): FieldSource | undefined =>
  user && { id: user.id, name: user.name, language: user.language, custom: JSON.parse(user.custom) as Json }

/** The sender acts with the rights of the server. */
function senderOf(work: Work, row: CampaignRow): Identity {
  const role = userById(work.db, row.sender_id)?.role ?? 'user'
  return { userId: row.sender_id, role, banned: false, server: true, expiresAtMs: undefined }
}

/** A poll belongs to one message and its sender: every further message gets a copy. */
function pollForOne(work: Work, pollId: string, senderId: string): string {
  const poll = pollById(work.db, pollId)
  if (!poll) return refuse('doesNotExist', `poll ${pollId} does not exist`)
  if (poll.created_by === senderId && messageOfPoll(work.db, pollId) === undefined) return pollId
  const copy = { ...poll, id: work.ids.uuid(), created_by: senderId, created_at: work.now, updated_at: work.now }
  insertPoll(work.db, copy, optionsOf(work.db, pollId))
  return copy.id
}

/** The conversation of the sender and the user, or the channel that the template names. */
function channelFor(
  work: Work,
  row: CampaignRow,
  input: CampaignInput,
  target: CampaignTarget,
): ChannelRow | undefined {
  const template = input.channel_template
  const type = template?.type ?? 'messaging'
  const pair = [row.sender_id, target.target_id]
  const templated = [...(template?.members ?? []), ...(template?.members_template ?? []).map((each) => each.user_id)]
  const all = [...new Set([...pair, ...templated])]
  const id = template?.id ?? distinctId(all)
  const found = channelByCid(work.db, checkChannelId(type, id))
  const members = input.sender_mode === 'exclude' ? all.filter((each) => each !== row.sender_id) : all
  if (!found) return input.create_channels ? create(work, row, input, { type, id, members }) : undefined
  if (template?.id !== undefined) joinAll(work, row, found, members)
  else if (input.sender_mode === 'include') joinAll(work, row, found, [row.sender_id])
  const who = senderOf(work, row)
  if (input.sender_mode === 'exclude') takeOut(work, accessTo(work.db, found, who), who, row.sender_id)
  return found
}

function create(
  work: Work,
  row: CampaignRow,
  input: CampaignInput,
  place: { type: string; id: string; members: string[] },
): ChannelRow {
  const template = input.channel_template
  const templates = new Map(template?.members_template?.map((each) => [each.user_id, each]))
  const data = { ...template?.custom, ...(template?.team === undefined ? {} : { team: template.team }) }
  const members = place.members.map((userId) => {
    const member = templates.get(userId)
    return { userId, role: member?.channel_role, custom: { ...member?.custom } }
  })
  const { type, id } = place
  const made = createChannel(work.db, { type, id, createdBy: row.sender_id, data, members, invites: [] }, work.now)
  announceCreation(work, accessTo(work.db, made, senderOf(work, row)), row.sender_id)
  work.db.run('UPDATE campaigns SET channels_created = channels_created + 1 WHERE id = ?', row.id)
  return made
}

function joinAll(work: Work, row: CampaignRow, channel: ChannelRow, ids: readonly string[]): void {
  for (const userId of ids) {
    if (memberOf(work.db, channel.cid, userId)) continue
    addMember(work.db, channel.cid, { userId, role: undefined, custom: {} }, work.now)
    recountMembers(work.db, channel.cid)
    announceAdded(work, accessTo(work.db, channel, senderOf(work, row)), userId)
  }
}

/** See docs/wire.md 5.17 `sender_visibility`. */
function settleSender(work: Work, input: CampaignInput, senderId: string, cid: string): void {
  if (input.sender_visibility === 'hidden') changeMember(work.db, cid, senderId, { hidden: 1 })
  if (input.sender_visibility === 'archived') changeMember(work.db, cid, senderId, { archived_at: work.now })
}

export function knownCampaign(work: Work, id: string): CountedCampaign {
  return campaignById(work.db, id) ?? refuse('doesNotExist', `campaign ${id} does not exist`)
}

type Removable = 'campaigns' | 'segments'

/** Rows that one slice removes, in one transaction. */
export const REMOVED = 1_000

/** What removes each kind, from the first row to the last. */
export const REMOVALS = {
  campaigns: {
    begin: 'UPDATE campaigns SET removed_at = ?, gathering = NULL WHERE id = ?',
    begun: 'SELECT id FROM campaigns WHERE removed_at IS NOT NULL LIMIT 1',
    slice: `DELETE FROM campaign_targets WHERE (campaign_id, kind, target_id) IN (
      SELECT campaign_id, kind, target_id FROM campaign_targets WHERE campaign_id = ? LIMIT ?)`,
    end: 'DELETE FROM campaigns WHERE id = ?',
    rest: 'DELETE FROM campaigns WHERE id = ? AND removed_at IS NOT NULL',
  },
  segments: {
    begin: 'UPDATE segments SET removed_at = ? WHERE id = ?',
    begun: 'SELECT id FROM segments WHERE removed_at IS NOT NULL LIMIT 1',
    slice: `DELETE FROM segment_targets WHERE (segment_id, target_id) IN (
      SELECT segment_id, target_id FROM segment_targets WHERE segment_id = ? LIMIT ?)`,
    end: 'DELETE FROM segments WHERE id = ?',
    rest: 'DELETE FROM segments WHERE id = ? AND removed_at IS NOT NULL',
  },
} as const

/**
 * Removes a campaign or a segment: from now on nobody sees it. It may have 100,000 people, who are removed in slices, so
 * that others are answered in between. A restart continues with those who are left.
 */
export function remove(work: Work, kind: Removable, id: string): void {
  const { db } = work
  // Clears the cached sizes of segments. The slices do not: nobody asks for the size of what they do not see.
  db.changing('segment_targets').run(REMOVALS[kind].begin, work.now, id)
  if (!removeSlice(db, kind, id)) work.afterwards(() => wakeDueTimer(db))
}

/** Removes some more of what is being removed. */
export function continueRemovals({ db }: Work): void {
  for (const kind of ['campaigns', 'segments'] as const) {
    const row = db.get<{ id: string }>(REMOVALS[kind].begun)
    if (row !== undefined) removeSlice(db, kind, row.id)
  }
}

/** Whoever takes the id of a removed one gets nothing of it. That is rare, so what is left of it goes at once. */
export function freeId(db: Db, kind: Removable, id: string): void {
  db.changing('segment_targets').run(REMOVALS[kind].rest, id)
}

/** Whether that was all of it. */
function removeSlice(db: Db, kind: Removable, id: string): boolean {
  if (db.keepingCaches.run(REMOVALS[kind].slice, id, REMOVED) === REMOVED) return false
  db.keepingCaches.run(REMOVALS[kind].end, id)
  return true
}
