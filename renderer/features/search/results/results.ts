import { useEffect, useSyncExternalStore } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { SearchCursor, SearchHit, SearchNote, SearchPage } from '#shared/domain/search.ts'
import type { User } from '#shared/domain/user.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { type ErrorBody, errorBodyOf } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { isUnanswered } from '../../../store/command.ts'
import { useAppSelector, useConnection, useObject } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import type { SearchState } from '../../../store/window/ui.ts'
import { textOf } from '../question.ts'

type Question = {
  /** The complete query with filters; empty finds nothing. */
  readonly text: string
  readonly cid?: Cid
}

export type Found = {
  readonly hits: readonly SearchHit[]
  readonly people: Readonly<Record<string, User>>
  readonly channels: Readonly<Record<string, Channel>>
  readonly notes: readonly SearchNote[]
  readonly next?: SearchCursor
  readonly indexing: boolean
  readonly server: SearchPage['server']
  /** `searching`: hits may be those of the previous query. */
  readonly busy: 'none' | 'searching' | 'server' | 'more'
  readonly error?: ErrorBody
}

type Place = {
  readonly scrollTop: number
  /** The row that had the focus last. */
  readonly activeId?: string
}

const NOTHING: Found = {
  hits: [],
  people: {},
  channels: {},
  notes: [],
  indexing: false,
  server: 'not-asked',
  busy: 'none',
}

/** The cache is searched while typing; the server when typing pauses. */
const TYPING_MS = 120
const RESTED_MS = 350
const PAGE = 20

/** Newest first, without duplicates; of the same message the later response wins. */
export function mergeHits(before: readonly SearchHit[], after: readonly SearchHit[]): readonly SearchHit[] {
  const byId = new Map([...before, ...after].map((hit) => [hit.messageId, hit]))
  return [...byId.values()].toSorted((a, b) => b.createdAt - a.createdAt || (a.messageId < b.messageId ? 1 : -1))
}

/**
 * Runs a query and stores its results: cached ones at once, then those of the server, page by page. Lives outside the
 * view, so that the list and its position are restored on return.
 */
export class Results {
  readonly #engine: EngineClient
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

  constructor(engine: EngineClient) {
    this.#engine = engine
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
    if (before?.text === question.text && before.cid === question.cid && !this.#isUnanswered) return
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
    if (next === undefined || busy !== 'none') return
    const run = this.#run
    this.#set({ ...this.#found, busy: 'more' })
    await this.#page(run, this.#found.server === 'unreachable' ? 'cache' : 'server', next)
  }

  #begin(shown: Found, delay: number): void {
    this.#run += 1
    this.#isUnanswered = false
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
    const { text, cid } = this.#question ?? { text: '' }
    const here = cid === undefined ? {} : { cid }
    const from = cursor === undefined ? {} : { cursor: { ...cursor } }
    try {
      const page = await this.#engine.search.messages({ text, ask, limit: PAGE, ...here, ...from })
      if (run === this.#run) this.#take(page, ask, cursor !== undefined)
    } catch (error) {
      if (run !== this.#run) return
      const body = errorBodyOf(error)
      this.#set({ ...this.#found, busy: 'none', error: body })
      this.#isUnanswered = isUnanswered(body)
    }
  }

  #take(page: SearchPage, ask: 'cache' | 'server', follows: boolean): void {
    // The first response replaces the previous results; later ones are added.
    const before = this.#found.busy === 'searching' ? NOTHING : this.#found
    const { next: _next, error: _error, ...rest } = before
    this.#set({
      ...rest,
      hits: mergeHits(before.hits, page.hits),
      people: { ...before.people, ...byId(page.people, ({ id }) => id) },
      channels: { ...before.channels, ...byId(page.channels, (one) => one.cid) },
      notes: follows ? before.notes : page.notes,
      next: page.next,
      indexing: page.indexing,
      server: page.server === 'not-asked' ? before.server : page.server,
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

const NOT_ASKED: SearchState = { text: '', chips: [], tab: 'messages', nonce: 0 }

export const useSearchState = (): SearchState => useAppSelector(({ ui }) => ui.search ?? NOT_ASKED)

/** Stored outside the view, so that the lists and their positions are restored on return. */
const RESULTS = perAccount(({ engine }) => ({ messages: new Results(engine), files: new Results(engine) }))

/** Messages, or messages with files, that match the current query. */
export function useResults(
  kind: 'messages' | 'files',
  isShown: boolean,
): {
  readonly results: Results
  readonly found: Found
  /** The results are of the current query; those of the server may follow. */
  readonly isAnswered: boolean
} {
  const searchState = useSearchState()
  const { offline } = useConnection()
  const results = useObject(RESULTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const plain = textOf(searchState)
  const text = kind === 'files' && plain.trim() !== '' ? `has:file ${plain}` : plain
  const { cid } = searchState
  useEffect(() => {
    if (isShown) results.ask({ text, cid })
  }, [results, isShown, text, cid])
  useEffect(() => {
    // Connected again: the server can be searched now.
    if (isShown && !offline && results.found().server === 'unreachable') results.again()
  }, [results, isShown, offline])
  return { results, found, isAnswered: found.busy !== 'searching' && results.text() === text }
}
