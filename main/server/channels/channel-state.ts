import type { WireChannel, WireChannelState, WireMember, WireMessage, WireRead } from '#shared/wire/objects.ts'
import { shownCapabilities } from '#shared/rules/channels/grants.ts'
import type { Identity } from '../http/auth/identify.ts'
import { bareDraft, draftOf } from '../drafts/draft-table.ts'
import { encodeMessages } from '../messages/encode-messages.ts'
import {
  createFilling,
  type Filling,
  createGaps,
  keepBesideUser,
  type KeptJson,
  type KeptMembers,
  keptChannel,
  trimKept,
  type KeptChannel,
} from './kept-channels.ts'
import { newestMessages } from '../messages/newest-messages.ts'
import type { PartlyWritten, WrittenJson } from '../http/json.ts'
import { encodeLocation, liveLocationsOfChannel } from '../locations/location-table.ts'
import { refuse } from '../http/refusal.ts'
import type { Connection } from '../realtime/hub.ts'
import { announceWatching } from '../realtime/presence.ts'
import { channelMute } from '../moderation/restriction-tables.ts'
import { BLOCKED_PAIR, pushPreference } from '../users/user-tables.ts'
import {
  pendingMessages,
  pinnedMessages,
  type MessageExtra,
  type MessageRow,
  findPage,
  isNewest,
  type MessagePage,
} from '../messages/message-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import type { Db } from '../store/db.ts'
import { unknownUser } from '../users/encode-users.ts'
import { encodeChannel, encodeMember, encodeRead } from './encode-channels.ts'
import { isShut, type Access } from './access.ts'
import { commandsIn } from './channel-types.ts'
import { membersOf, readPages, readRows, type ReadRow } from './member-table.ts'

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

type ChannelShown = {
  readonly state: PartlyWritten<WireChannelState>
  /** The members on its page. */
  readonly memberIds: readonly string[]
}

/** Channels as the calling user sees them. See docs/wire.md 5.6. */
export function channelStates(
  work: Work,
  accesses: readonly Access[],
  who: Identity,
  options: StateOptions,
): ChannelShown[] {
  const cids = accesses.map(({ channel }) => channel.cid)
  const page = { limit: Math.max(options.memberLimit, 1), offset: options.memberOffset ?? 0 }
  const filling = createFilling(work.people)
  const members = shownMembers(work, accesses, page)
  filling.load(members.flatMap(({ items }) => items))
  const rare = rareIn(work.db, cids, who.userId, work.now)
  const messages = messagesFor(work, accesses, who, options, filling)
  const reads = readsFor(work, accesses, who, members, page, filling)
  return accesses.map((access, index) => {
    const { member, channel } = access
    const shown = members[index] ?? NO_MEMBERS
    const rarely = rare[index] ?? ALL_OF_THEM
    const watching = [...work.hub.watchingUsers(channel.cid)]
    const state = {
      channel: channelFor(work, access, rarely.muted === 1),
      members: options.memberLimit === 0 ? [] : filling.list<WireMember>(shown.items),
      membership: member ? encodeMember(member, work.people, access.moderates) : null,
      messages: messages[index] ?? [],
      pinned_messages: pinnedFor(work, access, who, options, rarely),
      ...(access.can.has('read-events') ? { read: options.state ? reads[index] : [] } : {}),
      watcher_count: watching.length,
      watchers: options.watchers ? watchersShown(work, watching, options.watchers) : undefined,
      threads: [],
      ...callerParts(work, access, who, rarely),
      hidden: member?.hidden === 1,
      hide_messages_before: member?.hide_before ? toText(member.hide_before) : undefined,
    }
    return { state, memberIds: options.memberLimit === 0 ? [] : shown.ids }
  })
}

/** One channel as the calling user sees it. */
export function channelState(
  work: Work,
  access: Access,
  who: Identity,
  options: StateOptions,
): PartlyWritten<WireChannelState> {
  const [shown] = channelStates(work, [access], who, options)
  return shown?.state ?? refuse('internal', 'one channel has one state')
}

const NO_MEMBERS: KeptMembers = { ids: [], items: [] }

type CallerParts = Pick<WireChannelState, 'draft' | 'active_live_locations' | 'pending_messages' | 'push_preferences'>

/** Parts for the caller alone: their draft, pending messages, push preferences; and live locations. */
function callerParts(work: Work, access: Access, who: Identity, rare: Rare): CallerParts {
  if (isShut(access.channel, who)) return {}
  const { cid } = access.channel
  const pending = rare.pending ? pendingMessages(work.db, cid, who.userId) : []
  const preferences = rare.preference ? pushPreference(work.db, who.userId, cid) : undefined
  const draft = rare.draft ? draftOf(work.db, who.userId, cid, '') : undefined
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

type MessagesShown = WrittenJson<readonly WireMessage[]> | readonly WireMessage[]

const showsMessages = (access: Access, who: Identity, { state }: StateOptions): boolean =>
  state && !isShut(access.channel, who)

/** The page of messages of each channel: the newest of many channels at once, or those beside a cursor. */
function messagesFor(
  work: Work,
  accesses: readonly Access[],
  who: Identity,
  options: StateOptions,
  filling: Filling,
): MessagesShown[] {
  const viewer = who.userId
  if (isNewest(options.messages)) {
    const open = accesses.filter((access) => showsMessages(access, who, options))
    const places = open.map(({ channel: { cid }, floor }) => ({ cid, floor }))
    const pages = newestMessages(work, places, { viewer, limit: options.messageLimit, filling })
    const byAccess = new Map(open.map((access, index) => [access, pages[index] ?? []]))
    return accesses.map((access) => byAccess.get(access) ?? [])
  }
  return accesses.map((access) => {
    if (!showsMessages(access, who, options)) return []
    const scope = { kind: 'channel', key: access.channel.cid } as const
    const rows = findPage(work.db, scope, { viewer, floor: access.floor }, options.messages, options.messageLimit)
    return encodeMessages(work.db, rows, { viewer, now: work.now, people: work.people })
  })
}

function pinnedFor(work: Work, access: Access, who: Identity, options: StateOptions, rare: Rare): WireMessage[] {
  if (!rare.pinned || !showsMessages(access, who, options)) return []
  const reader = { viewer: who.userId, floor: access.floor }
  const rows = pinnedMessages(work.db, access.channel.cid, reader, work.now, PINNED_SHOWN)
  return encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people })
}

/** Read states of the members shown; the caller's own always. Users who hide read receipts are left out for others. */
function readsFor(
  work: Work,
  accesses: readonly Access[],
  who: Identity,
  members: readonly KeptMembers[],
  page: MemberPage,
  filling: Filling,
): WrittenJson<readonly WireRead[]>[] {
  const hiding = hiders(work, [...new Set(members.flatMap(({ ids }) => ids))], 'read_receipts')
  const cids = accesses.map(({ channel }) => channel.cid)
  return shownReads(work, cids, page).map((reads, index) => {
    const own = accesses[index]?.member
    const ids = members[index]?.ids.filter((id) => id !== who.userId && !hiding.has(id)) ?? []
    const others = ids.flatMap((id) => reads.get(id) ?? [])
    const ownRead = own ? [Buffer.from(JSON.stringify(encodeRead(own, work.people)))] : []
    return filling.list([...ownRead, ...others])
  })
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

/**
 * The channel with configuration and the user's capabilities.
 *
 * @param mayBeMuted false where it is known that the caller has not muted it
 */
export function channelFor(work: Work, access: Access, mayBeMuted = true): WireChannel {
  const { channel, member } = access
  const mute = member && mayBeMuted ? channelMute(work.db, member.user_id, channel.cid) : undefined
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
  EXISTS (SELECT 1 FROM messages WHERE cid = place.value AND pinned_at IS NOT NULL) AS pinned,
  EXISTS (SELECT 1 FROM messages INDEXED BY messages_pending WHERE cid = place.value AND user_id = ? AND pending = 1) AS pending,
  EXISTS (SELECT 1 FROM locations WHERE cid = place.value AND end_at > ?) AS live,
  EXISTS (SELECT 1 FROM drafts WHERE user_id = ? AND cid = place.value AND parent_id = '') AS draft,
  EXISTS (SELECT 1 FROM push_preferences WHERE user_id = ? AND cid = place.value) AS preference,
  EXISTS (SELECT 1 FROM channel_mutes WHERE user_id = ? AND cid = place.value) AS muted
  FROM json_each(?) AS place`

/**
 * Which rare parts a channel has, as 1 or 0: pinned messages, live locations; and of the user, pending messages, a draft,
 * push preferences, a mute.
 */
type Rare = Readonly<Record<'pinned' | 'pending' | 'live' | 'draft' | 'preference' | 'muted', number>>

const ALL_OF_THEM: Rare = { pinned: 1, pending: 1, live: 1, draft: 1, preference: 1, muted: 1 }

/**
 * Read before the parts themselves, for all channels at once: several queries with empty results for each channel take
 * longer than reading the newest messages.
 */
const rareIn = (db: Db, cids: readonly string[], userId: string, now: number): Rare[] =>
  db.all<Rare>(RARE, userId, now, userId, userId, userId, JSON.stringify(cids))

type MemberPage = { readonly limit: number; readonly offset: number }

/** A page of the members of each of these channels, as it was written last if it still is like that. */
function shownMembers(work: Work, accesses: readonly Access[], { limit, offset }: MemberPage): KeptMembers[] {
  const changed: KeptChannel[] = []
  const pages = accesses.map(({ channel: { cid }, moderates }) => {
    const kept = keptChannel(work.db, cid)
    // shadow bans are shown to moderators only
    const name = `${limit} ${offset} ${moderates}`
    const known = kept.members.get(name)
    if (known) return known
    const gaps = createGaps()
    const rows = membersOf(work.db, cid, limit, offset)
    const items = rows.map((row) => gaps.keep(encodeMember(row, gaps.people, moderates)))
    const page = { ids: rows.map((row) => row.user_id), items }
    kept.members.set(name, page)
    changed.push(kept)
    return page
  })
  if (changed.length > 0) trimKept(work.db, changed)
  return pages
}

/** The read states of a page of members of each channel, by user. They change with each message, so the columns are read. */
function shownReads(
  work: Work,
  cids: readonly string[],
  { limit, offset }: MemberPage,
): ReadonlyMap<string, KeptJson>[] {
  const changed: KeptChannel[] = []
  const name = `${limit} ${offset}`
  const pages = readPages(work.db, cids, limit, offset).map((source, index) => {
    const kept = keptChannel(work.db, cids[index] ?? '')
    const known = kept.reads.get(name)
    if (known?.source === source) return known.byUser
    const byUser = new Map(readRows(source).map((row) => [row.user_id, keptRead(row)]))
    kept.reads.set(name, { source, byUser })
    changed.push(kept)
    return byUser
  })
  if (changed.length > 0) trimKept(work.db, changed)
  return pages
}

function keptRead(row: ReadRow): KeptJson {
  const { user: _open, ...others } = encodeRead(row, unknownUser)
  return keepBesideUser(row.user_id, others)
}
