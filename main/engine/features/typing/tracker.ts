import type { UserId } from '#shared/lib/brand.ts'
import { nextExpiry, withoutExpired, withoutTypist, withTypist, type Typists } from '#shared/rules/channels/typing.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

/** Places someone types in at once, threads among them; more are let pass: no one looks at so many. */
const PLACES_KEPT = 500

/** Who types where, as heard. Every entry is dropped 7 s after its last sign. */
export type TypingTracker = {
  start(key: string, person: { readonly id: UserId; readonly name: string }): void
  stop(key: string, userId: UserId): void
  /** The connection is gone: no one is known to type. */
  clear(): void
}

/**
 * @param typing  the map in the engine's memory; this book alone writes it
 * @param changed tells that someone began or stopped in one place
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

  /** Signs come by the second from everyone who types: a timer that is there is kept, and looks again when it is due. */
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
      if (typists.size === 0 && typing.size >= PLACES_KEPT) return
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
