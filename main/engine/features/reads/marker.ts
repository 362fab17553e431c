import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { MARK_READ_THROTTLE_MS } from '#shared/constants.ts'
import { maySendRead } from '#shared/rules/channels/unread.ts'
import type { IntentFor } from '#shared/domain/intent.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { markRead, markChannelsRead, markUnread } from '#shared/wire/channels.ts'
import type { WireEvent } from '#shared/wire/events.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as unread from '#main/cache/channels/unread.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as reads from '#main/cache/channels/reads.ts'
import { pendingRead } from '../../changes/visible-message.ts'
import { visibleChannel } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { ApiError, taskStep } from '../../api/errors.ts'
import { timeOf } from '../../decode/read.ts'
import { travelsWithOthers } from '../../outbox/lanes.ts'
import type { Done } from '../../outbox/runner.ts'
import { isReadWithoutTrace, storeLocalReads, refusedMark, storeRefusedMark } from './traceless.ts'

/** Marks channels and threads as read: at most once a second each; the last mark is never lost. */
export type ReadMarker = {
  mark(cid: Cid, parentId?: MessageId): void
  /** Many channels with one write to disk. */
  markMany(cids: readonly Cid[]): void
  /** Queues the delayed marks of the last second now. */
  flush(): void
}

type Parts = Pick<
  Core,
  'cache' | 'context' | 'delivery' | 'me' | 'memory' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stores'
>

/** Throttled at both edges, through the outbox, so that it works offline. */
export function createReadMarker(core: Parts): ReadMarker {
  const paused = new Map<string, { stop: Stop; again?: () => void }>()
  /** The viewer's own newest reply per thread that was reported to the server. */
  const reported = new Map<MessageId, string>()

  function mark(places: readonly Place[]): void {
    const due = places.filter((place) => {
      const entry = paused.get(keyOf(place))
      if (entry) entry.again = () => mark([place])
      return entry === undefined
    })
    const marks = due.flatMap((place) => markOf(core, place, reported) ?? [])
    if (marks.length === 0) return
    store(core, marks)
    for (const place of marks) {
      const key = keyOf(place)
      paused.set(key, { stop: core.ports.clock.after(MARK_READ_THROTTLE_MS, () => release(key)) })
    }
  }

  function release(key: string): void {
    const entry = paused.get(key)
    paused.delete(key)
    try {
      entry?.again?.()
    } catch (error) {
      // The disk refused the write: the timer retries, so the mark must still be there.
      if (entry) paused.set(key, entry)
      throw error
    }
  }

  return {
    mark: (cid, parentId) => mark([{ cid, parentId }]),
    markMany: (cids) => mark([...new Set(cids)].map((cid) => ({ cid, parentId: undefined }))),
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

type Place = { readonly cid: Cid; readonly parentId: MessageId | undefined }
type ThreadPlace = { readonly cid: Cid; readonly parentId: MessageId }
type NewMark = Place & { readonly upTo: MessageId; readonly readAt: number } & {
  /** Only stored on this device: by the user's choice, or because the server refuses marks. */
  readonly isQuiet: boolean
  /** It replaces a mark that was only stored on this device. */
  readonly wasRefused: boolean
}

const keyOf = ({ cid, parentId }: Place): string => composerKey(cid, parentId)

/** The mark up to which a place is read now; `undefined` if there is nothing new. */
function markOf(core: Parts, { cid, parentId }: Place, reported: Map<MessageId, string>): NewMark | undefined {
  const channel = visibleChannel(core.context, cid)
  const wasRefused = refusedMark(core, { cid, parentId }) !== undefined
  if (!channel || (!maySendRead(channel) && !wasRefused)) return undefined
  const count = parentId === undefined ? channel.unread : unreadReplies(core, { cid, parentId }, wasRefused)
  const scope = parentId === undefined ? (`timeline:${cid}` as const) : (`thread:${parentId}` as const)
  const newest = pages.newest(core.cache.reader, scope, 1)[0]
  if (newest === undefined) return undefined
  const isQuiet = isReadWithoutTrace(core, cid) || !maySendRead(channel)
  if (count === 0) {
    // Replying implies reading, but no event lowers the count of unread threads: the response to a mark does.
    const isOwn = messages.byId(core.cache.reader, newest.id)?.userId === core.me
    const mayCount = !isQuiet && parentId !== undefined && isOwn && core.memory.inbox.unreadThreads > 0
    if (!mayCount || reported.get(parentId) === newest.id) return undefined
    reported.set(parentId, newest.id)
  }
  return { cid, parentId, upTo: newest.id as MessageId, readAt: newest.createdAt, isQuiet, wasRefused }
}

function unreadReplies(
  core: Pick<Core, 'cache' | 'context' | 'serverNow'>,
  { cid, parentId }: ThreadPlace,
  wasRefused: boolean,
): number {
  const mark = wasRefused ? pendingRead(core.context, { cid, id: parentId }) : undefined
  return unread.ofThread(core.cache.reader, cid, parentId, core.serverNow(), mark)
}

function store(core: Parts, marks: readonly NewMark[]): void {
  const quiet = marks.filter(({ isQuiet, wasRefused }) => isQuiet || wasRefused)
  const loud = marks.filter(({ isQuiet }) => !isQuiet)
  if (quiet.length > 0) storeLocalReads(core, quiet)
  if (loud.length === 0) return
  core.outbox.addMarks(
    loud.map(({ cid, parentId, upTo, readAt }) => ({ kind: 'mark-read', cid, parentId, payload: { upTo, readAt } })),
  )
  for (const { cid, parentId } of loud) if (parentId === undefined) core.delivery.forget(cid)
  core.runner.kick()
}

type Mark = IntentFor<'mark-read'>
type Waiting = {
  readonly mark: Mark
  readonly signal: AbortSignal
  readonly resolve: (done: Done) => void
  readonly reject: (error: unknown) => void
}

/** Sends a mark to the server; marks of the same turn share one request. */
export type SendMark = (mark: Mark, signal: AbortSignal) => Promise<Done>

export function createSendMark(core: Pick<Core, 'api' | 'life' | 'me' | 'ports'>): SendMark {
  let waiting: Waiting[] = []

  function sendAll(): void {
    const batch = waiting
    waiting = []
    const [first] = batch
    if (batch.length === 1 && first) return void alone(first)
    void together(batch)
  }

  async function alone({ mark, signal, resolve, reject }: Waiting): Promise<void> {
    await readOne(core, mark, signal).then(resolve, reject)
  }

  async function together(batch: readonly Waiting[]): Promise<void> {
    try {
      const byChannel = batch.map(({ mark: { cid, payload } }) => [cid, payload.upTo ?? ''] as const)
      const body = { read_by_channel: Object.fromEntries(byChannel) }
      const { event } = await core.api.send(markChannelsRead, { body, signal: core.life })
      for (const { mark, resolve } of batch) resolve(readTo(core, mark, event))
    } catch (error) {
      // One of them may be refused, or the server does not support the request: each is sent alone.
      if (error instanceof ApiError && error.failure.kind === 'answer' && error.verdict.task === 'park') {
        for (const each of batch) await alone(each)
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  return (mark, signal) => {
    if (!travelsWithOthers(mark)) return readOne(core, mark, signal)
    return new Promise((resolve, reject) => {
      waiting.push({ mark, signal, resolve, reject })
      if (waiting.length === 1) core.ports.clock.after(0, sendAll)
      signal.addEventListener('abort', () =>
        reject(
          new ApiError({ kind: 'transport', transport: 'aborted', sent: true }, { operation: 'MarkChannelsRead' }),
        ),
      )
    })
  }
}

async function readOne(core: Pick<Core, 'api' | 'me'>, mark: Mark, signal: AbortSignal): Promise<Done> {
  const { cid, parentId, payload } = mark
  const { event } = await core.api.send(markRead, {
    params: splitCid(cid),
    body: {
      thread_id: parentId,
      // If it is sent hours later, it marks what was seen then, not later messages.
      ...(parentId === undefined && payload.upTo !== undefined ? { message_id: payload.upTo } : {}),
    },
    signal,
  })
  return readTo(core, mark, event)
}

function readTo(core: Pick<Core, 'me'>, { cid, parentId, payload }: Mark, event: WireEvent | undefined): Done {
  const { readAt, upTo } = payload
  return {
    apply: (tx) =>
      reads.put(tx, {
        cid,
        userId: core.me,
        threadId: parentId,
        lastReadAt: readAt,
        lastReadMessageId: upTo,
        unread: 0,
        countedAt: readAt,
        asOf: timeOf(event?.created_at) ?? readAt,
      }),
  }
}

/** A microsecond, the precision of servers. */
const JUST_BEFORE_MS = 0.001

type UnreadParts = Pick<Core, 'api' | 'cache' | 'life' | 'notify' | 'serverNow' | 'stores'>

/**
 * Marks a channel unread from a message on, however old: servers accept only one of the newest hundred messages by id,
 * older ones by time. See docs/wire.md 8.8.
 */
export const sendUnread = (core: UnreadParts, cid: Cid, from: MessageId): Promise<void> =>
  orStoreHere(core, { cid }, from, () => sendFrom(core, cid, from))

/** The same, by the time up to which it was read: if the first unread message is not cached. */
export const sendUnreadSince = (core: UnreadParts, cid: Cid, readAt: number): Promise<void> =>
  orStoreHere(core, { cid }, undefined, async () => {
    const body = { message_timestamp: formatTime(Math.max(0, readAt)) }
    await core.api.send(markUnread, { params: splitCid(cid), body, signal: core.life })
  })

type MarkedPlace = { readonly cid: Cid; readonly parentId?: MessageId }

/** If the server refuses the mark, it is stored on this device, and the viewer is notified. */
export async function orStoreHere(
  core: Pick<Core, 'cache' | 'notify' | 'serverNow' | 'stores'>,
  place: MarkedPlace,
  from: MessageId | undefined,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isRefusal(error) || !storeRefusedMark(core, place, from)) throw error
    core.notify({ code: 'unread/kept-here', type: 'channels:unread', severity: 'info' })
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && taskStep(error.verdict, { attempt: 1, removes: false }) === 'park'

async function sendFrom(core: Pick<Core, 'api' | 'cache' | 'life'>, cid: Cid, from: MessageId): Promise<void> {
  const send = (body: { readonly message_id: string } | { readonly message_timestamp: string }) =>
    core.api.send(markUnread, { params: splitCid(cid), body, signal: core.life })
  try {
    await send({ message_id: from })
  } catch (error) {
    const at = messages.byId(core.cache.reader, from)?.createdAt
    if (at === undefined || !(error instanceof AppError) || error.code !== 'server/input') throw error
    await send({ message_timestamp: formatTime(at - JUST_BEFORE_MS) })
  }
}
