import { asCid } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as removal from '#main/cache/tables/removal.ts'
import type { Tx } from '#main/cache/tx.ts'
import { timeOf } from '../../decode/read.ts'
import type { Appliers, ApplyContext } from '../../sync/appliers.ts'
import { noteWatchers, receiveMessage, writeChannel, writeMe, writeMember } from '../../sync/write.ts'

type AboutChannel = { readonly cid: string; readonly channel?: unknown }

/** Source: wire contract 4.5 and 4.7. */
export const channelEvents: Appliers = {
  'channel.updated': (tx, event, context) => {
    const before = channels.byCid(tx, event.cid)
    // Somebody who was just removed still hears what is said about the channel: it must not come back by that.
    if (!before) return
    writeChannel(tx, event.channel, context.at)
    // Freezing changes what one may do; the event does not say what is left of it.
    if (before.frozen !== (event.channel.frozen ?? false)) context.refetch(asCid(event.cid))
    receiveIfAny(tx, event, context)
  },
  'channel.deleted': (tx, event, context) => drop(tx, event.cid, context),
  'channel.truncated': (tx, event, context) => {
    removal.truncate(tx, asCid(event.cid), timeOf(event.channel.truncated_at))
    context.erased()
    if (channels.byCid(tx, event.cid)) writeChannel(tx, event.channel, context.at)
    receiveIfAny(tx, event, context)
  },
  'channel.hidden': (tx, event, context) => {
    const cid = asCid(event.cid)
    channels.patch(tx, cid, { hidden: true })
    if (event.clear_history !== true) return
    removal.truncate(tx, cid)
    context.erased()
  },
  'channel.visible': (tx, event, context) => {
    channels.patch(tx, asCid(event.cid), { hidden: false })
    context.refetch(asCid(event.cid))
  },
  'notification.message_new': (tx, event, context) => {
    writeChannel(tx, event.channel, context.at)
    const row = receiveMessage(tx, event.message, { asOf: context.at, cid: event.cid, live: false })
    noteWatchers(event, context)
    // A member that does not watch hears only this: watch from now on, and fetch what lies between.
    if (!context.watched.has(asCid(event.cid))) context.refetch(asCid(event.cid))
    if (row && context.live && row.userId !== context.me) context.arrived(row.id)
  },
  'notification.added_to_channel': (tx, event, context) => {
    writeChannel(tx, event.channel, context.at)
    if (event.member) writeMember(tx, event.member, event.cid, context.at)
    context.refetch(asCid(event.cid))
  },
  'notification.removed_from_channel': (tx, event, context) => drop(tx, event.cid, context),
  'notification.channel_deleted': (tx, event, context) => drop(tx, event.cid, context),
  'notification.channel_truncated': (tx, event, context) => {
    const channel = event.channel as { truncated_at?: unknown } | undefined
    removal.truncate(tx, asCid(event.cid), timeOf(channel?.truncated_at))
    context.erased()
  },
  'notification.channel_mutes_updated': (tx, event, { at }) => writeMe(tx, event.me, at),
  'notification.mutes_updated': (tx, event, { at }) => writeMe(tx, event.me, at),
}

function drop(tx: Tx, cid: string, context: ApplyContext): void {
  context.watched.delete(asCid(cid))
  channels.remove(tx, asCid(cid))
  context.erased()
}

/** Updates and truncations may bring a system message along. */
function receiveIfAny(tx: Tx, event: AboutChannel & { readonly message?: unknown }, context: ApplyContext): void {
  if (!event.message) return
  const live = context.live && context.watched.has(asCid(event.cid))
  receiveMessage(tx, event.message, { asOf: context.at, cid: event.cid, live })
}
