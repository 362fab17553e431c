import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import type { Placed } from '#shared/domain/message.ts'
import { INITIAL_MESSAGE_PAGE, REPLY_PAGE } from '#shared/constants.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { gapsBefore, type PageQuery } from '#shared/rules/messages/message-ranges.ts'
import { getChannel, queryChannel } from '#shared/wire/channels.ts'
import { getMessage, getReplies } from '#shared/wire/messages.ts'
import type { MessagePage } from '#shared/wire/endpoint.ts'
import type { MessageRow, RangeScope } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core, Recovery, Timelines } from '../../core.ts'
import { writeChannelState, writeLoose, writeReplies } from '../../sync/write.ts'
import { asList } from '../../decode/read.ts'

/** Members requested with a channel's newest page; later pages need none. */
const MEMBERS = 100
/** Requests per list to close gaps after an outage. */
const GAP_ROUNDS = 10

/**
 * Fetches a page of a channel (around a message, or around a time if the target has no id); stored when this
 * resolves. Concurrent calls for the same page share one request.
 */
export function fetchChannel(core: Timelines, cid: Cid, query: PageQuery, limit: number): Promise<void> {
  return core.once(`channel ${cid} ${nameOf(query)}`, async () => {
    const asOf = core.asOf()
    const watch = core.isHealthy()
    if (!core.watched.has(cid)) await requireExists(core, cid)
    const reply = await core.api.send(queryChannel, {
      params: splitCid(cid),
      body: {
        state: true,
        ...(watch ? { watch, presence: true } : {}),
        messages: { limit, ...cursorOf(query) },
        members: { limit: query.kind === 'newest' ? MEMBERS : 1 },
      },
      signal: core.life,
    })
    core.write((tx) => writeChannelState(tx, reply, { asOf }, { query, requested: limit }))
    if (watch && core.isHealthy()) core.watched.add(cid)
    if (typeof reply.watcher_count === 'number') {
      core.memory.watchers.set(cid, reply.watcher_count)
      core.collector.touch('channels', cid)
    }
  })
}

/**
 * Only the request that creates missing channels can watch. So a channel that this connection does not know is read
 * first: one that was deleted meanwhile must not be created by opening it. Rejects with the server's error.
 */
async function requireExists(core: Pick<Core, 'api' | 'life'>, cid: Cid): Promise<void> {
  const query = { state: false, messages_limit: 1, members_limit: 1 }
  await core.api.send(getChannel, { params: splitCid(cid), query, signal: core.life })
}

export const fetchNewest = (core: Timelines, cid: Cid): Promise<void> =>
  fetchChannel(core, cid, { kind: 'newest' }, INITIAL_MESSAGE_PAGE)

/** A page of a thread. */
export function fetchReplies(
  core: Timelines,
  thread: { readonly cid: Cid; readonly parentId: MessageId },
  query: PageQuery,
  limit = REPLY_PAGE,
): Promise<void> {
  const { cid, parentId } = thread
  return core.once(`thread ${parentId} ${nameOf(query)}`, async () => {
    const asOf = core.asOf()
    const reply = await core.api.send(getReplies, {
      params: { id: parentId },
      query: { limit, ...cursorOf(query) },
      signal: core.life,
    })
    core.write((tx) => writeReplies(tx, parentId, asList(reply.messages), { asOf, query, requested: limit, cid }))
  })
}

type Parts = Pick<Core, 'api' | 'asOf' | 'cache' | 'life' | 'write'>

/** One message by id. Throws `message/gone` if the server does not have it (anymore). */
export async function fetchMessage(core: Parts, cid: Cid, id: MessageId): Promise<MessageRow> {
  const cached = messages.byId(core.cache.reader, id)
  if (cached) return cached
  const asOf = core.asOf()
  try {
    const { message } = await core.api.send(getMessage, { params: { id }, query: {}, signal: core.life })
    core.write((tx) => writeLoose(tx, [message], { asOf, cid }))
  } catch (error) {
    if (error instanceof ApiError && error.class === 'gone') throw new AppError('message/gone', { cause: error })
    throw error
  }
  const row = messages.byId(core.cache.reader, id)
  if (!row) throw new AppError('message/gone')
  if (row.cid !== cid) throw new AppError('message/elsewhere')
  return row
}

/**
 * Fetches older pages at each known gap inside a list, newest gap first, until the ranges meet or the bound is reached. A
 * remaining gap stays marked in the window.
 */
export async function fillGaps(
  core: Recovery,
  list: { cid: Cid; parentId?: MessageId; scope: RangeScope },
  floor: Placed,
) {
  for (let round = 0; round < GAP_ROUNDS && !core.life.aborted; round += 1) {
    const keys = pages.between(core.cache.reader, list.scope, floor, LAST)
    const gap = gapsBefore(keys, ranges.of(core.cache.reader, list.scope)).at(-1)
    const cursor = keys.find((key) => key.id === gap)
    if (cursor === undefined) return
    const query: PageQuery = { kind: 'older', cursor }
    if (list.parentId === undefined) await fetchChannel(core, list.cid, query, INITIAL_MESSAGE_PAGE)
    else await fetchReplies(core, { cid: list.cid, parentId: list.parentId }, query)
  }
}

const LAST: Placed = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

function nameOf(query: PageQuery): string {
  if (query.kind === 'newest') return 'newest'
  const { id, createdAt } = query.kind === 'around' ? query.target : query.cursor
  return `${query.kind} ${id || createdAt}`
}

function cursorOf(query: PageQuery): MessagePage {
  switch (query.kind) {
    case 'newest':
      return {}
    case 'older':
      return { id_lt: asMessageId(query.cursor.id) }
    case 'newer':
      return { id_gt: asMessageId(query.cursor.id) }
    case 'around':
      return query.target.id === ''
        ? { created_at_around: new Date(query.target.createdAt).toISOString() }
        : { id_around: asMessageId(query.target.id) }
  }
}
