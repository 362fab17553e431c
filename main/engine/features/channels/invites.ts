import type { ChannelInvite, Inbox } from '#shared/domain/channel.ts'
import { asCid, type Cid, type UserId } from '#shared/lib/brand.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import type { Core } from '../../core.ts'
import { decodeChannel } from '../../decode/channel.ts'
import { asList, asWire } from '../../decode/read.ts'

/** More invitations are not displayed. */
const INVITES_PAGE = 30

type Parts = Pick<Core, 'api' | 'collector' | 'isHealthy' | 'life' | 'me' | 'memory'>

/** Fetches the viewer's pending invitations. Without a connection, those received so far. */
export async function fetchInvites(core: Parts): Promise<readonly ChannelInvite[]> {
  if (!core.isHealthy()) return core.memory.inbox.invites
  const { channels: states } = await core.api.send(queryChannels, {
    body: { filter_conditions: { invite: 'pending' }, state: false, limit: INVITES_PAGE, message_limit: 0 },
    signal: core.life,
  })
  const invites = asList(states).flatMap((state) => inviteOf(asWire(state)?.['channel'], core.me) ?? [])
  saveInbox(core, { ...core.memory.inbox, invites })
  return invites
}

export function forgetInvite(core: Pick<Core, 'collector' | 'memory'>, cid: Cid): void {
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
