import { nameFor } from '../../../lib/page/stored.ts'
import { perAccount } from '../../../store/objects.ts'

const KEY = 'parlor.statuses'
const MAX = 4

/** A status that was set before: its text, and how long it was to last. */
export type RecentStatus = { readonly text: string; readonly forMs?: number }

const isStatus = (found: unknown): found is RecentStatus =>
  typeof found === 'object' &&
  found !== null &&
  'text' in found &&
  typeof found.text === 'string' &&
  (!('forMs' in found) || typeof found.forMs === 'number')

/** The last statuses of one account on this device, newest first. */
class RecentStatuses {
  readonly #key: string

  constructor(account: string) {
    this.#key = nameFor(KEY, account)
  }

  list(): readonly RecentStatus[] {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]')
      return Array.isArray(found) ? found.filter(isStatus).slice(0, MAX) : []
    } catch {
      return []
    }
  }

  add(status: RecentStatus): void {
    try {
      const others = this.list().filter(({ text }) => text !== status.text)
      localStorage.setItem(this.#key, JSON.stringify([status, ...others].slice(0, MAX)))
    } catch (reason) {
      console.debug('recent status not stored', reason)
    }
  }
}

export const RECENT_STATUSES = perAccount(({ account }) => new RecentStatuses(account))
