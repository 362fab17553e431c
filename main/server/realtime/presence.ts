import type { Clock } from '#main/lib/clock.ts'
import { TYPING_EXPIRY_MS } from '#shared/constants.ts'
import { guarded } from '../http/guard.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { ownUser } from '../users/own-user.ts'
import { flagsIn } from '../admin/channel-types-of-app.ts'
import { registerReadable } from '../users/devices.ts'
import { upsertUser } from '../users/users.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { hasPeople, touchLastActive, userById } from '../users/user-table.ts'
import { MS, toText } from '../time.ts'
import { transact, type Services, type Work } from '../work.ts'
import type { Connection } from './connection.ts'
import { Encoded } from './frames.ts'

/** Someone without a connection counts as online for this long. See docs/wire.md 8.18. */
const GRACE_MS = 10_000

/** Where someone types: in a channel, or in one of its threads. */
export type TypingPlace = { readonly cid: string; readonly userId: string; readonly parentId: string | undefined }

type Typing = { readonly userId: string; readonly cancel: () => void; readonly end: () => void }

const keyOf = ({ cid, userId, parentId = '' }: TypingPlace): string => JSON.stringify([userId, cid, parentId])

/** Keeps who is online (a person with a connection, or one who left less than ten seconds ago), and who types where. */
export class Presence {
  readonly #leaving = new Map<string, () => void>()
  readonly #typing = new Map<string, Typing>()

  /** Someone types: `end` is told when they are silent for seven seconds, or leave. */
  startTyping(place: TypingPlace, clock: Clock, end: () => void): void {
    this.stopTyping(place)
    const key = keyOf(place)
    const over = (): void => {
      this.#typing.delete(key)
      end()
    }
    this.#typing.set(key, { userId: place.userId, cancel: clock.after(TYPING_EXPIRY_MS, over), end: over })
  }

  /** They said so themselves. */
  stopTyping(place: TypingPlace): void {
    const key = keyOf(place)
    this.#typing.get(key)?.cancel()
    this.#typing.delete(key)
  }

  /** No one types who is not there. */
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

  leave(userId: string, services: Services, gone: () => void): void {
    this.stay(userId)
    this.#leaving.set(
      userId,
      services.clock.after(GRACE_MS, () => {
        this.#leaving.delete(userId)
        gone()
      }),
    )
  }

  stop(): void {
    for (const cancel of this.#leaving.values()) cancel()
    this.#leaving.clear()
    for (const { cancel } of this.#typing.values()) cancel()
    this.#typing.clear()
  }
}

/** What someone brings along: about themselves, and a device for pushes. */
type Arrival = { readonly details: Json; readonly role: string; readonly device?: Json | undefined }

/** A connection opens: the user is created or changed, comes online, and gets the first health check with `me`. */
export function arrive(services: Services, connection: Connection, arrival: Arrival): void {
  const { hub } = services
  if (hub.isFull(connection.userId)) refuse('tooManyConnections', 'too many connections')
  try {
    greet(services, connection, arrival)
  } catch (error) {
    // No one is connected whose arrival could not be written down.
    hub.remove(connection)
    throw error
  }
}

/**
 * Anyone who comes first, by their own sign-in, is the administrator of the workspace, whomever a server token has written
 * before. Those it wrote are what it said.
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
    if (device) registerReadable(work, connection.userId, device)
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
 * A connection is gone: its watches end, and after ten seconds without another one the person is offline. No one waits for
 * an answer, so what cannot be written is logged.
 */
export function depart(services: Services, connection: Connection): void {
  if (!services.hub.byId(connection.id)) return
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

/** The person and everyone who shares a channel with them and is connected. */
export function acquaintances(work: Work, userId: string): string[] {
  const sharing = work.db.all<{ user_id: string }>(
    `SELECT DISTINCT b.user_id FROM members a JOIN members b ON b.cid = a.cid WHERE a.user_id = ?`,
    userId,
  )
  const ids = new Set([userId, ...sharing.map((row) => row.user_id)])
  return [...ids].filter((id) => work.hub.ofUser(id).size > 0)
}

/**
 * The person's own connections hear everything about themselves. Of a change hears who asked for their presence or
 * watches a channel they are in; of a coming or going everyone who shares a channel. See docs/wire.md 4.8.
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

/** Nothing where the channel's type has no watching events. */
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
