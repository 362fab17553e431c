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
import { fetchThreadState, writeThread } from './state.ts'
import { storeListed, listedThreads, type ListedThread } from './listed.ts'

/** The threads that the viewer participates in, selected and sorted by the server. See docs/wire.md 7.9. */
export type ThreadInbox = {
  /** The list was opened on a screen. */
  opened(): void
  nextPage(): Promise<void>
  /** A reply was written. `mine`: the server said that the viewer participates in the thread. */
  replied(parentId: MessageId, mine: boolean): void
  /** A connection came back after one was lost. */
  recovered(): void
  stop(): void
}

export function createThreadInbox(core: Core): ThreadInbox {
  const unseen = new Set<string>()
  let isReady = false
  let isStale = false
  let isLoading = false
  let next: string | undefined
  let cooldown: Stop | undefined
  let wantsMore = false

  const isShown = (): boolean => core.collector.isOpen('threads')
  const listed = (): readonly ListedThread[] => listedThreads(core.cache.reader)

  /** At most once a second; the last request is never lost. Skipped if nothing is known to have changed. */
  function reload(force = false): void {
    if (!core.isHealthy() || !(force || !isReady || isStale || unseen.size > 0)) return
    if (cooldown || isLoading) {
      wantsMore = true
      return
    }
    cooldown = core.ports.clock.after(THREAD_LIST_RELOAD_MS, () => {
      cooldown = undefined
      again()
    })
    core.errands.begin({ key: 'threads', part: 'threads', work: (isFirst) => load(undefined, isFirst) })
  }

  function again(): void {
    if (!wantsMore || isLoading) return
    wantsMore = false
    if (isShown()) reload(true)
  }

  async function load(cursor: string | undefined, isFirst = true): Promise<void> {
    isLoading = true
    if (isFirst)
      core.collector.setLoading('threads', listed().length === 0 ? 'initial' : cursor === undefined ? 'newer' : 'older')
    const known = listed().length + unseen.size
    const limit = cursor === undefined ? Math.min(known || THREAD_LIST_PAGE, THREAD_LIST_PAGE) : THREAD_LIST_PAGE
    try {
      await fetchPage(limit, cursor)
      if (cursor === undefined) await fetchFollowed()
      core.collector.setLoading('threads', 'none')
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'app/internal'
      core.collector.setLoading('threads', 'none', listed().length === 0 ? code : undefined)
      throw error
    } finally {
      isLoading = false
      if (!cooldown) again()
    }
  }

  async function fetchPage(limit: number, cursor: string | undefined): Promise<void> {
    const asOf = core.asOf()
    const reply = await core.api.send(queryThreads, {
      body: {
        limit,
        participant_limit: THREAD_LIST_PARTICIPANTS,
        reply_limit: THREAD_LIST_REPLIES,
        watch: core.isHealthy() ? true : undefined,
        next: cursor,
      },
      signal: core.life,
    })
    next = cursorOf(reply.next, cursor)
    core.memory.hasMoreThreads = next !== undefined
    if (cursor === undefined) {
      isReady = true
      isStale = false
      unseen.clear()
    }
    core.write((tx) => {
      const found = asList(reply.threads).flatMap((thread) => writeThread(tx, thread as WireThreadState, asOf) ?? [])
      const before = listedThreads(tx)
      // Later pages stay below a first page that is fetched again, as long as the server has more than that page.
      if (cursor === undefined) storeListed(tx, next === undefined ? found : [...found, ...lacking(before, found)])
      else storeListed(tx, [...before, ...lacking(found, before)])
    })
  }

  /** Fetches threads that are followed manually but not cached: the server lists only those with participation. */
  async function fetchFollowed(): Promise<void> {
    for (const { parentId, cid, follows: isFollowed } of follows.all(core.context.pending).values()) {
      if (!isFollowed || messages.byId(core.cache.reader, parentId) !== undefined) continue
      try {
        await fetchThreadState(core, cid, parentId)
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'app/internal'
        core.log('threads').info('followed', { code })
      }
    }
  }

  return {
    opened: () => reload(),
    nextPage: async () => {
      if (next !== undefined && !isLoading && core.isHealthy()) await load(next)
    },
    replied(parentId, mine) {
      // Nothing was fetched yet: the first request will include the reply.
      if (!isReady) return
      const isKnown = listed().some((each) => each.parentId === parentId)
      if (isKnown) isStale = true
      else if (mine) unseen.add(parentId)
      if (isShown()) reload()
    },
    recovered() {
      isStale = true
      if (isShown()) reload(true)
    },
    stop: () => cooldown?.(),
  }
}

/** Those of `all` that are not in `others`. */
const lacking = (all: readonly ListedThread[], others: readonly ListedThread[]): readonly ListedThread[] => {
  const known = new Set(others.map((each) => each.parentId))
  return all.filter((each) => !known.has(each.parentId))
}
