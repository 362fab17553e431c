import { useSyncExternalStore } from 'react'
import type { Reminder } from '#shared/domain/reminder.ts'

/**
 * Reminders whose toast was opened or dismissed, by message and reminder time. In local storage, so that another window and
 * the next start do not show them again.
 */
const KEY = 'parlor.reminders.answered'
const LIMIT = 200

const listeners = new Set<() => void>()
let acknowledged: Readonly<Record<string, number>> | undefined

/** Local storage may be disabled; then they are only in the memory of this window. */
function read(): Readonly<Record<string, number>> {
  acknowledged ??= parse()
  return acknowledged
}

function parse(): Readonly<Record<string, number>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch (reason) {
    console.debug('answered reminders not read', reason)
    return {}
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

function onStorage(event: StorageEvent): void {
  if (event.key !== KEY) return
  acknowledged = undefined
  notify()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

export const useAcknowledged = (): Readonly<Record<string, number>> => useSyncExternalStore(subscribe, read)

export function acknowledge(reminders: readonly Reminder[]): void {
  const more = reminders.map(({ messageId, remindAt = 0 }) => [messageId, remindAt] as const)
  acknowledged = Object.fromEntries([...Object.entries(read()), ...more].slice(-LIMIT))
  notify()
  try {
    localStorage.setItem(KEY, JSON.stringify(acknowledged))
  } catch (reason) {
    console.debug('answered reminders not written', reason)
  }
}

/** For tests: as after a start. */
export function resetAcknowledged(): void {
  acknowledged = undefined
}
