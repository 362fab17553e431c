import type { WireChannel, WireChannelState } from '#shared/wire/objects.ts'
import { shownCapabilities } from '#shared/rules/channels/grants.ts'
import type { Identity } from '../http/auth/identify.ts'
import { bareDraft, draftOf } from '../drafts/draft-table.ts'
import { encodeMessages } from '../messages/encode-messages.ts'
import { encodeLocation, liveLocationsOfChannel } from '../locations/location-table.ts'
import { refuse } from '../http/refusal.ts'
import type { Connection } from '../realtime/connection.ts'
import { announceWatching } from '../realtime/presence.ts'
import { channelMute } from '../moderation/restriction-tables.ts'
import { BLOCKED_PAIR, pushPreference } from '../users/user-tables.ts'
import {
  pendingMessages,
  pinnedMessages,
  type MessageExtra,
  type MessageRow,
  findPage,
  type MessagePage,
} from '../messages/message-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import type { Db } from '../store/db.ts'
import { encodeChannel, encodeMember, encodeRead } from './encode-channels.ts'
import { isShut, type Access } from './access.ts'
import { commandsIn } from './channel-types.ts'
import { membersOf } from './member-table.ts'

/** Pinned messages sent along with a channel. See docs/wire.md 5.6. */
const PINNED_SHOWN = 10

type StateOptions = {
  readonly state: boolean
  readonly messages: MessagePage
  readonly messageLimit: number
  readonly memberLimit: number
  readonly memberOffset?: number
  readonly watchers?: { readonly limit: number; readonly offset: number }
}

/** One channel as the calling user sees it. See docs/wire.md 5.6. */
export function channelState(work: Work, access: Access, who: Identity, options: StateOptions): WireChannelState {
  const { channel, member } = access
  const members = membersOf(work.db, channel.cid, Math.max(options.memberLimit, 1), options.memberOffset)
  work.people.load(members.map((row) => row.user_id))
  const shown = options.memberLimit === 0 ? [] : members
  const rare = rareIn(work.db, channel.cid, who.userId, work.now)
  const watching = [...work.hub.watchingUsers(channel.cid)]
  return {
    channel: channelFor(work, access),
    members: shown.map((row) => encodeMember(row, work.people, access.moderates)),
    membership: member ? encodeMember(member, work.people, access.moderates) : null,
    ...messageParts(work, access, who, options, rare),
    ...(access.can.has('read-events') ? { read: options.state ? readsFor(work, access, members, who) : [] } : {}),
    watcher_count: watching.length,
    watchers: options.watchers ? watchersShown(work, watching, options.watchers) : undefined,
    threads: [],
    ...callerParts(work, access, who, rare),
    hidden: member?.hidden === 1,
    hide_messages_before: member?.hide_before ? toText(member.hide_before) : undefined,
  }
}

type CallerParts = Pick<WireChannelState, 'draft' | 'active_live_locations' | 'pending_messages' | 'push_preferences'>

/** Parts for the caller alone: their draft, pending messages, push preferences; and live locations. */
function callerParts(work: Work, access: Access, who: Identity, rare: Rare): CallerParts {
  if (isShut(access.channel, who)) return {}
  const { cid } = access.channel
  const pending = rare.pending ? pendingMessages(work.db, cid, who.userId) : []
  const preferences = pushPreference(work.db, who.userId, cid)
  const draft = draftOf(work.db, who.userId, cid, '')
  const live = rare.live ? liveLocationsOfChannel(work.db, cid, who.userId, work.now) : []
  return {
    draft: draft ? bareDraft(work, draft) : undefined,
    active_live_locations: live.length === 0 ? undefined : live.map(encodeLocation),
    pending_messages: pending.length === 0 ? undefined : pending.map((row) => encodePending(work, row, who)),
    push_preferences: preferences === undefined ? undefined : (JSON.parse(preferences) as object),
  }
}

function encodePending(work: Work, row: MessageRow, who: Identity) {
  const [message] = encodeMessages(work.db, [row], { viewer: who.userId, now: work.now, people: work.people })
  return { message, metadata: (JSON.parse(row.extra) as MessageExtra).pending_message_metadata ?? {} }
}

function messageParts(
  work: Work,
  access: Access,
  who: Identity,
  options: StateOptions,
  rare: Rare,
): Pick<WireChannelState, 'messages' | 'pinned_messages'> {
  if (!options.state || isShut(access.channel, who)) return { messages: [], pinned_messages: [] }
  const view = { viewer: who.userId, now: work.now, people: work.people }
  const scope = { kind: 'channel', key: access.channel.cid } as const
  const reader = { viewer: who.userId, floor: access.floor }
  const rows = findPage(work.db, scope, reader, options.messages, options.messageLimit)
  const pinned = rare.pinned ? pinnedMessages(work.db, access.channel.cid, reader, work.now, PINNED_SHOWN) : []
  return {
    messages: encodeMessages(work.db, rows, view),
    pinned_messages: encodeMessages(work.db, pinned, view),
  }
}

/** Read states of the members shown; the caller's own always. Users who hide read receipts are left out for others. */
function readsFor(work: Work, access: Access, members: Parameters<typeof encodeRead>[0][], who: Identity) {
  const own = access.member
  const hiding = hiders(
    work,
    members.map((row) => row.user_id),
    'read_receipts',
  )
  const others = members.filter((row) => row.user_id !== who.userId && !hiding.has(row.user_id))
  return [...(own ? [own] : []), ...others].map((row) => encodeRead(row, work.people))
}

function watchersShown(work: Work, ids: readonly string[], page: { limit: number; offset: number }) {
  return ids
    .toSorted()
    .slice(page.offset, page.offset + page.limit)
    .map(work.people)
}

/** False for a user who switched off read receipts. See docs/wire.md 8.8 "privacy". */
export function showsReads(work: Work, userId: string): boolean {
  return showsPrivately(work, userId, 'read_receipts')
}

type PrivacySetting = 'read_receipts' | 'typing_indicators' | 'delivery_receipts'

export const showsPrivately = (work: Work, userId: string, setting: PrivacySetting): boolean =>
  hiders(work, [userId], setting).size === 0

/** The users among these who switched a setting off, read with one query. */
function hiders(work: Work, userIds: readonly string[], setting: PrivacySetting): Set<string> {
  const rows = work.db.all<{ id: string; privacy: string }>(
    'SELECT id, privacy FROM users WHERE id IN (SELECT value FROM json_each(?)) AND privacy IS NOT NULL',
    JSON.stringify(userIds),
  )
  const isOff = (privacy: string): boolean =>
    (JSON.parse(privacy) as Record<string, { enabled?: boolean } | undefined>)[setting]?.enabled === false
  return new Set(rows.filter((row) => isOff(row.privacy)).map((row) => row.id))
}

/** The channel with configuration and the user's capabilities. */
export function channelFor(work: Work, access: Access): WireChannel {
  const { channel, member } = access
  const mute = member ? channelMute(work.db, member.user_id, channel.cid) : undefined
  return encodeChannel(channel, {
    flags: access.flags,
    user: work.people,
    withConfig: commandsIn(work.db, access.flags),
    capabilities: shownCapabilities(access.can),
    moderates: access.moderates,
    member,
    muted: member ? mute !== undefined : undefined,
    muteEnds: mute?.expires_at || undefined,
    blocked: isBlocked(work, access) ? true : undefined,
  })
}

/** Whether this is a conversation of two users of whom one blocked the other. */
function isBlocked(work: Work, { channel, member }: Access): boolean {
  if (!member || channel.member_count !== 2) return false
  return work.db.get(`SELECT 1 FROM channels c WHERE c.cid = ? AND ${BLOCKED_PAIR}`, channel.cid) !== undefined
}

/** The form for many recipients: nothing in it depends on the reader. */
export function channelForMany(work: Work, access: Pick<Access, 'channel' | 'flags'>, withConfig = false): WireChannel {
  const commands = withConfig ? commandsIn(work.db, access.flags) : false
  return encodeChannel(access.channel, { flags: access.flags, user: work.people, withConfig: commands })
}

/** The connection that a watching request names. See docs/wire.md 8.5 "watch:true without connection_id". */
export function watchingConnection(work: Work, who: Identity, connectionId: string | undefined): Connection {
  if (connectionId === undefined) return refuse('input', 'Watch or Presence requires an active websocket connection')
  const connection = work.hub.byId(connectionId)
  if (!connection || connection.userId !== who.userId) {
    return refuse('connectionIdNotFound', 'the connection id is not known')
  }
  return connection
}

export function startWatching(work: Work, connection: Connection, cid: string): void {
  if (work.hub.watch(connection, cid)) announceWatching(work, 'user.watching.start', cid, connection.userId)
}

export const RARE = `SELECT
  EXISTS (SELECT 1 FROM messages WHERE cid = ? AND pinned_at IS NOT NULL) AS pinned,
  EXISTS (SELECT 1 FROM messages INDEXED BY messages_pending WHERE cid = ? AND user_id = ? AND pending = 1) AS pending,
  EXISTS (SELECT 1 FROM locations WHERE cid = ? AND end_at > ?) AS live`

/** Which rare parts a channel has, as 1 or 0: pinned messages, the user's pending messages, live locations. */
type Rare = { readonly pinned: number; readonly pending: number; readonly live: number }

/**
 * Read before the parts themselves: three queries over whole rows with empty results take longer for a list of channels
 * than reading the newest messages.
 */
function rareIn(db: Db, cid: string, userId: string, now: number): Rare {
  return db.get<Rare>(RARE, cid, cid, userId, cid, now) ?? { pinned: 1, pending: 1, live: 1 }
}
