import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { THREAD_LIST_PARTICIPANTS, THREAD_LIST_REPLIES } from '#shared/constants.ts'
import { getThread, type WireThreadState } from '#shared/wire/threads.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import * as titles from '#main/cache/channels/thread-titles.ts'
import * as users from '#main/cache/people/users.ts'
import type { Tx, Reader } from '#main/cache/tx.ts'
import * as answers from '#main/cache/answered-lists.ts'
import { fromJson } from '#main/cache/sql.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../core.ts'
import { asList, asWire, idOf, nameOf } from '../../decode/read.ts'
import { decodeRead } from '../../decode/channel-state.ts'
import { writeLoose, writeReplies } from '../../sync/write.ts'

/** Slightly after the newest reply: nothing before it is unread. */
const AFTER_MS = 0.002

export const OTHER_THREAD = 'A thread cannot be hydrated with the state of another thread'

type Parts = Pick<Core, 'api' | 'asOf' | 'context' | 'isHealthy' | 'life' | 'write'>

/** Fetches the thread as the server has it: title, newest replies, read marks. */
export async function fetchThreadState(core: Parts, cid: Cid, parentId: MessageId): Promise<void> {
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
export function writeThread(tx: Tx, wire: WireThreadState, asOf: number): ListedThread | undefined {
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

export type ListedThread = { readonly parentId: MessageId; readonly cid: Cid }

/** The threads as the server last listed them, also while offline; those of removed channels are omitted. */
export function listedThreads(reader: Reader): readonly ListedThread[] {
  const stored = fromJson<readonly ListedThread[]>(reader.db, meta.get(reader, KEY) ?? '[]')
  return stored.filter((each) => channels.byCid(reader, each.cid) !== undefined)
}

export function storeListed(tx: Tx, threads: readonly ListedThread[]): void {
  meta.set(tx, KEY, JSON.stringify(threads))
  answers.note(tx, 'threads')
  tx.touchWindow('threads')
}
