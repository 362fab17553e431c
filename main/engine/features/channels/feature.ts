import type { ChannelInvite, InviteArrival } from '#shared/domain/channel.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import { ownPlaces } from '#main/cache/channels/members.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as users from '#main/cache/people/users.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as removal from '#main/cache/messages/removal.ts'
import { countedByServer } from '#main/cache/channels/unread.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Core, Recovery } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { Commit } from '../../context.ts'
import { visibleChannel } from '../../changes/visible.ts'
import { sinceCalls } from '../reads/since.ts'
import { channelCalls } from './calls.ts'
import { detailCalls } from './details.ts'
import { changeMembership, inviteOf, withInvite, withoutInvite } from './manage.ts'
import { asWire, flagOf, nameOf, timeOf } from '../../decode/read.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { noteWatchers, receiveMessage, writeChannel, writeMe, writeMember, writeUser } from '../../sync/write.ts'

type AboutChannel = { readonly cid: string; readonly channel?: unknown }

/** See docs/wire.md 4.5 and 4.7. */
const channelEvents: Appliers = {
  'channel.updated': (tx, event, context) => {
    const before = channels.byCid(tx, event.cid)
    // A removed member may still receive this event: it must not add the channel again.
    if (!before) return
    writeChannel(tx, event.channel, context.at)
    // Freezing changes the viewer's capabilities; the event does not contain them.
    if (before.frozen !== (flagOf(event.channel['frozen']) ?? false)) context.refetch(asCid(event.cid))
    if (event.history_changed === true) {
      // An import or its end: what is cached has gaps that nothing shows.
      removal.truncate(tx, asCid(event.cid))
      context.erased()
      context.refetch(asCid(event.cid))
    }
    receiveIfAny(tx, event, context)
  },
  'channel.deleted': (tx, event, context) => {
    context.memory.deleted.add(asCid(event.cid))
    drop(tx, event.cid, context)
  },
  'channel.truncated': (tx, event, context) => {
    truncate(tx, event, context)
    receiveIfAny(tx, event, context)
  },
  'channel.hidden': (tx, event, context) => {
    const cid = asCid(event.cid)
    channels.patch(tx, cid, { hidden: true, ...blockedOf(event) })
    if (event.clear_history !== true) return
    removal.truncate(tx, cid)
    context.erased()
  },
  'channel.visible': (tx, event, context) => {
    const cid = asCid(event.cid)
    // Messages written during a block are visible again, between the cached ones: no cached range is known to be
    // complete.
    if (channels.byCid(tx, cid)?.blocked === true) ranges.clear(tx, `timeline:${cid}`)
    channels.patch(tx, cid, { hidden: false, ...blockedOf(event) })
    context.refetch(cid)
  },
  'channel.frozen': (tx, event, context) => freeze(tx, event.cid, true, context),
  'channel.unfrozen': (tx, event, context) => freeze(tx, event.cid, false, context),
  'channel.kicked': (_tx, event, context) => void context.watched.delete(asCid(event.cid)),
  'notification.message_new': (tx, event, context) => {
    writeChannel(tx, event.channel, context.at)
    const row = receiveMessage(tx, event.message, { asOf: context.at, cid: event.cid, live: false })
    noteWatchers(event, context)
    // A member that does not watch receives only this event: watch from now on, and fetch what was missed.
    if (!context.watched.has(asCid(event.cid))) context.refetch(asCid(event.cid))
    if (row && context.recent && row.userId !== context.me) context.arrived(row)
  },
  'notification.added_to_channel': (tx, event, context) => {
    writeChannel(tx, event.channel, context.at)
    if (event.member) writeMember(tx, event.member, event.cid, context.at)
    context.refetch(asCid(event.cid))
  },
  'notification.invited': (tx, event, context) => {
    if (!context.live) return
    const invite = inviteOf(event.channel, context.me)
    if (invite) {
      context.memory.inbox = withInvite(context.memory.inbox, invite)
      tx.touch('inbox', 'self')
    }
    const name = nameOf(event.channel?.['name']) ?? event.cid
    const inviter = writeInviter(tx, event.user, context)
    const { by } = inviter
    const notified = { type: 'notification:channel:invited', severity: 'info' } as const
    context.later(() => {
      if (by === undefined) context.notify({ code: 'channel/invited-to', params: { name }, ...notified })
      else context.notify({ code: 'channel/invited', params: { name, by }, ...notified })
      if (invite) context.collector.invited({ ...invite, ...inviter })
    })
  },
  'notification.invite_accepted': (tx, event, context) => {
    settleInvite(tx, event.cid, context)
    if (event.channel) writeChannel(tx, event.channel, context.at)
    if (event.member) writeMember(tx, event.member, event.cid, context.at)
    context.refetch(asCid(event.cid))
  },
  'notification.invite_rejected': (tx, event, context) => {
    settleInvite(tx, event.cid, context)
    members.remove(tx, asCid(event.cid), context.me)
  },
  'notification.removed_from_channel': (tx, event, context) => drop(tx, event.cid, context),
  'notification.channel_deleted': (tx, event, context) => {
    context.memory.deleted.add(asCid(event.cid))
    drop(tx, event.cid, context)
  },
  'notification.channel_truncated': (tx, event, context) => truncate(tx, event, context),
  'notification.channel_mutes_updated': (tx, event, { at }) => writeMe(tx, event.me, at),
  'notification.mutes_updated': (tx, event, { at, refetch }) => {
    const before = mutes.of(tx, 'user')
    writeMe(tx, event.me, at)
    if (!isSame(before, mutes.of(tx, 'user'))) for (const cid of countedByServer(tx, at)) refetch(cid)
  },
}

/** Without a time everything is removed and nothing is unread: earlier counts of the server are invalid. */
function truncate(tx: Tx, event: AboutChannel, context: ApplyContext): void {
  const cid = asCid(event.cid)
  const before = timeOf(asWire(event.channel)?.['truncated_at'])
  removal.truncate(tx, cid, before)
  context.erased()
  if (!channels.byCid(tx, cid)) return
  if (event.channel) writeChannel(tx, event.channel, context.at)
  channels.patch(tx, cid, { truncatedAt: before ?? context.at })
}

function freeze(tx: Tx, cid: string, frozen: boolean, context: ApplyContext): void {
  const before = channels.byCid(tx, cid)
  if (!before || before.frozen === frozen) return
  channels.patch(tx, asCid(cid), { frozen })
  // The event does not contain the viewer's capabilities.
  context.refetch(asCid(cid))
}

/** Only events sent to the viewer contain it. Absent: unknown. */
const blockedOf = ({ channel }: { readonly channel?: unknown }): { blocked?: boolean } => {
  const blocked = flagOf(asWire(channel)?.['blocked'])
  return blocked === undefined ? {} : { blocked }
}

/** The inviting user, if the event names them: some servers send the viewer instead. */
function writeInviter(tx: Tx, wire: unknown, { at, me }: ApplyContext): Pick<InviteArrival, 'by' | 'byId' | 'byMuted'> {
  const row = wire === undefined || wire === null ? undefined : writeUser(tx, wire, at)
  if (row === undefined || row.id === me) return { byMuted: false }
  const byMuted = (['user', 'block'] as const).some((kind) => mutes.isMuted(tx, kind, row.id, at))
  return { byId: row.id, by: row.name, byMuted }
}

/** The invitation is settled: accepted or declined here or on another device, or its channel was deleted. */
function settleInvite(tx: Tx, cid: string, { memory }: ApplyContext): void {
  if (!memory.inbox.invites.some((invite) => invite.cid === cid)) return
  memory.inbox = withoutInvite(memory.inbox, asCid(cid))
  tx.touch('inbox', 'self')
}

function drop(tx: Tx, cid: string, context: ApplyContext): void {
  settleInvite(tx, cid, context)
  context.watched.delete(asCid(cid))
  channels.remove(tx, asCid(cid))
  context.erased()
}

/** Updates and truncations may contain a system message. */
function receiveIfAny(tx: Tx, event: AboutChannel & { readonly message?: unknown }, context: ApplyContext): void {
  if (!event.message) return
  const live = context.live && context.watched.has(asCid(event.cid))
  receiveMessage(tx, event.message, { asOf: context.at, cid: event.cid, live })
}

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
    | 'cacheWorker'
    | 'context'
    | 'delivery'
    | 'log'
    | 'me'
    | 'notify'
    | 'outbox'
    | 'ports'
    | 'readMarker'
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
