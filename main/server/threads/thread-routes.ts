import * as v from 'valibot'
import { getThread, queryThreads, updateThreadPartial } from '#shared/wire/threads.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, list, object, whole } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { threadList } from './thread-list.ts'
import { accessTo, deny, isShut } from '../channels/access.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { endsOfThread, putThreadDetails, threadDetails } from './thread-table.ts'
import type { Work } from '../work.ts'
import { startWatching, watchingConnection } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/channel-event.ts'
import { emitAbout } from '../messages/message-announce.ts'
import { openMessage, type OpenMessage } from '../messages/message-open.ts'
import { threadFor, threadForMany } from './thread-state.ts'

const limits = { watch: flag, reply_limit: whole(10), participant_limit: whole(100), member_limit: whole(100) }

const DEFAULT_REPLIES = 3
const DEFAULT_PARTICIPANTS = 100
const DEFAULT_THREADS = 10
const MAX_TITLE = 255

/** Keys of a thread that cannot be set. See docs/wire.md 3.5. */
const REFUSED: ReadonlySet<string> = new Set([
  'created_at',
  'id',
  'last_message_at',
  'type',
  'updated_at',
  'user',
  'reply_count',
  'participants',
  'channel',
  'custom',
])

/** Other fields of the response: a custom key cannot replace them. See docs/wire.md 5.10. */
const RESPONSE_KEYS: ReadonlySet<string> = new Set([
  'title',
  'parent_message_id',
  'parent_message',
  'channel_cid',
  'created_by_user_id',
  'created_by',
  'participant_count',
  'active_participant_count',
  'thread_participants',
  'latest_replies',
  'read',
  'draft',
  'deleted_at',
])

export const threadRoutes: readonly Route[] = [
  route(queryThreads, { body: v.looseObject({ ...cursorBody, ...limits }) }, ({ body, who, connectionId }, work) => {
    if (who.userId === '') return refuse('input', 'a server token must name a user')
    const connection = body.watch ? watchingConnection(work, who, connectionId) : undefined
    const page = { ...body, limit: body.limit ?? DEFAULT_THREADS }
    const { rows, cursors } = readCursorPage(work.db, threadList(who.userId, body.filter), page)
    const size = {
      replies: body.reply_limit ?? DEFAULT_REPLIES,
      participants: body.participant_limit ?? 10,
      members: body.member_limit,
    }
    const threads = rows.flatMap((row) => {
      const channel = channelByCid(work.db, row.cid)
      if (!channel || isShut(channel, who)) return []
      if (connection) startWatching(work, connection, row.cid)
      return [threadFor(work, { row, access: accessTo(work.db, channel, who) }, who, size)]
    })
    return { threads, ...cursors }
  }),
  route(getThread, { query: v.looseObject(limits) }, ({ params, query, who, connectionId }, work) => {
    const place = openThread(work, params.messageId, who)
    if (query.watch) startWatching(work, watchingConnection(work, who, connectionId), place.row.cid)
    const size = {
      replies: query.reply_limit ?? DEFAULT_REPLIES,
      participants: query.participant_limit ?? DEFAULT_PARTICIPANTS,
      members: query.member_limit,
    }
    return { thread: threadFor(work, place, who, size) }
  }),
  route(
    updateThreadPartial,
    { body: v.object({ set: object, unset: list(v.string(), 100) }) },
    ({ params, body, who }, work) => {
      const place = openThread(work, params.messageId, who)
      mayChange(place, who)
      change(work, place, body)
      const thread = threadForMany(work, place, DEFAULT_PARTICIPANTS)
      const event = channelEvent('thread.updated', place.access.channel, work.stamp(place.row.cid), {
        thread,
        user: work.people(who.userId),
      })
      emitAbout(work, place.row, event, '')
      return { thread }
    },
  ),
]

/** A message with at least one reply. */
function openThread(work: Work, messageId: string, who: Identity): OpenMessage {
  const place = openMessage(work, messageId, who)
  if (!endsOfThread(work.db, messageId)) return refuse('doesNotExist', `thread ${messageId} does not exist`)
  return place
}

/** Users with the right to change any thread, and members for a thread on their own message. */
function mayChange({ row, access }: OpenMessage, who: Identity): void {
  const own = row.user_id === who.userId && access.member !== undefined && access.can.has('update-own-message')
  if (!own && !who.server && !access.can.has('update-thread')) deny(access, who, 'UpdateThread')
}

function change(work: Work, { row }: OpenMessage, request: PartialUpdate): void {
  const known = threadDetails(work.db, row.id)
  const current = JSON.parse(known?.custom ?? '{}') as Json
  const { set, unset } = changeOf(current, request)
  const refused = [...Object.keys(set), ...unset].find((key) => REFUSED.has(key))
  if (refused !== undefined) refuse('input', `${refused} of a thread cannot be changed`, { [refused]: 'not allowed' })
  const custom: Record<string, unknown> = { ...current, ...customOf(set, RESPONSE_KEYS) }
  for (const key of unset) delete custom[key]
  putThreadDetails(work.db, {
    parent_id: row.id,
    title: unset.includes('title') ? null : titleIn(set, known?.title ?? null),
    custom: JSON.stringify(custom),
    updated_at: work.stamp(row.cid),
  })
}

function titleIn(set: Json, before: string | null): string | null {
  const title = set['title'] ?? before
  if (title === null) return null
  if (typeof title !== 'string' || title.length > MAX_TITLE) {
    return refuse('input', `title must be a text of at most ${MAX_TITLE} characters`)
  }
  return title
}
