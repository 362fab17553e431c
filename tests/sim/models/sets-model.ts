import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import {
  extendLatest,
  openEnded,
  mergePage,
  rangeAt,
  truncated,
  type PageQuery,
  type Range,
} from '#shared/rules/messages/message-ranges.ts'

/** Three messages share each instant, so that equal times and touching edges are common. */
const at = (n: number): Placed => ({ createdAt: Math.floor(n / 3), id: `m${String(n).padStart(4, '0')}` })

/**
 * A channel on the server as a plain sorted list, and what a client knows of it as ranges. Each number is one step.
 * Half of the channels are new: they have no messages yet.
 */
export function playSets(steps: readonly number[]): readonly string[] {
  const model = new SetsModel((steps[0] ?? 0) % 2 === 0 ? 12 : 0)
  for (const step of steps) {
    model.apply(step)
    const faults = model.judge()
    if (faults.length > 0) return faults
  }
  return []
}

const LIMITS = [1, 2, 3, 5, 8]

class SetsModel {
  #server: Placed[]
  readonly #held = new Set<string>()
  #ranges: readonly Range[] = []
  #next: number
  #online = true
  /** Events of this connection since the newest page was loaded: nothing can be missing between these. */
  #received: Placed[] | undefined

  constructor(length: number) {
    this.#server = Array.from({ length }, (_, n) => at(n))
    this.#next = length
  }

  apply(step: number): void {
    const [kind, more] = [step % 10, Math.floor(step / 10)]
    if (kind <= 1) this.#arrive(1)
    else if (kind === 2) this.#arrive(2)
    else if (kind === 3) this.#line(more % 2 === 0)
    else if (!this.#online) return
    else if (kind === 4) this.#page({ kind: 'newest' }, more)
    else if (kind === 5) this.#cursor('older', more)
    else if (kind === 6) this.#cursor('newer', more)
    else if (kind === 7) this.#around(more)
    else if (kind === 8) this.#remove(more)
    else this.#truncate(more)
  }

  judge(): string[] {
    const faults: string[] = []
    for (const [index, range] of this.#ranges.entries()) {
      const next = this.#ranges[index + 1]
      if (comparePlaced(range.first, range.last) > 0) faults.push('I7: a range is upside down')
      if (next && comparePlaced(range.last, next.first) >= 0) faults.push('I7: two ranges touch or change places')
      const inside = this.#server.filter(
        (key) => comparePlaced(range.first, key) <= 0 && comparePlaced(key, range.last) <= 0,
      )
      for (const key of inside) if (!this.#held.has(key.id)) faults.push(`I8: ${key.id} is missing inside a range`)
      const [oldest, newest] = [this.#server[0], this.#server.at(-1)]
      if (!range.hasPrev && oldest && comparePlaced(oldest, range.first) < 0)
        faults.push('I8: nothing before, they say')
      if (this.#online && !range.hasNext && newest && comparePlaced(newest, range.last) > 0)
        faults.push('I8: nothing after, they say')
    }
    const homes = new Set(this.#received?.map((key) => rangeAt(this.#ranges, key)))
    if (homes.size > 1) faults.push('I8: a hole, they say, and nothing is missing')
    return faults
  }

  /**
   * The later of two messages comes first: the response to an own message often comes before the event of another's.
   */
  #arrive(count: 1 | 2): void {
    const keys = Array.from({ length: count }, () => at(this.#next++))
    this.#server.push(...keys)
    if (!this.#online) return
    for (const key of keys.toReversed()) {
      this.#held.add(key.id)
      this.#ranges = extendLatest(this.#ranges, key)
    }
    this.#received?.push(...keys)
  }

  #line(up: boolean): void {
    if (this.#online && !up) this.#ranges = openEnded(this.#ranges)
    this.#received = undefined
    this.#online = up
  }

  #cursor(kind: 'older' | 'newer', more: number): void {
    const range = this.#ranges[more % Math.max(1, this.#ranges.length)]
    if (range) this.#page({ kind, cursor: kind === 'older' ? range.first : range.last }, Math.floor(more / 8))
  }

  #around(more: number): void {
    const target = this.#server[more % Math.max(1, this.#server.length)]
    if (target) this.#page({ kind: 'around', target }, Math.floor(more / 32))
  }

  #page(query: PageQuery, more: number): void {
    const limit = LIMITS[more % LIMITS.length] ?? 1
    const items = this.#answer(query, limit)
    for (const { id } of items) this.#held.add(id)
    this.#ranges = mergePage(this.#ranges, query, items, limit)
    if (query.kind === 'newest') this.#received ??= []
  }

  /** The server's response. See docs/wire.md 7.6. */
  #answer(query: PageQuery, limit: number): Placed[] {
    const all = this.#server
    if (query.kind === 'newest') return all.slice(-limit)
    if (query.kind === 'older') return all.filter((key) => comparePlaced(key, query.cursor) < 0).slice(-limit)
    if (query.kind === 'newer') return all.filter((key) => comparePlaced(key, query.cursor) > 0).slice(0, limit)
    const index = all.findIndex((key) => key.id === query.target.id)
    const start = Math.max(0, Math.min(index - Math.floor(limit / 2), all.length - limit))
    return all.slice(start, start + limit)
  }

  #remove(more: number): void {
    const [gone] = this.#server.splice(more % Math.max(1, this.#server.length), 1)
    if (gone) this.#held.delete(gone.id)
    this.#received = this.#received?.filter((key) => key !== gone)
  }

  #truncate(more: number): void {
    const time = at(Math.max(0, this.#next - (more % 12))).createdAt
    this.#server = this.#server.filter(({ createdAt }) => createdAt >= time)
    this.#received = this.#received?.filter(({ createdAt }) => createdAt >= time)
    this.#ranges = truncated(this.#ranges, time)
  }
}
