import { asCid, asUserId } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { Tx } from '#main/cache/store.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { HandledEvent } from '../../decode/events.ts'
import { asWire, idOf } from '../../decode/read.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { writeChannel, writeMember, writeUser } from '../../sync/write.ts'

/**
 * `member_count` is taken from the channel, never counted here. Events about a channel that is not cached do not add it.
 * See docs/wire.md 4.6.
 */
const memberEvents: Appliers = {
  'member.added': (tx, event, { at }) => {
    if (!isCached(tx, event.cid)) return
    if (event.channel) writeChannel(tx, event.channel, at)
    writeMember(tx, event.member, event.cid, at)
  },
  'member.updated': (tx, event, { at, me, refetch }) => {
    if (!isCached(tx, event.cid)) return
    const before = members.one(tx, asCid(event.cid), me)?.channelRole
    if (event.channel) writeChannel(tx, event.channel, at)
    writeMember(tx, event.member, event.cid, at)
    // Another role means other capabilities, which the event does not contain.
    const after = members.one(tx, asCid(event.cid), me)?.channelRole
    if (before !== after) refetch(asCid(event.cid))
  },
  'member.removed': (tx, event, { at, me, erased, watched }) => {
    if (!isCached(tx, event.cid)) return
    if (event.channel) writeChannel(tx, event.channel, at)
    const id = idOf(event.member?.['user_id']) ?? idOf(asWire(event.member?.['user'])?.['id']) ?? event.user?.id
    if (id === undefined) return
    if (id !== me) return members.remove(tx, asCid(event.cid), asUserId(id))
    watched.delete(asCid(event.cid))
    channels.remove(tx, asCid(event.cid))
    erased()
  },
  'user.banned': (tx, event, context) => ban(tx, event, context, true),
  'user.unbanned': (tx, event, context) => ban(tx, event, context, false),
}

type Ban = HandledEvent<'user.banned'>

/** In one channel, or everywhere; the latter is stored in the user's own row. */
function ban(tx: Tx, event: Ban, { at, me, refetch }: ApplyContext, banned: boolean): void {
  writeUser(tx, event.user, at)
  if (event.cid === undefined) return
  const cid = asCid(event.cid)
  const stored = members.one(tx, cid, asUserId(event.user.id))
  if (!stored) return
  const shadow = event.shadow === true
  members.put(tx, { ...stored, banned: banned && !shadow, shadowBanned: banned && shadow, asOf: at })
  // The event does not contain the viewer's capabilities.
  if (event.user.id === me) refetch(cid)
}

const isCached = (tx: Tx, cid: string): boolean => channels.byCid(tx, cid) !== undefined

export const membersFeature = defineFeature({ events: memberEvents })
