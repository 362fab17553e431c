import type { MessageId } from '#shared/lib/brand.ts'
import { perAccount } from '../../../store/objects.ts'
import type { Position } from '../list/list-view.ts'

/** Position of a list: the nearest message and its time, so that it can be loaded again. */
export type ListPosition = { readonly position: Position; readonly near?: MessageId; readonly at: number }

/** A bounded map that drops its oldest entry. */
class Memory<Value> {
  readonly #held = new Map<string, Value>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  put(key: string, value: Value): void {
    this.#held.delete(key)
    this.#held.set(key, value)
    const oldest = this.#held.size > this.#limit ? this.#held.keys().next().value : undefined
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  get = (key: string): Value | undefined => this.#held.get(key)

  drop(key: string): void {
    this.#held.delete(key)
  }
}

/** How long a place is stored. */
export const PLACE_MAX_AGE_MS = 24 * 3_600_000

type Left = {
  readonly listPosition: ListPosition
  readonly leftAt: number
  /** When the newest message of the channel was written by then. */
  readonly newestAt: number
}

/** Positions of the lists of one account in one window. */
export class Places {
  readonly #stops = new Memory<ListPosition>(200)
  readonly #left = new Memory<Left>(50)

  saveStop(stop: number, list: string, listPosition: ListPosition): void {
    this.#stops.put(`${stop} ${list}`, listPosition)
  }

  /** Position of a list at an entry of the window's history. */
  stop = (stop: number, list: string): ListPosition | undefined => this.#stops.get(`${stop} ${list}`)

  /** The end is not stored, because a list opens there by default. */
  leave(list: string, left: Left): void {
    if ('fromEnd' in left.listPosition.position) this.#left.drop(list)
    else this.#left.put(list, left)
  }

  /** Position at which the reader left a list. */
  leftAt(list: string, now: number): Left | undefined {
    const found = this.#left.get(list)
    return found !== undefined && now - found.leftAt < PLACE_MAX_AGE_MS ? found : undefined
  }
}

export const PLACES = perAccount(() => new Places())
