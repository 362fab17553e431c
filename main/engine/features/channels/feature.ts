import type { ChannelInvite } from '#shared/domain/channel.ts'
import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { channelCalls } from './calls.ts'
import { detailCalls } from './details.ts'
import { channelEvents } from './events.ts'
import { watchMutes } from './mute-ends.ts'
import { bringBack } from './returning.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Pending invitations known on this computer. */
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
