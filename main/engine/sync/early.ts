import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { Touched } from '#main/cache/store.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

type Event = WireEvent | UnknownEvent

/**
 * Holds changes of messages that are not cached yet. A page in flight may contain the message as it was before, so events
 * received meanwhile are applied again once the message is stored. Without this it would show outdated text, or miss a
 * reaction, until it is fetched again. In memory only: after a lost connection everything is fetched anyway.
 */
export type EarlyEvents = {
  /** Holds an event that changed nothing because its message is not cached. */
  hold(messageId: string, event: Event): void
  /** A transaction was committed. */
  onCommit(touched: Touched): void
  stop(): void
}

/** Most events are about messages too old to be cached, so the oldest are dropped. */
const MESSAGES = 500
const EACH = 20

/** @param apply applies events, in order */
export function createEarlyEvents(clock: Pick<Clock, 'after'>, apply: (events: readonly Event[]) => void): EarlyEvents {
  const waiting = new Map<string, readonly Event[]>()
  let due: Event[] = []
  let planned: Stop | undefined

  function run(): void {
    planned = undefined
    const events = due
    due = []
    apply(events)
  }

  return {
    hold(messageId, event) {
      const events = [...(waiting.get(messageId) ?? []), event].slice(-EACH)
      waiting.delete(messageId)
      waiting.set(messageId, events)
      for (const oldest of waiting.keys()) {
        if (waiting.size <= MESSAGES) break
        waiting.delete(oldest)
      }
    },
    onCommit({ entities }) {
      if (waiting.size === 0) return
      for (const id of entities.get('messages') ?? []) {
        const events = waiting.get(id)
        if (!events) continue
        waiting.delete(id)
        due.push(...events)
      }
      if (due.length > 0) planned ??= clock.after(0, run)
    },
    stop() {
      planned?.()
      waiting.clear()
    },
  }
}

const CHANGES: ReadonlySet<string> = new Set([
  'message.updated',
  'message.undeleted',
  'message.deleted',
  'reaction.new',
  'reaction.updated',
  'reaction.deleted',
])

/** The message that an event changes; `undefined` for other events and for permanent deletions. */
export function changedMessage(event: Event): string | undefined {
  if (!CHANGES.has(event.type) || event['hard_delete'] === true) return undefined
  const id = (event as { readonly message?: { readonly id?: unknown } }).message?.id
  return typeof id === 'string' ? id : undefined
}
