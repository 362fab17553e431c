import type { ChannelInvite } from '#shared/domain/channel.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Commit } from '../../context.ts'
import { channelCalls } from './calls.ts'
import { detailCalls } from './details.ts'
import { channelEvents } from './events.ts'
import { watchMutes } from './mute-ends.ts'
import { changeMembership } from './manage.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Pending invitations known on this device. */
    invites(): readonly ChannelInvite[]
  }
}

type Parts = Recovery &
  Pick<
    Core,
    | 'assistants'
    | 'background'
    | 'context'
    | 'delivery'
    | 'log'
    | 'me'
    | 'notify'
    | 'outbox'
    | 'ports'
    | 'readMarker'
    | 'search'
    | 'serverNow'
    | 'stagingFolder'
    | 'stores'
    | 'syncState'
  >

const MUTED = 'mutes come with notification.channel_mutes_updated'

export const channelsFeature = defineFeature({
  events: channelEvents,
  ignored: {
    'channel.created': 'the creator has the response; members receive notification.added_to_channel',
    'channel.muted': MUTED,
    'channel.unmuted': MUTED,
  },
  create(core: Parts) {
    const mutes = watchMutes(core)
    return {
      calls: { channels: channelCalls(core, core.readMarker()), details: detailCalls(core) },
      offers: { invites: () => core.memory.inbox.invites },
      start: [{ phase: 'last', order: 10, run: () => mutes.committed() }],
      stop: [{ phase: 'timers', order: 40, run: () => mutes.stop() }],
      onCommit: [
        { order: 20, run: (commit) => bringBack(core, commit) },
        { order: 30, run: () => mutes.committed() },
      ],
    }
  },
})

type ReturningParts = Recovery &
  Pick<Core, 'background' | 'context' | 'me' | 'notify' | 'outbox' | 'ports' | 'serverNow' | 'stagingFolder' | 'stores'>

/**
 * Unarchives a channel when the viewer is mentioned in it: archiving is meant to hide noise, not mentions. Muted channels
 * stay archived.
 */
function bringBack(core: ReturningParts, commit: Commit): void {
  const { reader } = core.cache
  const away = new Set(ownPlaces(reader).flatMap(({ cid, archivedAt }) => (archivedAt === undefined ? [] : [cid])))
  // Most users have no archived channels; then new messages are not read here.
  if (away.size === 0) return
  const calling = commit.arrived.filter((message) => isNamed(message, core.me)).map(({ cid }) => cid)
  for (const cid of new Set(calling)) {
    if (!away.has(cid) || mutes.isMuted(reader, 'channel', cid, core.serverNow())) continue
    core.background('bring-back', () => changeMembership(core, cid, { archived: false }))
  }
}
