import type { Channel } from '#shared/domain/channel.ts'
import type { SearchCursor, SearchHit, SearchNote, SearchOrder, SearchPage } from '#shared/domain/search.ts'
import type { User } from '#shared/domain/user.ts'
import { type ErrorBody, errorBodyOf } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { isUnanswered } from '../../../store/command.ts'

export type Question = {
  /** The complete query with filters; empty finds nothing. */
  readonly text: string
  readonly cid?: Cid
  /** By default newest first. */
  readonly order?: SearchOrder
}

/** `account`: the key of the other account that it was found in. */
export type FoundHit = SearchHit & { readonly account?: string }

/** Ids are unique within an account only. */
export const keyIn = (account: string | undefined, id: string): string =>
  account === undefined ? id : `${account} ${id}`

/** What became of the search in another account. */
export type OtherAccount = {
  readonly key: string
  readonly state: 'searching' | 'slow' | 'done' | 'unreachable' | 'refused'
  /** Why it was refused, or failed: an error code. */
  readonly code?: string
  readonly knownUntil?: number
}

export type Found = {
  readonly hits: readonly FoundHit[]
  /** Authors and channels of the hits by {@link keyIn}. */
  readonly people: Readonly<Record<string, User>>
  readonly channels: Readonly<Record<string, Channel>>
  readonly notes: readonly SearchNote[]
  readonly next?: SearchCursor
  readonly indexing: boolean
  readonly server: SearchPage['server']
  /** As in {@link SearchPage}. */
  readonly knownUntil?: number
  /** Whether messages with files match too. */
  readonly files: boolean
  /** The other accounts that were searched. */
  readonly others: readonly OtherAccount[]
  /** `searching`: hits may be those of the previous query. */
  readonly busy: 'none' | 'searching' | 'server' | 'more'
  readonly error?: ErrorBody
}

type Place = {
  readonly scrollTop: number
  /** The row that had the focus last. */
  readonly activeId?: string
}

export const NOTHING: Found = {
  hits: [],
  people: {},
  channels: {},
  notes: [],
  indexing: false,
  server: 'not-asked',
  files: false,
  others: [],
  busy: 'none',
}

/** The cache is searched while typing; the server when typing pauses. */
const TYPING_MS = 120
const RESTED_MS = 350
const PAGE = 20

/** By relevance if the hits have one, then newest first. */
export const compareHits = (a: FoundHit, b: FoundHit): number =>
  (b.rank ?? 0) - (a.rank ?? 0) || b.createdAt - a.createdAt || (a.messageId < b.messageId ? 1 : -1)

/** In their order, without duplicates; of the same message the later response wins. */
export function mergeHits(before: readonly FoundHit[], after: readonly FoundHit[]): readonly FoundHit[] {
  const byKey = new Map([...before, ...after].map((hit) => [keyIn(hit.account, hit.messageId), hit]))
  return [...byKey.values()].toSorted(compareHits)
}

/** Asks one account. */
export type Ask = (input: {
  readonly text: string
  readonly ask: 'cache' | 'server'
  readonly limit: number
  readonly cid?: Cid
  readonly order?: SearchOrder
  readonly cursor?: SearchCursor
}) => Promise<SearchPage>

/** A list of results as the views show it: of one account or of several. */
export type ResultList = Pick<
  Results,
  'found' | 'subscribe' | 'text' | 'place' | 'leave' | 'isNewRequest' | 'again' | 'more'
>

/**
 * Runs a query and stores its results: cached ones at once, then those of the server, page by page. Lives outside the
 * view, so that the list and its position are restored on return.
 */
export class Results {
  readonly #send: Ask
  readonly #listeners = new Set<() => void>()
  #found: Found = NOTHING
  #question: Question | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Incremented with each query; responses to older ones are dropped. */
  #run = 0
  #place: Place = { scrollTop: 0 }
  #answeredNonce = -1
  /** The call was lost, for example because the window went to another account: the same query is run again. */
  #isUnanswered = false
  /** The next page failed; it is requested again with the whole query only, else a list that is in view would repeat it. */
  #isStuck = false

  constructor(send: Ask) {
    this.#send = send
  }

  readonly found = (): Found => this.#found

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The query that the offsets in the response's notes refer to. */
  readonly text = (): string => this.#question?.text ?? ''

  /** Saved position of the list. */
  readonly place = (): Place => this.#place

  /** Saves the position of the list. */
  readonly leave = (place: Partial<Place>): void => {
    this.#place = { ...this.#place, ...place }
  }

  /** Whether this search request is new; the field takes the focus once per request. */
  readonly isNewRequest = (nonce: number): boolean => {
    const isNew = this.#answeredNonce !== nonce
    this.#answeredNonce = nonce
    return isNew
  }

  /** The same query again keeps the results. */
  ask(question: Question): void {
    const before = this.#question
    if (before !== undefined && isSame(before, question) && !this.#isUnanswered) return
    this.#question = question
    this.#place = { scrollTop: 0 }
    this.#begin(question.text === '' ? NOTHING : this.#found, TYPING_MS)
  }

  /** Searches the cache and the server again. */
  again(): void {
    this.#begin(this.#found, 0)
  }

  async more(): Promise<void> {
    const { next, busy } = this.#found
    if (next === undefined || busy !== 'none' || this.#isStuck) return
    const run = this.#run
    this.#set({ ...this.#found, busy: 'more' })
    await this.#page(run, this.#found.server === 'unreachable' ? 'cache' : 'server', next)
  }

  #begin(shown: Found, delay: number): void {
    this.#run += 1
    this.#isUnanswered = false
    this.#isStuck = false
    clearTimeout(this.#timer)
    const empty = (this.#question?.text ?? '').trim() === ''
    const { error: _error, ...rest } = shown
    this.#set(empty ? NOTHING : { ...rest, busy: 'searching' })
    if (empty) return
    const run = this.#run
    this.#timer = setTimeout(() => void this.#both(run, delay === 0 ? 0 : RESTED_MS), delay)
  }

  async #both(run: number, rest: number): Promise<void> {
    await this.#page(run, 'cache')
    if (run === this.#run) this.#timer = setTimeout(() => void this.#page(run, 'server'), rest)
  }

  async #page(run: number, ask: 'cache' | 'server', cursor?: SearchCursor): Promise<void> {
    const { text, cid, order = 'newest' } = this.#question ?? { text: '' }
    const here = cid === undefined ? {} : { cid }
    const from = cursor === undefined ? {} : { cursor: { ...cursor } }
    const by = order === 'newest' ? {} : { order }
    try {
      const page = await this.#send({ text, ask, limit: PAGE, ...here, ...by, ...from })
      if (run === this.#run) this.#take(page, ask, cursor !== undefined)
    } catch (error) {
      if (run !== this.#run) return
      const body = errorBodyOf(error)
      this.#isUnanswered = isUnanswered(body)
      this.#isStuck = cursor !== undefined
      this.#set({ ...this.#found, busy: 'none', error: body })
    }
  }

  #take(page: SearchPage, ask: 'cache' | 'server', follows: boolean): void {
    // The first response replaces the previous results; later ones are added.
    const before = this.#found.busy === 'searching' ? NOTHING : this.#found
    const { next: _next, error: _error, ...rest } = before
    // A list by relevance is ranked anew when the server has added to it: the later one is complete.
    const isNewList = !follows && this.#question?.order === 'relevance'
    this.#set({
      ...rest,
      hits: isNewList ? page.hits : mergeHits(before.hits, page.hits),
      people: { ...before.people, ...byId(page.people, ({ id }) => id) },
      channels: { ...before.channels, ...byId(page.channels, (one) => one.cid) },
      notes: follows ? before.notes : page.notes,
      next: page.next,
      indexing: page.indexing,
      server: page.server === 'not-asked' ? before.server : page.server,
      knownUntil: page.knownUntil ?? before.knownUntil,
      files: page.files ?? before.files,
      busy: ask === 'cache' && !follows ? 'server' : 'none',
    })
  }

  #set(found: Found): void {
    this.#found = found
    for (const listener of this.#listeners) listener()
  }
}

const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => string): Readonly<Record<string, Row>> =>
  Object.fromEntries(rows.map((row) => [idOf(row), row]))
