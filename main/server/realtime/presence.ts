import { TYPING_EXPIRY_MS } from '#shared/constants.ts'
import type { Clock } from '#main/lib/clock.ts'
import { guarded, refuse } from '../http/refusal.ts'
import type { Json } from '../http/json.ts'
import { ownUser } from '../users/encode-users.ts'
import { flagsIn } from '../channels/channel-types.ts'
import { upsertUser } from '../users/users.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { hasPeople, touchLastActive, userById, registerFromHandshake } from '../users/user-tables.ts'
import { MS, toText } from '../store/time.ts'
import { transact, type Services, type Work } from '../work.ts'
import { type Connection, Encoded } from './hub.ts'

/** How long a user without a connection still counts as online. See docs/wire.md 8.18. */
const GRACE_MS = 10_000

/** Where someone types: in a channel, or in one of its threads. */
export type TypingPlace = { readonly cid: string; readonly userId: string; readonly parentId: string | undefined }

type Typing = { readonly userId: string; readonly cancel: () => void; readonly end: () => void }

const keyOf = ({ cid, userId, parentId = '' }: TypingPlace): string => JSON.stringify([userId, cid, parentId])

/** Users who disconnected less than ten seconds ago and still count as online, and who is typing where. */
export class Presence {
  readonly #leaving = new Map<string, () => void>()
  readonly #typing = new Map<string, Typing>()
  #stopped = false

  /** The server has stopped: who disconnects from now on is told to nobody. */
  get isStopped(): boolean {
    return this.#stopped
  }

  /** A user types: `end` runs after seven seconds without another event, or when they disconnect. */
  startTyping(place: TypingPlace, clock: Clock, end: () => void): void {
    this.stopTyping(place)
    const key = keyOf(place)
    const finish = (): void => {
      this.#typing.delete(key)
      end()
    }
    this.#typing.set(key, { userId: place.userId, cancel: clock.after(TYPING_EXPIRY_MS, finish), end: finish })
  }

  /** The client reported the end itself. */
  stopTyping(place: TypingPlace): void {
    const key = keyOf(place)
    this.#typing.get(key)?.cancel()
    this.#typing.delete(key)
  }

  /** Ends all typing of a user who disconnected. */
  endTyping(userId: string): void {
    const theirs = [...this.#typing.values()].filter((typing) => typing.userId === userId)
    for (const { cancel, end } of theirs) {
      cancel()
      end()
    }
  }

  isLeaving(userId: string): boolean {
    return this.#leaving.has(userId)
  }

  stay(userId: string): boolean {
    const stop = this.#leaving.get(userId)
    stop?.()
    return this.#leaving.delete(userId)
  }

  leave(userId: string, services: Services, onOffline: () => void): void {
    this.stay(userId)
    this.#leaving.set(
      userId,
      services.clock.after(GRACE_MS, () => {
        this.#leaving.delete(userId)
        onOffline()
      }),
    )
  }

  stop(): void {
    this.#stopped = true
    for (const cancel of this.#leaving.values()) cancel()
    this.#leaving.clear()
    for (const { cancel } of this.#typing.values()) cancel()
    this.#typing.clear()
  }
}

/** What a connecting user sends: their details, and a device for push notifications. */
type Arrival = { readonly details: Json; readonly role: string; readonly device?: Json }

/** A connection opens: the user is created or changed, comes online, and gets the first health check with `me`. */
export function arrive(services: Services, connection: Connection, arrival: Arrival): void {
  const { hub } = services
  if (hub.isFull(connection.userId)) refuse('tooManyConnections', 'too many connections')
  try {
    greet(services, connection, arrival)
  } catch (error) {
    // A connection whose arrival could not be stored is dropped.
    hub.remove(connection)
    throw error
  }
}

/**
 * The first user who signs in by themselves is the administrator of the workspace, whatever users a server token
 * created before. Those keep the role that the server token gave them.
 */
const roleOfNewcomer = ({ db }: Work, id: string): string | undefined =>
  userById(db, id) === undefined && !hasPeople(db) ? 'admin' : undefined

function greet(services: Services, connection: Connection, { details, role, device }: Arrival): void {
  const { hub } = services
  const wasOnline = services.isOnline(connection.userId)
  transact(services, (work) => {
    const { changed, created } = upsertUser(
      work.db,
      connection.userId,
      details,
      work.now,
      role === 'anonymous' ? role : roleOfNewcomer(work, connection.userId),
    )
    touchLastActive(work.db, connection.userId, work.now)
    if (device) registerFromHandshake(work, connection.userId, device)
    hub.add(connection)
    work.afterwards(() => services.presence.stay(connection.userId))
    const me = ownUser(work, connection.userId)
    const first = { type: 'health.check', connection_id: connection.id, cid: '*', created_at: toText(work.now), me }
    hub.push(connection, new Encoded(JSON.stringify(first)))
    if (changed || created) announceUser(work, connection.userId)
    if (!wasOnline) announcePresence(work, connection.userId)
  })
}

/**
 * A connection closed: its watches end, and after ten seconds without another one the user is offline. No caller waits
 * for a response, so errors are logged.
 */
export function depart(services: Services, connection: Connection): void {
  if (services.presence.isStopped || !services.hub.byId(connection.id)) return
  const left = services.hub.remove(connection)
  if (left.length > 0) {
    guarded(services.log, 'depart', () =>
      transact(services, (work) => {
        for (const cid of left) announceWatching(work, 'user.watching.stop', cid, connection.userId)
      }),
    )
  }
  if (services.hub.ofUser(connection.userId).size > 0) return
  services.presence.endTyping(connection.userId)
  services.presence.leave(connection.userId, services, () => {
    guarded(services.log, 'offline', () =>
      transact(services, (work) => {
        touchLastActive(work.db, connection.userId, work.now)
        announcePresence(work, connection.userId)
      }),
    )
  })
}

export function announcePresence(work: Work, userId: string): void {
  work.emit({
    event: { type: 'user.presence.changed', created_at: toText(work.now), user: work.people(userId) },
    to: { kind: 'presence', userId },
    droppable: true,
  })
}

/** The connected users who share a channel with this user, and the user. */
export function acquaintances(work: Work, userId: string): string[] {
  const sharing = work.db.all<{ user_id: string }>(
    `SELECT DISTINCT b.user_id FROM members a JOIN members b ON b.cid = a.cid WHERE a.user_id = ?`,
    userId,
  )
  const ids = new Set([userId, ...sharing.map((row) => row.user_id)])
  return [...ids].filter((id) => work.hub.ofUser(id).size > 0)
}

/**
 * The user's own connections get the whole event. A change is also sent to those who subscribed to their presence or
 * watch a channel of theirs; creation and removal go to everyone who shares a channel. See docs/wire.md 4.8.
 */
export function announceUser(work: Work, userId: string, type: UserEvent = 'user.updated', fields: object = {}): void {
  const event = { ...fields, type, created_at: toText(work.now) }
  work.emit({ event: { ...event, user: work.people.whole(userId) }, to: { kind: 'users', ids: [userId] } })
  const others = () => acquaintances(work, userId).filter((id) => id !== userId)
  work.emit({
    event: { ...event, user: work.people(userId) },
    to: type === 'user.updated' ? { kind: 'onlookers', userId } : { kind: 'users', ids: others() },
  })
}

type UserEvent = 'user.updated' | 'user.deleted' | 'user.deactivated' | 'user.reactivated'

/** Sends nothing where the channel's type has connect events switched off. */
export function announceWatching(
  work: Work,
  type: 'user.watching.start' | 'user.watching.stop',
  cid: string,
  userId: string,
): void {
  const channel = channelByCid(work.db, cid)
  if (!channel) return
  if (!flagsIn(work.db, channel.type, channel.config_overrides).connect_events) return
  work.emit({
    event: {
      type,
      created_at: toText(Math.round(work.clock.now() * MS)),
      cid,
      channel_type: channel.type,
      channel_id: channel.id,
      user: work.people(userId),
      watcher_count: work.hub.watcherCount(cid),
    },
    to: { kind: 'watchers', cid, author: userId },
    droppable: true,
  })
}
