import type { HandlersOf } from '#shared/bridge/index.ts'
import { type Cid, asCid, type UserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { searchRoles } from '#shared/wire/admin.ts'
import {
  deleteChannel,
  hideChannel,
  muteChannel,
  showChannel,
  truncateChannel,
  unmuteChannel,
  updateChannel,
  updateOwnMember,
  type ChannelUpdateBody,
  updateChannelPartial,
  queryChannels,
} from '#shared/wire/channels.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { uploadImage } from '#shared/wire/uploads.ts'
import type { ChannelInvite, Inbox } from '#shared/domain/channel.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as removal from '#main/cache/messages/removal.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Recovery, type Requests, requireConnection } from '../../core.ts'
import { asList, asWire, idOf, timeIn } from '../../decode/read.ts'
import { refreshTimeline } from '../../sync/recover.ts'
import { writeChannel, writeMember } from '../../sync/write.ts'
import { decodeChannel } from '../../decode/channel.ts'
import { createManyReads } from '../reads/many.ts'
import type { ReadMarker } from '../reads/marker.ts'
import { sendSmall } from '../uploads/staging.ts'

type Managing =
  | 'markAllRead'
  | 'markManyRead'
  | 'undoRead'
  | 'mute'
  | 'pin'
  | 'archive'
  | 'hide'
  | 'leave'
  | 'join'
  | 'delete'
  | 'clearHistory'
  | 'setImage'
  | 'moderate'
  | 'memberRoles'
  | 'assignRole'
  | 'update'
  | 'addMembers'
  | 'removeMembers'
  | 'invite'
  | 'invites'
  | 'answerInvite'

type Parts = Recovery &
  Pick<Core, 'context' | 'me' | 'notify' | 'outbox' | 'ports' | 'serverNow' | 'stagingFolder' | 'stores'>

/** Actions on a whole channel. The server decides, so all but reading need a connection. */
export function manageCalls(core: Parts, marker: ReadMarker): Pick<HandlersOf<'channels', CallContext>, Managing> {
  const many = createManyReads(core, marker)
  return {
    markAllRead: () => many.mark(),
    markManyRead: ({ cids }) => many.mark(cids),
    undoRead: ({ cids }) => many.undo(cids),
    mute: ({ cid, muted, forMs }) => mute(core, cid, muted, forMs),
    pin: ({ cid, pinned }) => changeMembership(core, cid, { pinned }),
    archive: ({ cid, archived }) => changeMembership(core, cid, { archived }),
    hide: ({ cid, hidden, clearHistory }) => (hidden ? hide(core, cid, clearHistory) : show(core, cid)),
    leave: async ({ cid }) => {
      await change(core, cid, { remove_members: [core.me] })
      forget(core, cid)
    },
    join: async ({ cid }) => {
      await change(core, cid, { add_members: [core.me] })
      await refreshTimeline(core, cid).tried
    },
    delete: async ({ cid }) => {
      requireConnection(core)
      await core.api.send(deleteChannel, { params: splitCid(cid), query: {}, signal: core.life })
      core.memory.deleted.add(cid)
      forget(core, cid)
    },
    clearHistory: async ({ cid }) => {
      requireConnection(core)
      const asOf = core.asOf()
      const reply = await core.api.send(truncateChannel, { params: splitCid(cid), body: {}, signal: core.life })
      core.write((tx) => {
        removal.truncate(tx, cid, timeIn(reply.channel, 'truncated_at'))
        writeChannel(tx, reply.channel, Math.max(asOf, timeIn(reply.channel, 'updated_at') ?? 0))
      })
      core.housekeeping.erased()
    },
    update: (input) => update(core, input),
    setImage: ({ cid, image }) => setChannelImage(core, cid, image),
    moderate: ({ cid, userId, moderator }) =>
      change(core, cid, moderator ? { add_moderators: [userId] } : { demote_moderators: [userId] }),
    memberRoles: () => memberRoles(core),
    assignRole: ({ cid, userId, role }) =>
      change(core, cid, { assign_roles: [{ user_id: userId, channel_role: role }] }),
    addMembers: ({ cid, userIds }) => change(core, cid, { add_members: userIds }),
    removeMembers: ({ cid, userIds }) => change(core, cid, { remove_members: userIds }),
    invite: ({ cid, userIds }) => change(core, cid, { invites: userIds }),
    invites: () => fetchInvites(core),
    answerInvite: async ({ cid, accept }) => {
      await change(core, cid, accept ? { accept_invite: true } : { reject_invite: true })
      forgetInvite(core, cid)
      if (accept) await refreshTimeline(core, cid).tried
    },
  }
}

/** Roles of channels. One that may also be given in the workspace has no scope. */
async function memberRoles(core: Requests): Promise<readonly string[]> {
  requireConnection(core)
  const query = { query: '', role_type: 'channel', limit: 100 }
  const { roles } = await core.api.send(searchRoles, { query, signal: core.life })
  return asList(roles).flatMap((role) => idOf(asWire(role)?.['name']) ?? [])
}

async function mute(core: Parts, cid: Cid, muted: boolean, forMs: number | undefined): Promise<void> {
  requireConnection(core)
  const until = muted && forMs !== undefined ? { expiration: forMs } : {}
  await core.api.send(muted ? muteChannel : unmuteChannel, { body: { channel_cid: cid, ...until }, signal: core.life })
  const expiresAt = forMs === undefined ? undefined : core.serverNow() + forMs
  core.write((tx) => mutes.set(tx, 'channel', cid, muted, expiresAt))
}

/** Pins or archives the channel for the viewer: the server stores it for all their devices. */
export async function changeMembership(
  core: Parts,
  cid: Cid,
  set: { readonly pinned: boolean } | { readonly archived: boolean },
): Promise<void> {
  requireConnection(core)
  const asOf = core.serverNow()
  const reply = await core.api.send(updateOwnMember, { params: splitCid(cid), body: { set }, signal: core.life })
  core.write((tx) => writeMember(tx, reply.channel_member, cid, asOf))
}

async function hide(core: Parts, cid: Cid, clearHistory: boolean): Promise<void> {
  requireConnection(core)
  await core.api.send(hideChannel, {
    params: splitCid(cid),
    body: { user_id: null, clear_history: clearHistory },
    signal: core.life,
  })
  core.write((tx) => {
    channels.patch(tx, cid, { hidden: true })
    if (clearHistory) removal.truncate(tx, cid)
  })
  if (clearHistory) core.housekeeping.erased()
}

async function show(core: Pick<Core, 'api' | 'isHealthy' | 'life' | 'write'>, cid: Cid): Promise<void> {
  requireConnection(core)
  await core.api.send(showChannel, { params: splitCid(cid), body: { user_id: null }, signal: core.life })
  core.write((tx) => channels.patch(tx, cid, { hidden: false }))
}

/** The viewer has left: everything about the channel is removed from this device. */
function forget(core: Pick<Core, 'housekeeping' | 'watched' | 'write'>, cid: Cid): void {
  core.watched.delete(cid)
  core.write((tx) => channels.remove(tx, cid))
  core.housekeeping.erased()
}

/** No `data` in the body: the server would replace all of the channel's own data with it. */
async function change(core: Requests, cid: Cid, body: ChannelUpdateBody): Promise<void> {
  requireConnection(core)
  const asOf = core.asOf()
  const reply = await core.api.send(updateChannel, { params: splitCid(cid), body, signal: core.life })
  core.write((tx) => {
    const known = channels.byCid(tx, cid) !== undefined
    if (known) writeChannel(tx, reply.channel, Math.max(asOf, timeIn(reply.channel, 'updated_at') ?? 0))
    if (known) for (const member of asList(reply.members)) writeMember(tx, member, cid, asOf)
  })
}

type UpdateInput = {
  readonly cid: Cid
  readonly name?: string
  readonly topic?: string
  readonly frozen?: boolean
  readonly cooldown?: number
  readonly typingEvents?: boolean
  readonly sharedLocations?: boolean
}

type UpdateParts = Requests & Pick<Core, 'cache' | 'ports' | 'stagingFolder'>

/** Updates the given fields of a channel; others stay. */
async function update(core: UpdateParts, { cid, topic, ...wanted }: UpdateInput): Promise<void> {
  const { name, frozen, cooldown } = wanted
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(topic ? { topic } : {}),
    ...(frozen === undefined ? {} : { frozen }),
    ...(cooldown === undefined ? {} : { cooldown }),
    ...rulesOf(core, cid, wanted),
  }
  await patch(core, cid, set, topic === '' ? ['topic', 'description'] : [])
}

/** A channel's own rules are sent completely: existing ones are included. See docs/wire.md 5.19. */
function rulesOf(core: Pick<Core, 'cache'>, cid: Cid, { typingEvents, sharedLocations }: Omit<UpdateInput, 'cid'>) {
  if (typingEvents === undefined && sharedLocations === undefined) return {}
  const existing = asWire(channels.byCid(core.cache.reader, cid)?.custom['config_overrides'])
  return {
    config_overrides: {
      ...existing,
      ...(typingEvents === undefined ? {} : { typing_events: typingEvents }),
      ...(sharedLocations === undefined ? {} : { shared_locations: sharedLocations }),
    },
  }
}

async function patch(core: Requests, cid: Cid, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireConnection(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const reply = await core.api.send(updateChannelPartial, {
    params: splitCid(cid),
    body: { set, unset: unset.length === 0 ? undefined : unset },
    signal: core.life,
  })
  core.write((tx) => writeChannel(tx, reply.channel, Math.max(asOf, timeIn(reply.channel, 'updated_at') ?? 0)))
}

async function setChannelImage(core: UpdateParts, cid: Cid, picture: SmallPicture | undefined): Promise<void> {
  requireConnection(core)
  if (picture === undefined) return patch(core, cid, {}, ['image'])
  await sendSmall(core, 'channel', picture, async (file) => {
    const { file: image } = await core.api.upload(uploadImage, { params: splitCid(cid), file, signal: core.life })
    await patch(core, cid, { image }, [])
  })
}

/** More invitations are not displayed. */
const INVITES_PAGE = 30

type InvitesParts = Pick<Core, 'api' | 'collector' | 'isHealthy' | 'life' | 'me' | 'memory'>

/** Fetches the viewer's pending invitations. Without a connection, those received so far. */
async function fetchInvites(core: InvitesParts): Promise<readonly ChannelInvite[]> {
  if (!core.isHealthy()) return core.memory.inbox.invites
  const { channels: states } = await core.api.send(queryChannels, {
    body: { filter_conditions: { invite: 'pending' }, state: false, limit: INVITES_PAGE, message_limit: 0 },
    signal: core.life,
  })
  const invites = asList(states).flatMap((state) => inviteOf(asWire(state)?.['channel'], core.me) ?? [])
  saveInbox(core, { ...core.memory.inbox, invites })
  return invites
}

function forgetInvite(core: Pick<Core, 'collector' | 'memory'>, cid: Cid): void {
  if (core.memory.inbox.invites.some((invite) => invite.cid === cid)) {
    saveInbox(core, withoutInvite(core.memory.inbox, cid))
  }
}

/** The invitation to a channel, from a response or event; `undefined` if it contains none. */
export function inviteOf(channel: unknown, viewerId: UserId): ChannelInvite | undefined {
  const row = decodeChannel(channel, { viewerId, asOf: 0, isAnswer: true })?.row
  if (row === undefined) return undefined
  const topic = row.topic === undefined ? {} : { topic: row.topic }
  return { cid: asCid(row.cid), name: row.name, memberCount: row.memberCount ?? 0, ...topic }
}

export const withInvite = (inbox: Inbox, invite: ChannelInvite): Inbox => ({
  ...inbox,
  invites: [...withoutInvite(inbox, invite.cid).invites, invite],
})

export const withoutInvite = (inbox: Inbox, cid: Cid): Inbox => ({
  ...inbox,
  invites: inbox.invites.filter((invite) => invite.cid !== cid),
})

function saveInbox(core: Pick<Core, 'collector' | 'memory'>, inbox: Inbox): void {
  core.memory.inbox = inbox
  core.collector.touch('inbox', 'self')
}
