import { type MessageId, asCid, asMessageId, type Cid } from '#shared/lib/brand.ts'
import {
  THREAD_LIST_PAGE,
  THREAD_LIST_PARTICIPANTS,
  THREAD_LIST_RELOAD_MS,
  THREAD_LIST_REPLIES,
} from '#shared/constants.ts'
import { queryThreads, type WireThreadState, getThread } from '#shared/wire/messages.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import type { Stop } from '#main/lib/clock.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as titles from '#main/cache/channels/thread-titles.ts'
import * as users from '#main/cache/people/users.ts'
import { type Tx, type Reader, fromJson } from '#main/cache/store.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../core.ts'
import { asList, cursorOf, asWire, idOf, nameOf } from '../../decode/read.ts'
import { decodeRead } from '../../decode/channel.ts'
import { writeLoose, writeReplies } from '../../sync/write.ts'

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

/** Slightly after the newest reply: nothing before it is unread. */
const AFTER_MS = 0.002

export const OTHER_THREAD = 'A thread cannot be hydrated with the state of another thread'

type StateParts = Pick<Core, 'api' | 'asOf' | 'context' | 'isHealthy' | 'life' | 'write'>

/** Fetches the thread as the server has it: title, newest replies, read marks. */
export async function fetchThreadState(core: StateParts, cid: Cid, parentId: MessageId): Promise<void> {
  const asOf = core.asOf()
  const { thread } = await core.api.send(getThread, {
    params: { messageId: parentId },
    query: {
      reply_limit: THREAD_LIST_REPLIES,
      participant_limit: THREAD_LIST_PARTICIPANTS,
      watch: core.isHealthy() ? true : undefined,
    },
    signal: core.life,
  })
  // Using the state of another thread is an error.
  if (idOf(thread.parent_message_id) !== parentId) throw new AppError('server/unavailable', { detail: OTHER_THREAD })
  core.write((tx) => {
    writeThread(tx, thread, asOf)
    if (follows.all(core.context.pending).get(parentId)?.follows === true) followFromHere(tx, cid, parentId, asOf)
  })
}

/** The server stores no mark for threads followed without participating: existing replies count as read. */
export function followFromHere(tx: Tx, cid: Cid, parentId: MessageId, now: number): void {
  const newest = pages.newest(tx, `thread:${parentId}`, 1)[0]?.createdAt ?? now
  reads.follow(tx, { cid, threadId: parentId, from: newest + AFTER_MS })
}

/** Stores the first message, the newest replies and the viewer's mark, unless the channel is not cached. */
function writeThread(tx: Tx, wire: WireThreadState, asOf: number): ListedThread | undefined {
  if (!asWire(wire)) return undefined
  const parent = idOf(wire.parent_message_id)
  const channel = idOf(wire.channel_cid)
  if (parent === undefined || channel === undefined || !channels.byCid(tx, channel)) return undefined
  const [parentId, cid] = [asMessageId(parent), asCid(channel)]
  writeLoose(tx, [wire.parent_message], { asOf, cid })
  writeTitle(tx, wire, asOf)
  const query = { kind: 'newest' } as const
  const rows = writeReplies(tx, parentId, asList(wire.latest_replies), {
    asOf,
    cid,
    query,
    requested: THREAD_LIST_REPLIES,
  })
  const newestAt = rows.reduce((newest, row) => Math.max(newest, row.createdAt), 0)
  for (const read of asList(wire.read)) {
    const decoded = decodeRead(
      read,
      { viewerId: tx.viewerId, asOf, isAnswer: true },
      { cid, threadId: parentId, newestAt },
    )
    if (!decoded) continue
    if (decoded.user) users.put(tx, decoded.user)
    reads.put(tx, decoded.row)
  }
  return { parentId, cid }
}

/** A thread has the title of its message until it is renamed. */
export function writeTitle(
  tx: Tx,
  wire: Partial<Readonly<Record<'parent_message_id' | 'channel_cid' | 'title' | 'parent_message', unknown>>>,
  asOf: number,
): void {
  const parent = idOf(wire.parent_message_id)
  const channel = idOf(wire.channel_cid)
  if (parent === undefined || channel === undefined || typeof wire.title !== 'string') return
  const parentId = asMessageId(parent)
  const text = asWire(wire.parent_message)?.['text'] ?? messages.byId(tx, parentId)?.text
  titles.put(tx, { parentId, cid: asCid(channel), title: wire.title === text ? '' : (nameOf(wire.title) ?? ''), asOf })
}

const KEY = 'thread-inbox'

type ListedThread = { readonly parentId: MessageId; readonly cid: Cid }

/** The threads as the server last listed them, also while offline; those of removed channels are omitted. */
export function listedThreads(reader: Reader): readonly ListedThread[] {
  const stored = fromJson<readonly ListedThread[]>(reader.db, meta.get(reader, KEY) ?? '[]')
  return stored.filter((each) => channels.byCid(reader, each.cid) !== undefined)
}

function storeListed(tx: Tx, threads: readonly ListedThread[]): void {
  meta.set(tx, KEY, JSON.stringify(threads))
  meta.noteAnswered(tx, 'threads')
  tx.touchWindow('threads')
}
