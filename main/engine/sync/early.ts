import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { Touched } from '#main/cache/tx.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

type Event = WireEvent | UnknownEvent

/**
 * Changes of messages that are not held (yet). A page on its way may hold the message as it was before: what was heard
 * meanwhile is applied once the message is there. Without this it would show old words, or miss a reaction, until it is
 * asked for again. Kept in memory only: a lost connection asks for everything anyway.
 */
export type EarlyEvents = {
  /** An event about this message changed nothing, because the message is not held. */
  keep(messageId: string, event: Event): void
  /** A transaction was committed. */
  onCommit(touched: Touched): void
  stop(): void
}

/** Most are about messages too old to be held, so the oldest are let go of. */
const MESSAGES = 500
const EACH = 20

/** @param hear applies events, in order */
export function createEarlyEvents(clock: Pick<Clock, 'after'>, hear: (events: readonly Event[]) => void): EarlyEvents {
  const waiting = new Map<string, readonly Event[]>()
  let due: Event[] = []
  let planned: Stop | undefined

  function run(): void {
    planned = undefined
    const events = due
    due = []
    hear(events)
  }

  return {
    keep(messageId, event) {
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

/** The message that an event changes; nothing for events that are no changes, and for deletions for good. */
export function changedMessage(event: Event): string | undefined {
  if (!CHANGES.has(event.type) || event['hard_delete'] === true) return undefined
  const id = (event as { readonly message?: { readonly id?: unknown } }).message?.id
  return typeof id === 'string' ? id : undefined
}
