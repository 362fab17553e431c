import type { WireEvent, WireEventType } from '#shared/wire/events.ts'
import { memberIds, unreadTotalsOf, type Totals } from '../channels/member-table.ts'
import type { Db } from '../store/db.ts'
import type { ChannelRow } from '../channels/channel-table.ts'
import { toText, type Micros } from '../store/time.ts'
import { type Hub, type Connection, Encoded } from './hub.ts'

/** The recipients of an event. See docs/wire.md 4.2. */
export type Audience =
  /** Connections watching the channel, and all of the author's own. `except` leaves people out, `only` all others. */
  | {
      readonly kind: 'watchers'
      readonly cid: string
      readonly author?: string
      readonly except?: string | readonly string[]
      readonly only?: readonly string[]
    }
  /** Connections of members that do not watch the channel on that connection. */
  | {
      readonly kind: 'absentMembers'
      readonly cid: string
      readonly except?: readonly string[]
      readonly only?: readonly string[]
    }
  /** All connections of these people; with `unlessWatching` only those that do not watch that channel. */
  | { readonly kind: 'users'; readonly ids: readonly string[]; readonly unlessWatching?: string }
  /** Connections that subscribed to this user's presence, and the user's own. */
  | { readonly kind: 'presence'; readonly userId: string }
  /** Connections that subscribed to this user's presence or watch a channel of theirs; not the user's own. */
  | { readonly kind: 'onlookers'; readonly userId: string }
  | { readonly kind: 'all' }

export type Emission = {
  readonly event: WireEvent | ({ readonly type: string } & Readonly<Record<string, unknown>>)
  readonly to: Audience
  /** Adds each recipient's own unread totals. */
  readonly counters?: boolean
  /** May be dropped for a slow reader. */
  readonly droppable?: boolean
  /** Programs are not told. */
  readonly skipPrograms?: boolean
  /** Logged for /sync: for everyone in the channel, for one user, or for each of several. */
  readonly log?: 'channel' | { readonly userId: string } | { readonly userIds: readonly string[] }
}

/** An emission encoded as JSON: once, inside the transaction. */
export type Ready = { readonly emission: Emission; readonly encoded: Encoded }

export function ready(emission: Emission): Ready {
  return { emission, encoded: new Encoded(JSON.stringify(emission.event), emission.droppable) }
}

/** Sends events to their connections, in order. Only called after the commit. */
export function deliver(batch: readonly Ready[], hub: Hub, db: Db): void {
  for (const { emission, encoded } of batch) {
    const connections = recipients(emission.to, hub, db)
    if (emission.counters) pushCounted([...connections], encoded, hub, db)
    else for (const connection of connections) hub.push(connection, encoded)
  }
}

/** Reads all totals with one query; recipients with equal totals share one frame. */
function pushCounted(connections: readonly Connection[], encoded: Encoded, hub: Hub, db: Db): void {
  if (connections.length === 0) return
  const totalsOf = unreadTotalsOf(db, new Set(connections.map(({ userId }) => userId)))
  let [totals, text] = [NO_TOTALS, '']
  for (const connection of connections) {
    const { total, channels } = totalsOf(connection.userId)
    // Most people have read as far as the one before: a text that is there already is found faster than an equal one.
    if (total !== totals.total || channels !== totals.channels) {
      totals = { total, channels }
      text = countersText(totals)
    }
    hub.push(connection, encoded, text)
  }
}

const NO_TOTALS: Totals = { total: Number.NaN, channels: Number.NaN }

const countersText = ({ total, channels }: Totals): string =>
  `"total_unread_count":${total},"unread_count":${total},"unread_channels":${channels}`

function recipients(to: Audience, hub: Hub, db: Db): Iterable<Connection> {
  switch (to.kind) {
    case 'watchers':
      return watchers(to, hub)
    case 'absentMembers':
      return absentMembers(to, hub, db)
    case 'users':
      return usersConnections(to, hub)
    case 'presence':
      return new Set([...hub.presenceSubscribers(to.userId), ...hub.ofUser(to.userId)])
    case 'onlookers':
      return onlookers(to.userId, hub, db)
    case 'all':
      return hub.all()
  }
}

function usersConnections(to: Extract<Audience, { kind: 'users' }>, hub: Hub): Connection[] {
  const all = to.ids.flatMap((id) => [...hub.ofUser(id)])
  const cid = to.unlessWatching
  return cid === undefined ? all : all.filter((connection) => !connection.watching.has(cid))
}

function watchers(to: Extract<Audience, { kind: 'watchers' }>, hub: Hub): Iterable<Connection> {
  const watching = hub.watchersOf(to.cid)
  const all = to.author === undefined ? watching : new Set([...watching, ...hub.ofUser(to.author)])
  if (to.except === undefined && to.only === undefined) return all
  const out = typeof to.except === 'string' ? [to.except] : (to.except ?? [])
  return [...all].filter(({ userId }) => !out.includes(userId) && (to.only?.includes(userId) ?? true))
}

function onlookers(userId: string, hub: Hub, db: Db): Iterable<Connection> {
  const found = new Set(hub.presenceSubscribers(userId))
  for (const { cid } of db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', userId)) {
    for (const connection of hub.watchersOf(cid)) found.add(connection)
  }
  for (const own of hub.ofUser(userId)) found.delete(own)
  return found
}

function absentMembers(to: Extract<Audience, { kind: 'absentMembers' }>, hub: Hub, db: Db): Connection[] {
  if (hub.allWatch(to.cid)) return []
  return memberIds(db, to.cid)
    .filter((id) => !to.except?.includes(id) && (to.only?.includes(id) ?? true))
    .flatMap((id) => [...hub.ofUser(id)])
    .filter((connection) => !connection.watching.has(to.cid))
}

type On<Type extends string> = Extract<WireEvent, { type: Type }>

/** The fields every event of a channel carries. See docs/wire.md 4.1. */
export function channelEvent<Type extends WireEvent['type']>(
  type: Type,
  channel: Pick<ChannelRow, 'cid' | 'type' | 'id'>,
  at: Micros,
  fields: Omit<On<Type>, 'type' | 'created_at' | 'cid'>,
): On<Type> {
  return {
    type,
    created_at: toText(at),
    cid: channel.cid,
    channel_type: channel.type,
    channel_id: channel.id,
    ...fields,
  } as unknown as On<Type>
}

type NounOf<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never
/** Assistants are ordinary members, and say themselves what they do. */
type SentByMembers = 'ai_indicator'
/** Events that exist only inside a client. */
type InsideClients =
  | 'capabilities'
  | 'channels'
  | 'connection'
  | 'live_location_sharing'
  | 'offline_reactions'
  | 'transport'

/** Complete: an event with a new noun does not compile until the noun is here. */
const OWN: Readonly<Record<Exclude<NounOf<WireEventType>, SentByMembers> | InsideClients, true>> = {
  app: true,
  capabilities: true,
  channel: true,
  channels: true,
  connection: true,
  draft: true,
  emoji: true,
  health: true,
  integrations: true,
  live_location_sharing: true,
  member: true,
  message: true,
  moderation: true,
  notification: true,
  offline_reactions: true,
  poll: true,
  reaction: true,
  reminder: true,
  review_queue_item: true,
  thread: true,
  transport: true,
  typing: true,
  user: true,
  user_group: true,
}

/** Whether clients trust such an event to come from the server. See docs/wire.md 1.7, code 18, and chapter 4. */
export function isOwnEvent(type: string): boolean {
  const [noun = '', ...rest] = type.split('.')
  return rest.length > 0 && Object.hasOwn(OWN, noun)
}

/** The largest custom event, as JSON. */
export const MAX_EVENT_BYTES = 5 * 1024
