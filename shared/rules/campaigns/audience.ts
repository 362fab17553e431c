import type { Exclusion } from '../../domain/manage/campaigns.ts'

/** What the server knows of a person. */
export type Standing = 'active' | 'deactivated' | 'deleted' | 'unknown'

/**
 * Everyone who is named or in a segment, once, as they are gathered. An audience may have 100,000 people, so there is one
 * number for each of them besides the id.
 */
export class Audience {
  /** By the id: a bit for each of the sources. */
  readonly #from = new Map<string, number>()
  #found = 0

  /** `source`: which one of the campaign's, from 0; it names 25 segments at most, and people. */
  add(source: number, ids: readonly string[]): void {
    for (const id of ids) {
      this.#found += 1
      this.#from.set(id, (this.#from.get(id) ?? 0) | (1 << source))
    }
  }

  /** How often people were named altogether. */
  get found(): number {
    return this.#found
  }

  /** How many of these repeat another one. */
  get twice(): number {
    return this.#found - this.#from.size
  }

  /** In the order of sending, which is that of the database that sends. */
  ids(): string[] {
    return [...this.#from.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  }

  /** The sources that name somebody, as bits: see {@link sourcesIn}. */
  from(id: string): number {
    return this.#from.get(id) ?? 0
  }
}

/** Which sources the bits stand for, the first one first. */
export const sourcesIn = (bits: number): number[] =>
  Array.from({ length: 32 }, (_, source) => source).filter((source) => (bits & (1 << source)) !== 0)

/**
 * Why somebody who is named does not get the message; `undefined`: they do. It is for everyone but the sender and those who
 * cannot sign in. See docs/wire.md 8.20. The server sends by this rule, and a dry run lists by it.
 */
export function exclusionOf(id: string, senderId: string, standing: Standing): Exclusion | undefined {
  if (id === senderId) return 'sender'
  return standing === 'active' ? undefined : standing
}
