import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MARK_READ_THROTTLE_MS } from '#shared/constants.ts'
import { maySendRead } from '#shared/rules/reads.ts'
import * as messages from '#main/cache/tables/messages.ts'
import * as pages from '#main/cache/tables/pages.ts'
import * as unread from '#main/cache/tables/unread.ts'
import type { Stop } from '#main/lib/clock.ts'
import { visibleChannel } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { isReadWithoutTrace, keepRead } from './traceless.ts'

/** Marks channels and threads as read: at most once a second each, the last wish never lost. */
export type ReadMarker = {
  mark(cid: Cid, parentId?: MessageId): void
  /** What was asked within the last second is written down now. */
  flush(): void
}

/** Leading and trailing, through the outbox, so that it works offline. Source: behaviour spec, section 9; wire 7.11. */
export function createReadMarker(core: Core): ReadMarker {
  const paused = new Map<string, { stop: Stop; again?: () => void }>()
  /** The viewer's own newest reply of a thread that the server was told of. */
  const told = new Map<MessageId, string>()

  function mark(cid: Cid, parentId?: MessageId): void {
    const key = composerKey(cid, parentId)
    const entry = paused.get(key)
    if (entry) {
      entry.again = () => mark(cid, parentId)
      return
    }
    if (!markNow(core, cid, parentId, told)) return
    paused.set(key, { stop: core.ports.clock.after(MARK_READ_THROTTLE_MS, () => release(key)) })
  }

  function release(key: string): void {
    const entry = paused.get(key)
    paused.delete(key)
    try {
      entry?.again?.()
    } catch (error) {
      // The disk refused it: the timer comes back, and the wish must still be there.
      if (entry) paused.set(key, entry)
      throw error
    }
  }

  return {
    mark,
    flush() {
      const keys = [...paused.keys()]
      for (const { stop } of paused.values()) stop()
      try {
        for (const key of keys) release(key)
      } finally {
        for (const { stop } of paused.values()) stop()
        paused.clear()
      }
    },
  }
}

/** Answers whether anything had to be marked. */
function markNow(core: Core, cid: Cid, parentId: MessageId | undefined, told: Map<MessageId, string>): boolean {
  const channel = visibleChannel(core.sight, cid)
  if (!channel || !maySendRead(channel)) return false
  const count =
    parentId === undefined ? channel.unread : unread.ofThread(core.cache.reader, cid, parentId, core.serverNow())
  const scope = parentId === undefined ? (`timeline:${cid}` as const) : (`thread:${parentId}` as const)
  const newest = pages.newest(core.cache.reader, scope, 1)[0]
  if (newest === undefined) return false
  const isQuiet = isReadWithoutTrace(core, cid)
  if (count === 0) {
    // Whoever answers has read the thread, and no event says that it counts no longer: the answer to a mark does.
    const isOwn = messages.byId(core.cache.reader, newest.id)?.userId === core.me
    const mayCount = !isQuiet && parentId !== undefined && isOwn && core.memory.inbox.unreadThreads > 0
    if (!mayCount || told.get(parentId) === newest.id) return false
    told.set(parentId, newest.id)
  }
  const payload = { upTo: newest.id as MessageId, readAt: newest.createdAt }
  if (isQuiet) {
    keepRead(core, { cid, parentId }, payload)
    return true
  }
  core.outbox.add({ kind: 'mark-read', cid, parentId, payload })
  if (parentId === undefined) core.delivery.forget(cid)
  core.runner.kick()
  return true
}
