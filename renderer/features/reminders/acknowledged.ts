import type { Reminder } from '#shared/domain/reminder.ts'
import { nameFor } from '../../lib/page/stored.ts'
import { perAccount } from '../../store/objects.ts'

const KEY = 'parlor.reminders.answered'
const LIMIT = 200

type Times = Readonly<Record<string, number>>

/**
 * Reminders of one account whose toast was opened or dismissed, by message and reminder time. In local storage, so that
 * another window and the next start do not show them again; if that is disabled, in the memory of this window.
 */
class Acknowledged {
  readonly #key: string
  readonly #listeners = new Set<() => void>()
  #times: Times | undefined

  constructor(account: string) {
    this.#key = nameFor(KEY, account)
  }

  readonly times = (): Times => (this.#times ??= parse(localStorage, this.#key) ?? parse(localStorage, KEY) ?? {})

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) window.addEventListener('storage', this.#onStorage)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) window.removeEventListener('storage', this.#onStorage)
    }
  }

  readonly add = (reminders: readonly Reminder[]): void => {
    const more = reminders.map(({ messageId, remindAt = 0 }) => [messageId, remindAt] as const)
    this.#times = Object.fromEntries([...Object.entries(this.times()), ...more].slice(-LIMIT))
    this.#notify()
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#times))
    } catch (reason) {
      console.debug('answered reminders not written', reason)
    }
  }

  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key !== this.#key) return
    this.#times = undefined
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function parse(storage: Storage, key: string): Times | undefined {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return undefined
    const entries = Object.entries(stored)
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch (reason) {
    console.debug('answered reminders not read', reason)
    return undefined
  }
}

export const ACKNOWLEDGED = perAccount(({ account }) => new Acknowledged(account))
