import type { SearchAnswer } from '#main/cache/search/query.ts'

/** How many questions are remembered: as many as someone types in a minute. */
const QUESTIONS = 20
const LISTS = 8

/** What a search remembers beyond one page; in memory, and dropped with the oldest questions. */
export class Questions {
  readonly #added = new Map<string, Set<string>>()
  readonly #lists = new Map<number, SearchAnswer>()
  #last = 0

  /** Ids of the messages that the server added for this question. */
  added(question: string): Set<string> {
    const known = this.#added.get(question) ?? new Set<string>()
    this.#added.delete(question)
    remember(this.#added, question, known, QUESTIONS)
    return known
  }

  /** Keeps a list by relevance, so that its pages are stable while messages arrive. Returns its number. */
  keep(list: SearchAnswer): number {
    this.#last += 1
    remember(this.#lists, this.#last, list, LISTS)
    return this.#last
  }

  list(number: number): SearchAnswer | undefined {
    return this.#lists.get(number)
  }
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
