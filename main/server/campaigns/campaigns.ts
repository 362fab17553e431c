import { resolveAudience, type AudienceSource, type Standing } from '#shared/rules/campaigns/audience.ts'
import { renderText, type FieldSource, type FieldSources } from '#shared/rules/campaigns/fields.ts'
import { distinctId } from '#main/lib/distinct-id.ts'
import type { CampaignInput } from '#shared/wire/campaigns.ts'
import type { Identity } from '../http/auth/identify.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { announceAdded, announceCreation } from '../channels/channel-query.ts'
import { takeOut } from '../channels/member-changes.ts'
import { readMessage } from '../messages/message-input.ts'
import { post } from '../messages/message-post.ts'
import { messageById } from '../messages/message-table.ts'
import {
  campaignById,
  pendingTargets,
  putCampaign,
  putCampaignTarget,
  segmentById,
  sentIn,
  type CampaignRow,
  type CountedCampaign,
  type CampaignTarget,
  targetIds,
  type SegmentRow,
} from './campaign-tables.ts'
import { channelByCid, recountMembers, type ChannelRow } from '../channels/channel-table.ts'
import { changeMember, memberOf } from '../channels/member-table.ts'
import { insertPoll, messageOfPoll, optionsOf, pollById } from '../polls/poll-tables.ts'
import { userById, type UserRow } from '../users/user-table.ts'
import { transact, trying, type Services, type Work } from '../work.ts'
import { accessTo } from '../channels/access.ts'
import { addMember, checkChannelId, createChannel } from '../channels/channels.ts'
import type { Json } from '../http/json.ts'
import { findChannels } from '../channels/find-channels.ts'
import { findUserIds } from '../users/find-people.ts'
import type { Db } from '../store/db.ts'
import { wakeDueTimer } from '../store/due-timer.ts'

/** Messages sent in one transaction, which bounds how long other requests wait. */
const BATCH = 50

/** The users and channels of a campaign. See docs/wire.md 8.20. */
function audienceOf(work: Work, row: CampaignRow): { users: string[]; channels: string[] } {
  const input = JSON.parse(row.input) as CampaignInput
  const sources: AudienceSource[] = [{ id: null, ids: input.user_ids ?? [] }]
  const channels = new Set<string>()
  for (const id of JSON.parse(row.segment_ids) as string[]) {
    const segment = segmentById(work.db, id)
    if (!segment) continue
    const ids = idsOf(work.db, segment, row.sender_id)
    if (segment.type === 'user') sources.push({ id, ids })
    else for (const cid of ids) channels.add(cid)
  }
  const { people } = resolveAudience(sources, row.sender_id, (id) => standingOf(userById(work.db, id)))
  return { users: people.map(({ id }) => id), channels: [...channels] }
}

function standingOf(user: UserRow | undefined): Standing {
  if (user === undefined) return 'unknown'
  if (user.deleted_at !== null) return 'deleted'
  return user.deactivated_at === null ? 'active' : 'deactivated'
}

/** Starts a campaign; its first messages are sent after the commit. */
export function launch(work: Work, row: CampaignRow): void {
  const { users, channels } = audienceOf(work, row)
  const fresh = { campaign_id: row.id, state: 'pending', cid: null, message_id: null, reason: null } as const
  for (const target_id of users) putCampaignTarget(work.db, { ...fresh, kind: 'user', target_id, updated_at: work.now })
  for (const target_id of channels) {
    putCampaignTarget(work.db, { ...fresh, kind: 'channel', target_id, updated_at: work.now })
  }
  putCampaign(work.db, { ...row, status: 'in_progress', started_at: work.now, updated_at: laterThan(row, work) })
  work.afterwards(() => {
    runBatch(work, row.id)
    // The rest follows at once, and not at the next regular check.
    wakeDueTimer(work.db)
  })
}

/** Starts campaigns that are due, and continues running ones. */
export function continueCampaigns(work: Work): void {
  const due = work.db.all<CampaignRow>(
    `SELECT * FROM campaigns WHERE status = 'scheduled' AND scheduled_for <= ?`,
    work.now,
  )
  for (const row of due) launch(work, row)
  for (const { id } of work.db.all<{ id: string }>(`SELECT id FROM campaigns WHERE status = 'in_progress'`)) {
    if (!due.some((row) => row.id === id)) work.afterwards(() => runBatch(work, id))
  }
}

/** Sends one batch; ends the campaign after the last one, or at its end time. */
function runBatch(services: Services, id: string): void {
  transact(services, (work) => {
    const row = campaignById(work.db, id)
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

function send(work: Work, row: CampaignRow, target: CampaignTarget): Outcome {
  const input = JSON.parse(row.input) as CampaignInput
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

/** SQLite's limit that is none. */
const EVERYONE = -1

/** Ids of the users (or channels) of a segment: named ones, those that match its filter, or all. */
export function idsOf(db: Db, segment: SegmentRow, senderId: string): string[] {
  const named = targetIds(db, segment.id)
  const filter = JSON.parse(segment.filter) as Json
  const filtered = Object.keys(filter).length > 0
  const page = { sort: [], limit: EVERYONE, offset: 0 }
  if (segment.type === 'user') {
    const all = segment.all_users === 1
    const found = all || filtered ? findUserIds(db, { ...page, filter: all ? {} : filter, deactivated: false }) : []
    return [...new Set([...named, ...found])]
  }
  const who: Identity = { userId: senderId, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  const own = segment.all_sender_channels === 1 ? [{ members: { $in: [senderId] } }] : []
  const filters = [...own, ...(filtered ? [filter] : [])]
  const found = filters.flatMap((each) => findChannels(db, who, { ...page, filter: each }))
  return [...new Set([...named, ...found.map((channel) => channel.cid)])]
}
