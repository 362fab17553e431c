import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { THREAD_LIST_PAGE, THREAD_LIST_PARTICIPANTS, THREAD_LIST_REPLIES } from '#shared/constants.ts'
import { queryThreads, type WireThreadState } from '#shared/wire/threads.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as reads from '#main/cache/tables/reads.ts'
import * as users from '#main/cache/tables/users.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Stop } from '#main/lib/clock.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Core } from '../../core.ts'
import { asList, idOf } from '../../decode/read.ts'
import { decodeRead } from '../../decode/read-state.ts'
import { writeLoose, writeReplies } from '../../sync/write.ts'
import { keepListed, listedThreads, type ListedThread } from './listed.ts'

/** Source: behaviour spec, section 9 "Thread list page / participants / replies". */
const RELOAD_EVERY_MS = 1_000

/** The threads the viewer takes part in. The server says which and in what order. Source: wire contract 7.9. */
export type ThreadInbox = {
  /** The list came on a screen. */
  opened(): void
  nextPage(): Promise<void>
  /** Somebody wrote in a thread. `mine`: the server said that the viewer takes part. */
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
  let resting: Stop | undefined
  let wantsMore = false

  const isShown = (): boolean => core.collector.isOpen('threads')
  const listed = (): readonly ListedThread[] => listedThreads(core.cache.reader)

  /** At most once a second, the last wish never lost. Skipped when nothing is known to have changed. */
  function reload(force = false): void {
    if (!core.isHealthy() || !(force || !isReady || isStale || unseen.size > 0)) return
    if (resting || isLoading) {
      wantsMore = true
      return
    }
    resting = core.ports.clock.after(RELOAD_EVERY_MS, () => {
      resting = undefined
      again()
    })
    core.background('threads', () => load(undefined))
  }

  function again(): void {
    if (!wantsMore || isLoading) return
    wantsMore = false
    if (isShown()) reload(true)
  }

  async function load(cursor: string | undefined): Promise<void> {
    isLoading = true
    core.collector.setLoading('threads', listed().length === 0 ? 'initial' : cursor === undefined ? 'newer' : 'older')
    const known = listed().length + unseen.size
    const limit = cursor === undefined ? Math.min(known || THREAD_LIST_PAGE, THREAD_LIST_PAGE) : THREAD_LIST_PAGE
    try {
      await ask(limit, cursor)
      core.collector.setLoading('threads', 'none')
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'app/internal'
      core.collector.setLoading('threads', 'none', listed().length === 0 ? code : undefined)
      throw error
    } finally {
      isLoading = false
      if (!resting) again()
    }
  }

  async function ask(limit: number, cursor: string | undefined): Promise<void> {
    const asOf = core.asOf()
    const reply = await core.api.send(queryThreads, {
      body: {
        limit,
        participant_limit: THREAD_LIST_PARTICIPANTS,
        reply_limit: THREAD_LIST_REPLIES,
        ...(core.isHealthy() ? { watch: true } : {}),
        ...(cursor === undefined ? {} : { next: cursor }),
      },
      signal: core.life,
    })
    next = idOf(reply.next)
    core.memory.hasMoreThreads = next !== undefined
    if (cursor === undefined) {
      isReady = true
      isStale = false
      unseen.clear()
    }
    core.write((tx) => {
      const found = asList(reply.threads).flatMap((thread) => writeThread(tx, thread as WireThreadState, asOf) ?? [])
      const before = cursor === undefined ? [] : listedThreads(tx)
      const fresh = found.filter((each) => before.every((one) => one.parentId !== each.parentId))
      keepListed(tx, [...before, ...fresh])
    })
  }

  return {
    opened: () => reload(),
    nextPage: async () => {
      if (next !== undefined && !isLoading && core.isHealthy()) await load(next)
    },
    replied(parentId, mine) {
      // Nothing was asked for yet: what is asked then is new by itself.
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
    stop: () => resting?.(),
  }
}

/** The first message, the newest replies and the viewer's mark. A thread of a channel that is not held is left out. */
function writeThread(tx: Tx, wire: WireThreadState, asOf: number): ListedThread | undefined {
  const parent = idOf(wire.parent_message_id)
  const channel = idOf(wire.channel_cid)
  if (parent === undefined || channel === undefined || !channels.byCid(tx, channel)) return undefined
  const [parentId, cid] = [asMessageId(parent), asCid(channel)]
  writeLoose(tx, [wire.parent_message], { asOf, cid })
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
