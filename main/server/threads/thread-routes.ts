import * as v from 'valibot'
import {
  getThread,
  queryThreads,
  updateThreadPartial,
  type WireThread,
  type WireThreadParticipant,
  type WireThreadState,
} from '#shared/wire/messages.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, list, object, whole } from '../http/shapes.ts'
import { cursorBody, readCursorPage, type CursorList } from '../store/query/lists.ts'
import { accessTo, deny, isShut } from '../channels/access.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import { channelByCid } from '../channels/channel-table.ts'
import type { Work } from '../work.ts'
import { startWatching, watchingConnection, channelFor, channelForMany, showsReads } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { emitAbout, messageFor, messageForMany } from '../messages/message-announce.ts'
import { openMessage, type OpenMessage } from '../messages/message-checks.ts'
import {
  and,
  compileFilter,
  type Condition,
  type Field,
  type FieldTable,
  type Operator,
} from '../store/query/compile.ts'
import { NOT_BLOCKED } from '../users/user-tables.ts'
import { type MessageRow, readPage } from '../messages/message-table.ts'
import { encodeMember } from '../channels/encode-channels.ts'
import { bareDraft, draftOf } from '../drafts/draft-table.ts'
import { encodeMessages } from '../messages/encode-messages.ts'
import { membersOf } from '../channels/member-table.ts'
import { toText } from '../store/time.ts'
import {
  endsOfThread,
  putThreadDetails,
  threadDetails,
  COUNTS_AS_UNREAD,
  unreadReplies,
  countParticipants,
  participationsIn,
  type Participation,
} from './thread-table.ts'

type Size = { readonly replies: number; readonly participants: number; readonly members?: number }

const MEMBERS_SHOWN = 100

/** A thread as one user sees it, with its newest replies. See docs/wire.md 5.10. */
function threadFor(work: Work, place: OpenMessage, who: Identity, size: Size): WireThreadState {
  const { row, access } = place
  const scope = { kind: 'replies', key: row.id } as const
  const replies = readPage(
    work.db,
    scope,
    { viewer: who.userId, floor: access.floor },
    'newest',
    undefined,
    size.replies,
  )
  const participants = participationsIn(work.db, row.id, size.participants)
  const draft = draftOf(work.db, who.userId, row.cid, row.id)
  const members = membersOf(work.db, row.cid, size.members ?? MEMBERS_SHOWN).map((each) =>
    encodeMember(each, work.people, access.moderates),
  )
  return {
    ...core(work, place, participants),
    parent_message: messageFor(work, row, who),
    channel: { ...channelFor(work, access), members },
    latest_replies: encodeMessages(work.db, replies, { viewer: who.userId, now: work.now, people: work.people }),
    ...(who.server ? {} : { read: readsOf(work, participants, who) }),
    ...(draft ? { draft: bareDraft(work, draft) } : {}),
  }
}

/** The form for many recipients: nothing in it depends on the reader. */
function threadForMany(work: Work, place: OpenMessage, limit: number): WireThread {
  return {
    ...core(work, place, participationsIn(work.db, place.row.id, limit)),
    parent_message: messageForMany(work, place.row),
    channel: channelForMany(work, place.access),
  }
}

/** The thread begins with its first reply: its author and time are those of the thread. */
function core(work: Work, { row }: OpenMessage, participants: readonly Participation[]): WireThread {
  const ends = endsOfThread(work.db, row.id)
  const details = threadDetails(work.db, row.id)
  const { all, active } = countParticipants(work.db, row.id)
  const createdBy = ends?.first.user_id ?? row.user_id
  const lastAt = ends?.last.created_at ?? row.created_at
  work.people.load(participants.map((each) => each.user_id))
  return {
    ...(JSON.parse(details?.custom ?? '{}') as Record<string, unknown>),
    parent_message_id: row.id,
    channel_cid: row.cid,
    title: details?.title ?? (row.deleted_at === null ? row.text : ''),
    created_by_user_id: createdBy,
    created_by: work.people(createdBy),
    reply_count: row.reply_count,
    participant_count: all,
    active_participant_count: active,
    thread_participants: participants.map((each) => encodeParticipant(work, each)),
    last_message_at: toText(lastAt),
    created_at: toText(ends?.first.created_at ?? row.created_at),
    updated_at: toText(Math.max(lastAt, details?.updated_at ?? 0)),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
  }
}

function encodeParticipant(work: Work, row: Participation): WireThreadParticipant {
  return {
    user_id: row.user_id,
    user: work.people(row.user_id),
    channel_cid: row.cid,
    thread_id: row.parent_id,
    created_at: toText(row.created_at),
    last_read_at: toText(row.last_read),
    left_thread_at: row.left_at === null ? undefined : toText(row.left_at),
    last_thread_message_at: row.last_message_at === null ? undefined : toText(row.last_message_at),
  }
}

/** A user who hides read receipts is left out for others. */
function readsOf(work: Work, participants: readonly Participation[], who: Identity) {
  return participants
    .filter((row) => row.member !== null && (row.user_id === who.userId || showsReads(work, row.user_id)))
    .map((row) => ({
      user: work.people(row.user_id),
      last_read: toText(row.last_read),
      last_read_message_id: row.last_read_message_id ?? undefined,
      unread_messages: unreadReplies(work.db, row.parent_id, row.user_id),
    }))
}

const COMPARED: readonly Operator[] = ['$eq', '$gt', '$gte', '$lt', '$lte']
const EXACT: readonly Operator[] = ['$eq', '$in']
const text = (sql: string): Field => ({ sql, kind: 'text', operators: EXACT })
const compared = (sql: string, kind: Field['kind']): Field => ({ sql, kind, operators: COMPARED })

const REPLY = 'FROM messages r WHERE r.parent_id = m.id AND r.deleted_at IS NULL AND r.audience IS NULL'
const FIRST_AT = `(SELECT r.created_at ${REPLY} ORDER BY r.created_at, r.id LIMIT 1)`
const FIRST_BY = `(SELECT r.user_id ${REPLY} ORDER BY r.created_at, r.id LIMIT 1)`
const LAST_AT = `(SELECT r.created_at ${REPLY} ORDER BY r.created_at DESC, r.id DESC LIMIT 1)`
const UPDATED_AT = `max(${LAST_AT}, coalesce(t.updated_at, 0))`
const HAS_UNREAD = `(EXISTS (SELECT 1 FROM messages r WHERE r.parent_id = p.parent_id AND ${COUNTS_AS_UNREAD}))`
const PARTICIPANTS = '(SELECT count(*) FROM thread_participants x WHERE x.parent_id = m.id)'
const ACTIVE = `(SELECT count(*) FROM thread_participants x JOIN members a ON a.cid = x.cid AND a.user_id = x.user_id
  WHERE x.parent_id = m.id)`

/** See docs/wire.md 6.3 "Threads". */
const FIELDS: FieldTable = {
  fields: {
    channel_cid: text('m.cid'),
    parent_message_id: text('m.id'),
    created_by_user_id: text(FIRST_BY),
    created_at: compared(FIRST_AT, 'time'),
    updated_at: compared(UPDATED_AT, 'time'),
    last_message_at: compared(LAST_AT, 'time'),
    reply_count: compared('m.reply_count', 'number'),
    participant_count: compared(PARTICIPANTS, 'number'),
    active_participant_count: compared(ACTIVE, 'number'),
    has_unread: { sql: HAS_UNREAD, kind: 'flag', operators: ['$eq'] },
    'channel.team': text('c.team'),
    'channel.disabled': { sql: 'c.disabled', kind: 'flag', operators: ['$eq'] },
  },
  custom: 't.custom',
}

/** Threads a user takes part in, in channels they are still a member of. */
export function threadList(userId: string, filter: Json | undefined): CursorList<MessageRow> {
  const own: Condition = {
    sql: `p.user_id = ? AND m.reply_count > 0 AND m.deleted_at IS NULL AND c.deleted_at IS NULL
      AND m.created_at > max(coalesce(c.truncated_at, 0), coalesce(me.hide_before, 0))
      AND (m.audience IS NULL OR instr(m.audience, ?) > 0) AND m.${NOT_BLOCKED}`,
    values: [userId, `,${userId},`, userId],
  }
  return {
    select: `m.* FROM thread_participants p JOIN messages m ON m.id = p.parent_id JOIN channels c ON c.cid = m.cid
      JOIN members me ON me.cid = m.cid AND me.user_id = p.user_id LEFT JOIN thread_details t ON t.parent_id = m.id`,
    where: and([own, compileFilter(filter ?? {}, FIELDS)]),
    sorts: {
      has_unread: HAS_UNREAD,
      last_message_at: LAST_AT,
      parent_message_id: 'm.id',
      created_at: FIRST_AT,
      updated_at: UPDATED_AT,
      reply_count: 'm.reply_count',
      participant_count: PARTICIPANTS,
      active_participant_count: ACTIVE,
    },
    defaultSort: [
      { field: 'has_unread', direction: -1 },
      { field: 'last_message_at', direction: -1 },
      { field: 'parent_message_id', direction: -1 },
    ],
    ties: ['m.id'],
  }
}

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
