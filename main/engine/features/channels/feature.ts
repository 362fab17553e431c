import type { ChannelInvite } from '#shared/domain/channel.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as users from '#main/cache/people/users.ts'
import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Commit } from '../../context.ts'
import { visibleChannel } from '../../changes/visible.ts'
import { sinceCalls } from '../reads/since.ts'
import { channelCalls } from './calls.ts'
import { detailCalls } from './details.ts'
import { channelEvents } from './events.ts'
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
      calls: {
        channels: { ...channelCalls(core, core.readMarker()), ...sinceCalls(core) },
        details: detailCalls(core),
      },
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

/** Watches for the end of timed channel mutes: updates the windows then, and reports missed messages in one notice. */
type MuteWatch = {
  /** Mutes may have changed. */
  committed(): void
  stop(): void
}

/** Clocks can be changed and devices sleep: checks at least this often. */
const CHECK_EVERY_MS = 60_000
/** The server's event about the end may arrive slightly before this device's timer. */
const EARLY_MS = 2_000

type MuteEndsParts = Pick<Core, 'cache' | 'collector' | 'context' | 'notify' | 'ports' | 'serverNow'>

function watchMutes(core: MuteEndsParts): MuteWatch {
  let timer: Stop | undefined
  let isStopped = false
  /** End of each mute, by the server's clock. */
  let waiting: ReadonlyMap<Cid, number> = new Map()

  function check(): void {
    const { reader } = core.cache
    const now = core.serverNow()
    const before = waiting
    waiting = new Map(
      mutes.mutedTargets(reader, 'channel', now).flatMap((target) => {
        const end = mutes.endsAt(reader, 'channel', target, now)
        return end === undefined ? [] : [[asCid(target), end] as const]
      }),
    )
    for (const [cid, end] of before) if (!waiting.has(cid) && end <= now + EARLY_MS) report(cid)
    timer?.()
    const next = Math.min(...waiting.values())
    timer =
      isStopped || !Number.isFinite(next)
        ? undefined
        : core.ports.clock.after(Math.min(next - now, CHECK_EVERY_MS), check)
  }

  function report(cid: Cid): void {
    core.collector.touch('channels', cid)
    const channel = visibleChannel(core.context, cid)
    if (channel === undefined || channel.unread === 0 || channel.muted) return
    const others = channel.directUserIds.map((id) => users.byId(core.cache.reader, id)?.name ?? id)
    const name = channel.name === '' ? others.join(', ') : channel.name
    const params = { name, count: channel.unread }
    core.notify({ code: 'unread/mute-ended', type: 'channels:mute-ended', severity: 'info', params })
  }

  return {
    committed: check,
    stop() {
      isStopped = true
      timer?.()
    },
  }
}
