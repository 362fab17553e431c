import type { MessageId } from '#shared/lib/brand.ts'
import {
  THREAD_LIST_PAGE,
  THREAD_LIST_PARTICIPANTS,
  THREAD_LIST_RELOAD_MS,
  THREAD_LIST_REPLIES,
} from '#shared/constants.ts'
import { queryThreads, type WireThreadState } from '#shared/wire/threads.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import type { Stop } from '#main/lib/clock.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Core } from '../../core.ts'
import { asList, cursorOf } from '../../decode/read.ts'
import { fetchThreadState, writeThread, storeListed, listedThreads, type ListedThread } from './state.ts'

type Parts = Pick<
  Core,
  | 'api'
  | 'asOf'
  | 'cache'
  | 'collector'
  | 'context'
  | 'errands'
  | 'isHealthy'
  | 'life'
  | 'log'
  | 'memory'
  | 'ports'
  | 'write'
>

/** The threads that the viewer participates in, selected and sorted by the server. See docs/wire.md 7.9. */
export class ThreadInbox {
  readonly #core: Parts
  readonly #unseen = new Set<string>()
  #isReady = false
  #isStale = false
  #isLoading = false
  #next: string | undefined
  #cooldown: Stop | undefined
  #wantsMore = false

  constructor(core: Parts) {
    this.#core = core
  }

  /** The list was opened on a screen. */
  opened(): void {
    this.#reload()
  }

  async nextPage(): Promise<void> {
    if (this.#next !== undefined && !this.#isLoading && this.#core.isHealthy()) await this.#load(this.#next)
  }

  /** A reply was written. `mine`: the server said that the viewer participates in the thread. */
  replied(parentId: MessageId, mine: boolean): void {
    // Nothing was fetched yet: the first request will include the reply.
    if (!this.#isReady) return
    const isKnown = this.#listed().some((each) => each.parentId === parentId)
    if (isKnown) this.#isStale = true
    else if (mine) this.#unseen.add(parentId)
    if (this.#isShown()) this.#reload()
  }

  /** A connection came back after one was lost. */
  recovered(): void {
    this.#isStale = true
    if (this.#isShown()) this.#reload(true)
  }

  stop(): void {
    this.#cooldown?.()
  }

  #isShown(): boolean {
    return this.#core.collector.isOpen('threads')
  }

  #listed(): readonly ListedThread[] {
    return listedThreads(this.#core.cache.reader)
  }

  /** At most once a second; the last request is never lost. Skipped if nothing is known to have changed. */
  #reload(force = false): void {
    if (!this.#core.isHealthy() || !(force || !this.#isReady || this.#isStale || this.#unseen.size > 0)) return
    if (this.#cooldown || this.#isLoading) {
      this.#wantsMore = true
      return
    }
    this.#cooldown = this.#core.ports.clock.after(THREAD_LIST_RELOAD_MS, () => {
      this.#cooldown = undefined
      this.#again()
    })
    this.#core.errands.begin({ key: 'threads', part: 'threads', work: (isFirst) => this.#load(undefined, isFirst) })
  }

  #again(): void {
    if (!this.#wantsMore || this.#isLoading) return
    this.#wantsMore = false
    if (this.#isShown()) this.#reload(true)
  }

  async #load(cursor: string | undefined, isFirst = true): Promise<void> {
    this.#isLoading = true
    const part = this.#listed().length === 0 ? 'initial' : cursor === undefined ? 'newer' : 'older'
    if (isFirst) this.#core.collector.setLoading('threads', part)
    const known = this.#listed().length + this.#unseen.size
    const limit = cursor === undefined ? Math.min(known || THREAD_LIST_PAGE, THREAD_LIST_PAGE) : THREAD_LIST_PAGE
    try {
      await this.#fetchPage(limit, cursor)
      if (cursor === undefined) await this.#fetchFollowed()
      this.#core.collector.setLoading('threads', 'none')
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'app/internal'
      this.#core.collector.setLoading('threads', 'none', this.#listed().length === 0 ? code : undefined)
      throw error
    } finally {
      this.#isLoading = false
      if (!this.#cooldown) this.#again()
    }
  }

  async #fetchPage(limit: number, cursor: string | undefined): Promise<void> {
    const asOf = this.#core.asOf()
    const reply = await this.#core.api.send(queryThreads, {
      body: {
        limit,
        participant_limit: THREAD_LIST_PARTICIPANTS,
        reply_limit: THREAD_LIST_REPLIES,
        watch: this.#core.isHealthy() ? true : undefined,
        next: cursor,
      },
      signal: this.#core.life,
    })
    this.#next = cursorOf(reply.next, cursor)
    this.#core.memory.hasMoreThreads = this.#next !== undefined
    if (cursor === undefined) {
      this.#isReady = true
      this.#isStale = false
      this.#unseen.clear()
    }
    this.#core.write((tx) => {
      const found = asList(reply.threads).flatMap((thread) => writeThread(tx, thread as WireThreadState, asOf) ?? [])
      const before = listedThreads(tx)
      // Later pages stay below a first page that is fetched again, as long as the server has more than that page.
      if (cursor === undefined)
        storeListed(tx, this.#next === undefined ? found : [...found, ...lacking(before, found)])
      else storeListed(tx, [...before, ...lacking(found, before)])
    })
  }

  /** Fetches threads that are followed manually but not cached: the server lists only those with participation. */
  async #fetchFollowed(): Promise<void> {
    for (const { parentId, cid, follows: isFollowed } of follows.all(this.#core.context.pending).values()) {
      if (!isFollowed || messages.byId(this.#core.cache.reader, parentId) !== undefined) continue
      try {
        await fetchThreadState(this.#core, cid, parentId)
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'app/internal'
        this.#core.log('threads').info('followed', { code })
      }
    }
  }
}

/** Those of `all` that are not in `others`. */
const lacking = (all: readonly ListedThread[], others: readonly ListedThread[]): readonly ListedThread[] => {
  const known = new Set(others.map((each) => each.parentId))
  return all.filter((each) => !known.has(each.parentId))
}
