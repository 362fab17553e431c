import type { UserId, Cid, MessageId } from '#shared/lib/brand.ts'
import {
  nextExpiry,
  withoutExpired,
  withoutTypist,
  withTypist,
  type Typists,
  mayPublishTyping,
  mayResendTyping,
  sharesTyping,
} from '#shared/rules/channels/typing.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { isNotesId, splitCid } from '#shared/rules/channels/channels.ts'
import { sendEvent } from '#shared/wire/channels.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import * as channels from '#main/cache/channels/channels.ts'
import type { Core } from '../../core.ts'

/** Bound of places with typing users, threads included; further ones are ignored. */
const MAX_PLACES = 500

/** Who is typing where. Every entry expires 7 s after its last event. */
export type TypingTracker = {
  start(key: string, person: { readonly id: UserId; readonly name: string }): void
  stop(key: string, userId: UserId): void
  /** The connection was lost: it is unknown who is typing. */
  clear(): void
}

/**
 * @param typing  the map in the engine's memory; only the tracker writes it
 * @param changed reports that a user started or stopped typing in one place
 */
export function createTypingTracker(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  typing: Map<string, Typists>,
  changed: (key: string) => void,
): TypingTracker {
  const timers = new Map<string, Stop>()

  function set(key: string, typists: Typists): void {
    const before = typing.get(key)
    if (typists.size === 0) typing.delete(key)
    else typing.set(key, typists)
    plan(key, typists)
    if (!sameKeys(before, typists)) changed(key)
  }

  /** Typing events arrive every few seconds: a running timer is not restarted, it checks again when it is due. */
  function plan(key: string, typists: Typists): void {
    const due = nextExpiry(typists, clock.monotonic())
    if (due === undefined) {
      timers.get(key)?.()
      timers.delete(key)
    } else if (!timers.has(key)) {
      timers.set(
        key,
        clock.after(due, () => expire(key)),
      )
    }
  }

  function expire(key: string): void {
    timers.delete(key)
    const typists = typing.get(key)
    if (typists) set(key, withoutExpired(typists, clock.monotonic()))
  }

  return {
    start(key, person) {
      const typists = typing.get(key) ?? new Map()
      if (typists.size === 0 && typing.size >= MAX_PLACES) return
      const next = withTypist(typists, person, clock.monotonic())
      if (next !== typists) set(key, next)
    },
    stop(key, userId) {
      const typists = typing.get(key)
      if (typists?.has(userId)) set(key, withoutTypist(typists, userId))
    },
    clear() {
      for (const key of typing.keys()) set(key, new Map())
    },
  }
}

const sameKeys = (a: Typists | undefined, b: Typists): boolean =>
  (a?.size ?? 0) === b.size && [...b.keys()].every((key) => a?.has(key) === true)

type Place = { readonly cid: Cid; readonly parentId?: MessageId; readonly typing: boolean }

type Parts = Pick<Core, 'api' | 'background' | 'cache' | 'isHealthy' | 'life' | 'memory' | 'ports'>

/** Publishes the viewer's typing: start at most every 2 s, stop once. Never queued: it would be outdated. */
export function typingCall(core: Parts): (place: Place) => void {
  const sentAt = new Map<string, number>()

  function publish({ cid, parentId }: Place, type: 'typing.start' | 'typing.stop'): void {
    core.background('typing', () =>
      core.api.send(sendEvent, {
        params: splitCid(cid),
        body: { event: { type, ...(parentId === undefined ? {} : { parent_id: parentId }) } },
        signal: core.life,
      }),
    )
  }

  return (place) => {
    if (isNotesId(splitCid(place.cid).id)) return
    const key = composerKey(place.cid, place.parentId)
    const channel = channels.byCid(core.cache.reader, place.cid)
    if (!channel?.config || !isAllowed(core, place.cid, channel.config, channel.capabilities)) return
    const now = core.ports.clock.monotonic()
    if (!place.typing) {
      if (sentAt.delete(key)) publish(place, 'typing.stop')
    } else if (mayResendTyping(sentAt.get(key), now)) {
      sentAt.set(key, now)
      publish(place, 'typing.start')
    }
  }
}

const isAllowed = (
  core: Pick<Core, 'isHealthy' | 'memory'>,
  cid: Cid,
  config: { readonly typingEvents: boolean },
  capabilities: readonly string[] | undefined,
): boolean =>
  mayPublishTyping({
    config,
    capabilities: capabilities ?? [],
    healthy: core.isHealthy(),
    publishTyping: sharesTyping(core.memory.settings, core.memory.session, cid),
  })
