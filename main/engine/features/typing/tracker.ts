import type { UserId } from '#shared/lib/brand.ts'
import { nextExpiry, withoutExpired, withoutTypist, withTypist, type Typists } from '#shared/rules/channels/typing.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

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
