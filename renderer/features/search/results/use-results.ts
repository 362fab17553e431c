import { useEffect, useSyncExternalStore } from 'react'
import { selectAccounts } from '../../../store/accounts.ts'
import { useAppSelector, useConnection, useObject, useSetting } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import type { AppState } from '../../../store/store.ts'
import type { SearchState } from '../../../store/window/ui.ts'
import { textOf } from '../question.ts'
import {
  type Found,
  type Ask,
  compareHits,
  type FoundHit,
  keyIn,
  NOTHING,
  type OtherAccount,
  type Question,
  type ResultList,
  Results,
} from './results.ts'

const NOT_ASKED: SearchState = { text: '', chips: [], tab: 'messages', nonce: 0 }

const selectSearch = ({ ui }: AppState): SearchState => ui.search ?? NOT_ASKED

export const useSearchState = (): SearchState => useAppSelector(selectSearch)

/** Stored outside the view, so that the lists and their positions are restored on return. */
const RESULTS = perAccount(
  ({ engine }) => {
    const create = (): Everywhere =>
      new Everywhere(
        (input) => engine.search.messages(input),
        (key) =>
          ({ cid: _cid, ...input }) =>
            engine.elsewhere.messages({ ...input, key }),
      )
    return { messages: create(), files: create() }
  },
  ({ messages, files }, accounts) => {
    messages.retain(accounts)
    files.retain(accounts)
  },
)

/** Keys of the other accounts that are searched too, in the order of the rail. */
const selectSearched = (state: AppState): string => {
  const { everywhere, cid } = selectSearch(state)
  const { accounts, shown } = selectAccounts(state)
  if (everywhere !== true || cid !== undefined) return ''
  return accounts.flatMap(({ key }) => (key === shown ? [] : key)).join('\n')
}

const keysOf = (joined: string): readonly string[] => (joined === '' ? [] : joined.split('\n'))

export const useSearchedElsewhere = (): readonly string[] => keysOf(useAppSelector(selectSearched))

/** Changes when an account connects, or is signed in again. */
const selectLines = (state: AppState): string =>
  selectAccounts(state)
    .accounts.map(({ connection }) => connection)
    .join(' ')

/** Messages, or messages with files, that match the current query. */
export function useResults(
  kind: 'messages' | 'files',
  isShown: boolean,
): {
  readonly results: Everywhere
  readonly found: Found
  /** The results are of the current query; those of the server may follow. */
  readonly isAnswered: boolean
} {
  const searchState = useSearchState()
  const { offline } = useConnection()
  const order = useSetting('searchOrder')
  const searched = useAppSelector(selectSearched)
  const lines = useAppSelector(selectLines)
  const results = useObject(RESULTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const plain = textOf(searchState)
  const text = kind === 'files' && plain.trim() !== '' ? `has:file ${plain}` : plain
  const { cid } = searchState
  useEffect(() => {
    if (isShown) results.ask({ text, cid, order }, keysOf(searched))
  }, [results, isShown, text, cid, order, searched])
  useEffect(() => {
    // Connected again: the server can be searched now.
    if (isShown && !offline && results.found().server === 'unreachable') results.again()
  }, [results, isShown, offline])
  useEffect(() => {
    if (isShown) results.retry(lines)
  }, [results, isShown, lines])
  return { results, found, isAnswered: found.busy !== 'searching' && results.text() === text }
}

/** After this time an account that has not answered is called slow, and is no longer waited for. */
const SLOW_MS = 3_000

/**
 * Results of the account on screen and of others, each with its own pages. An account that is slow or refuses hides
 * nothing of the others. What others found is stored here only, and dropped with the account.
 */
export class Everywhere implements ResultList {
  readonly #own: Results
  readonly #others = new Map<string, Results>()
  readonly #askOther: (key: string) => Ask
  readonly #listeners = new Set<() => void>()
  #found: Found = NOTHING
  #isLate = false
  #lines: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #question: Question | undefined

  constructor(own: Ask, askOther: (key: string) => Ask) {
    this.#own = new Results(own)
    this.#own.subscribe(this.#changed)
    this.#askOther = askOther
  }

  readonly found = (): Found => this.#found

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly text = (): string => this.#own.text()
  readonly place = (): ReturnType<Results['place']> => this.#own.place()
  readonly leave: Results['leave'] = (place) => this.#own.leave(place)
  readonly isNewRequest: Results['isNewRequest'] = (nonce) => this.#own.isNewRequest(nonce)

  /** Drops what accounts found that are not in this profile anymore. */
  retain(accounts: ReadonlySet<string>): void {
    const gone = [...this.#others.keys()].filter((key) => !accounts.has(key))
    for (const key of gone) this.#others.delete(key)
    if (gone.length > 0) this.#changed()
  }

  /** The same question to the same accounts again keeps the results. `keys`: the other accounts. */
  ask(question: Question, keys: readonly string[]): void {
    for (const key of this.#others.keys()) if (!keys.includes(key)) this.#others.delete(key)
    if (this.#question?.text !== question.text || this.#question.order !== question.order) this.#wait()
    this.#question = question
    this.#own.ask(question)
    for (const key of keys) this.#other(key).ask({ text: question.text, order: question.order })
    this.#changed()
  }

  again(): void {
    this.#wait()
    for (const results of this.#all()) results.again()
  }

  /** Asks those again that could not answer completely, when the state of their connections has changed. */
  retry(lines: string): void {
    const before = this.#lines
    this.#lines = lines
    if (before === undefined || before === lines) return
    for (const results of this.#others.values()) {
      const { error, server } = results.found()
      if (error !== undefined || server === 'unreachable') results.again()
    }
  }

  /** The next pages of those that end first. */
  async more(): Promise<void> {
    const floor = floorOf(this.#all().map((results) => asFar(results.found())))
    const ending = this.#all().filter((results) => {
      const { hits, next } = asFar(results.found())
      const last = hits.at(-1)
      return next !== undefined && (last === undefined || floor === undefined || compareHits(last, floor) <= 0)
    })
    await Promise.all(ending.map((results) => results.more()))
  }

  #all(): readonly Results[] {
    return [this.#own, ...this.#others.values()]
  }

  #other(key: string): Results {
    const known = this.#others.get(key)
    if (known) return known
    const created = new Results(this.#askOther(key))
    created.subscribe(() => {
      // A late answer of an account that is no longer searched.
      if (this.#others.get(key) === created) this.#changed()
    })
    this.#others.set(key, created)
    return created
  }

  #wait(): void {
    this.#isLate = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isLate = true
      if (this.#others.size > 0) this.#changed()
    }, SLOW_MS)
  }

  readonly #changed = (): void => {
    const own = this.#own.found()
    const others = [...this.#others].map(([key, results]) => [key, results.found()] as const)
    this.#found = others.length === 0 ? own : combine(this.#found, own, others, this.#isLate)
    for (const listener of this.#listeners) listener()
  }
}

type Other = readonly [key: string, found: Found]

/** One list. While the account on screen is searched, which takes no time, the previous one is shown. */
function combine(before: Found, own: Found, others: readonly Other[], isLate: boolean): Found {
  const states = others.map(([key, found]) => stateOf(key, found, isLate))
  if (own.busy === 'searching') {
    const kept = before.hits.filter(({ account }) => account === undefined || others.some(([key]) => key === account))
    return { ...before, hits: kept, busy: 'searching', others: states }
  }
  // Those that are still searched have hits of the previous query.
  const answered = others.filter(([, { busy }]) => busy !== 'searching')
  const lists = [
    asFar(own),
    ...answered.map(([key, found]) => ({ ...asFar(found), hits: found.hits.map(ofAccount(key)) })),
  ]
  const floor = floorOf(lists)
  const hits = lists
    .flatMap((list): readonly FoundHit[] => list.hits)
    .filter((hit) => floor === undefined || compareHits(hit, floor) <= 0)
    .toSorted(compareHits)
  const isWaiting = states.some(({ state }) => state === 'searching')
  return {
    ...own,
    hits,
    people: Object.assign({}, own.people, ...answered.map(([key, { people }]) => prefixed(key, people))),
    channels: Object.assign({}, own.channels, ...answered.map(([key, { channels }]) => prefixed(key, channels))),
    // A name that one account does not know may be known to another.
    notes: own.notes.filter(({ code, start }) =>
      answered.every(([, { notes }]) => notes.some((note) => note.code === code && note.start === start)),
    ),
    next: lists.find(({ next }) => next !== undefined)?.next,
    indexing: lists.some(({ indexing }) => indexing),
    files: lists.some(({ files }) => files),
    others: states,
    busy: lists.some(({ busy }) => busy === 'more') ? 'more' : own.busy === 'none' && isWaiting ? 'server' : own.busy,
  }
}

/** An account that could not go on ends where it is: the others are not held up, and its note says so. */
const asFar = (found: Found): Found => (found.error === undefined ? found : { ...found, next: undefined })

/** Hits behind this one may be preceded by others that are not loaded yet. */
function floorOf(lists: readonly Pick<Found, 'hits' | 'next'>[]): FoundHit | undefined {
  const ends = lists.flatMap(({ hits, next }) => (next === undefined ? [] : (hits.at(-1) ?? [])))
  return ends.toSorted(compareHits)[0]
}

const ofAccount =
  (account: string) =>
  (hit: FoundHit): FoundHit => ({ ...hit, account })

const prefixed = <Row>(account: string, rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [keyIn(account, id), row]))

function stateOf(key: string, { busy, error, server, knownUntil }: Found, isLate: boolean): OtherAccount {
  if (error !== undefined) return { key, state: 'refused', code: error.code }
  if (busy === 'searching' || busy === 'server') return { key, state: isLate ? 'slow' : 'searching' }
  return server === 'unreachable' ? { key, state: 'unreachable', knownUntil } : { key, state: 'done' }
}
