import type { HandlersOf } from '#shared/bridge/index.ts'
import {
  REVIEW_ACTIONS,
  type ReviewAction,
  type ReviewedAuthor,
  type ContextMessage,
} from '#shared/domain/manage/review.ts'
import { queryUsers } from '#shared/wire/app.ts'
import {
  getUserReport,
  queryBannedUsers,
  queryFlagReports,
  queryFlags,
  queryReviewQueue,
} from '#shared/wire/moderation.ts'
import { type UserId, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel, queryChannel } from '#shared/wire/channels.ts'
import { getReplies } from '#shared/wire/messages.ts'
import { every } from '#main/lib/clock.ts'
import { defineFeature } from '../../../registry/feature.ts'
import type { Appliers } from '../../../sync/ingest.ts'
import { topicChanged, apiFor, connectedApi, isOurs } from '../authority.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import { type Core, type Requests, requireConnection } from '../../../core.ts'
import { asList, asWire, countOf, cursorOf, eachOf, textOf, timeOf, idOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { ApiError } from '../../../api/errors.ts'
import { readBan } from '../bans/calls.ts'
import { readPage } from '../history/read.ts'
import { moderate, askWaiting, noteStats, decide, fetchItems, undo, type Waiting } from './decisions.ts'
import { gather, sameText } from './same-text.ts'
import { readFiledReport, readItem, readOwnReport } from './decode.ts'

/** How often a server that does not notify is asked for the number in the sidebar. */
const ASK_EVERY_MS = 120_000

/** Only moderators receive these; they say that something changed, and the queue is read again. */
const reviewEvents: Appliers = {
  'review_queue_item.new': (_tx, event, context) => {
    noteStats(context, event.stats)
    topicChanged(context, 'review')
  },
  'review_queue_item.updated': (_tx, event, context) => {
    noteStats(context, event.stats)
    topicChanged(context, 'review')
  },
}

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** The address of a picture that `ReportedProfile.picture` names. */
    reportedPicture(ref: string): string | undefined
  }
}

type Parts = Waiting &
  Pick<Core, 'asOf' | 'background' | 'cacheWorker' | 'log' | 'once' | 'outbox' | 'ports' | 'runner' | 'write'>

export const reviewFeature = defineFeature({
  events: reviewEvents,
  kinds: { moderate: { perform: moderate } },
  create(core: Parts) {
    const ask = (): void => {
      if (core.memory.review.notifies !== true) core.background('review', () => askWaiting(core))
    }
    let stop: (() => void) | undefined
    return {
      calls: { review: reviewCalls(core) },
      offers: { reportedPicture: (ref: string) => core.memory.review.pictures.get(ref) },
      start: [{ phase: 'last', order: 70, run: () => (stop = every(core.ports.clock, ASK_EVERY_MS, ask)) }],
      stop: [{ phase: 'timers', order: 70, run: () => stop?.() }],
    }
  },
})

const PAGE = 100
const EARLIER = 10

/** See docs/wire.md 3.13 and 3.14. */
function reviewCalls(core: Parts): HandlersOf<'review', CallContext> {
  return {
    list: (input) => list(core, input),
    async items({ ids }) {
      requireConnection(core)
      return fetchItems(core, ids)
    },
    async reports({ cid, reason, reporterId, since, offset }) {
      const api = await connectedApi(core, 'review')
      const asOf = core.asOf()
      const filter_conditions = {
        ...(cid === undefined ? {} : { channel_cid: cid }),
        ...(reason === undefined ? {} : { reason }),
        ...(reporterId === undefined ? {} : { user_id: reporterId }),
        ...(since === undefined ? {} : { created_at: { $gte: formatTime(since) } }),
      }
      const body = { filter_conditions, limit: PAGE, offset }
      const found = asList((await api.send(queryFlagReports, { body, signal: core.life })).flag_reports)
      return {
        reports: core.write((tx) => found.flatMap((each) => readFiledReport(tx, each, asOf) ?? [])),
        more: found.length === PAGE,
      }
    },
    async context(place) {
      const api = await connectedApi(core, 'review')
      return readContext({ ...core, api }, place)
    },
    async author({ userId }) {
      return author(core, await connectedApi(core, 'review'), userId)
    },
    async sameText(input) {
      try {
        return (await sameText(core, (await apiFor(core, 'review')).api, input)) ?? null
      } catch (error) {
        if (error instanceof AppError && error.code === 'search/unavailable') return null
        throw error
      }
    },
    async gather(input) {
      const ids = await gather(core, await connectedApi(core, 'review'), input)
      topicChanged(core, 'review')
      return { ids }
    },
    decide: (input) => ({ ids: decide(core, input) }),
    undo: ({ ids }) => ({ undone: undo(core, ids) }),
    async refresh() {
      if (core.memory.review.notifies !== true) await core.once('review', () => askWaiting(core))
    },
    async mine({ offset }) {
      requireConnection(core)
      const asOf = core.asOf()
      const body = { filter_conditions: { user_id: core.me }, limit: PAGE, offset }
      const found = asList((await core.api.send(queryFlags, { body, signal: core.life })).flags)
      return {
        reports: core.write((tx) => found.flatMap((each) => readOwnReport(tx, each, asOf) ?? [])),
        more: found.length === PAGE,
      }
    },
  }
}

type ListInput = Parameters<HandlersOf<'review', CallContext>['list']>[0]

async function list(core: Parts, { decided, cursor, cid, reason, reporterId, authorId, since }: ListInput) {
  const api = await connectedApi(core, 'review')
  const asOf = core.asOf()
  const filter = {
    reviewed: decided,
    ...(cid === undefined ? {} : { channel_cid: cid }),
    ...(reason === undefined ? {} : { reason }),
    ...(reporterId === undefined ? {} : { reporter_id: reporterId }),
    ...(authorId === undefined ? {} : { entity_creator_id: authorId }),
    ...(since === undefined ? {} : { created_at: { $gte: formatTime(since) } }),
  }
  const sort = [{ field: decided ? 'updated_at' : 'created_at', direction: -1 as const }]
  const body = { filter, sort, limit: PAGE, ...(cursor === undefined ? {} : { next: cursor }) }
  const reply = await api.send(queryReviewQueue, { body, signal: core.life })
  noteStats(core, reply.stats)
  core.memory.review.actions = actionsIn(reply.action_config)
  return {
    items: core.write((tx) =>
      asList(reply.items).flatMap((each) => readItem(tx, each, asOf, core.memory.review.pictures) ?? []),
    ),
    next: cursorOf(reply.next, cursor),
    actions: core.memory.review.actions,
  }
}

const NAMES: Readonly<Record<string, readonly ReviewAction[]>> = {
  mark_reviewed: ['approve'],
  delete_message: ['delete', 'delete-forever'],
  restore: ['restore'],
  ban: ['ban'],
  unban: ['unban'],
  reopen: ['reopen'],
}
/** Of a server that names none: those of the contract. */
const OF_CONTRACT = REVIEW_ACTIONS.filter((action) => action !== 'reopen')
const OF_PEOPLE: readonly ReviewAction[] = ['approve', 'ban', 'unban', 'reopen']

function actionsIn(config: unknown): Core['memory']['review']['actions'] {
  const wire = asWire(config) ?? {}
  const read = (type: string): readonly ReviewAction[] =>
    eachOf(wire[type], (each) => textOf(asWire(each)?.['action'])).flatMap((name) =>
      Object.hasOwn(NAMES, name) ? (NAMES[name] ?? []) : [],
    )
  const message = read('stream:chat:v1:message')
  const person = read('stream:user')
  return {
    message: message.length === 0 ? OF_CONTRACT : message,
    person: person.length === 0 ? OF_CONTRACT.filter((action) => OF_PEOPLE.includes(action)) : person,
  }
}

/** A person's card. What a server does not count is left out. */
async function author(core: Parts, api: EngineApi, userId: UserId): Promise<ReviewedAuthor> {
  const asOf = core.asOf()
  const decided = { filter: { entity_creator_id: userId, reviewed: true }, limit: EARLIER }
  const sort = [{ field: 'updated_at', direction: -1 as const }]
  const banned = { filter_conditions: { user_id: userId }, exclude_expired_bans: true }
  const [people, earlier, bans, counts, pastBans] = await Promise.all([
    api.send(queryUsers, { query: { payload: { filter_conditions: { id: userId }, limit: 1 } }, signal: core.life }),
    api.send(queryReviewQueue, { body: { ...decided, sort }, signal: core.life }),
    api.send(queryBannedUsers, { query: { payload: banned }, signal: core.life }),
    countsOf(core, api, userId),
    pastBansOf(core, api, userId),
  ])
  const wire = asWire(asList(people.users)[0])
  return core.write((tx): ReviewedAuthor => {
    const row = wire && writeUser(tx, wire, asOf)
    const items = asList(earlier.items).flatMap((each) => readItem(tx, each, asOf, core.memory.review.pictures) ?? [])
    return {
      userId,
      joinedAt: row?.createdAt,
      role: row?.role ?? 'user',
      isDeleted: wire === undefined || timeOf(wire['deleted_at']) !== undefined,
      ...counts,
      pastBans,
      bans: eachOf(bans.bans, (each) => readBan(tx, each, asOf)),
      earlier: items
        .flatMap(({ id: itemId, cid, channelName, decisions }) =>
          decisions.filter(({ action }) => action !== 'reopen').map((each) => ({ ...each, itemId, cid, channelName })),
        )
        .toSorted((a, b) => b.at - a.at)
        .slice(0, EARLIER),
    }
  })
}

/** Each time someone was banned counts twice: it ended as well. */
const PAST_BANS = 40
const BAN_EVENTS = { 'user.ban': 'ban', 'user.unban': 'unban', 'user.ban_ended': 'ended' } as const

async function pastBansOf(core: Parts, api: EngineApi, userId: UserId): Promise<ReviewedAuthor['pastBans']> {
  if (!isOurs(core)) return undefined
  const filter = { targetId: userId, actions: Object.keys(BAN_EVENTS) }
  const { entries } = await readPage(core, api, { filter, limit: PAST_BANS })
  return entries.flatMap(({ action, at, byId, cid, channelName, reason, seconds, how }) => {
    const what = Object.hasOwn(BAN_EVENTS, action) ? BAN_EVENTS[action as keyof typeof BAN_EVENTS] : undefined
    return what === undefined ? [] : [{ what, at, byId, cid, channelName, reason, seconds, shadow: how === 'shadow' }]
  })
}

type Counts = Pick<ReviewedAuthor, 'messages' | 'deletedMessages' | 'reports' | 'reporters' | 'mutedBy'>

/** The number of someone's messages and reports: only Parlor's own server counts them. */
async function countsOf({ life: signal }: Pick<Core, 'life'>, api: EngineApi, userId: UserId): Promise<Counts> {
  try {
    // Every request names its caller as `user_id`.
    const query = { target_user_id: userId, include_counts: true }
    const counts = asWire((await api.send(getUserReport, { query, signal })).counts)
    return {
      messages: countOf(counts?.['messages']),
      deletedMessages: countOf(counts?.['deleted_messages']),
      reports: countOf(counts?.['flags']),
      reporters: countOf(counts?.['flagged_by']),
      mutedBy: countOf(counts?.['muted_by']),
    }
  } catch (error) {
    if (error instanceof ApiError && error.failure.kind === 'answer') return {}
    throw error
  }
}

/** Messages shown before and after the reported one. */
const EACH_SIDE = 3

type Place = { readonly cid: Cid; readonly messageId: MessageId; readonly parentId?: MessageId }

/**
 * The messages around one, from the server: the viewer may be no member of the channel, so they are not stored with the
 * channel's history.
 */
async function readContext(
  core: Requests,
  { cid, messageId, parentId }: Place,
): Promise<{ messages: readonly ContextMessage[]; refused: boolean }> {
  const asOf = core.asOf()
  const around = { limit: 2 * EACH_SIDE + 1, id_around: messageId }
  try {
    const found = asList(
      parentId === undefined
        ? await channelAround(core, cid, around)
        : (await core.api.send(getReplies, { params: { id: parentId }, query: around, signal: core.life })).messages,
    )
    const messages = core.write((tx) =>
      found.flatMap((value): readonly ContextMessage[] => {
        const wire = asWire(value)
        const id = idOf(wire?.['id'])
        const user = wire && writeUser(tx, wire['user'], asOf)
        if (!wire || id === undefined || !user) return []
        return [
          {
            id: asMessageId(id),
            userId: user.id,
            text: textOf(wire['text']) ?? '',
            fileCount: asList(wire['attachments']).length,
            at: timeOf(wire['created_at']) ?? asOf,
            isDeleted: wire['type'] === 'deleted',
          },
        ]
      }),
    )
    return { messages: nearest(messages, messageId), refused: false }
  } catch (error) {
    if (error instanceof ApiError && (error.class === 'forbidden' || error.class === 'gone')) {
      return { messages: [], refused: true }
    }
    throw error
  }
}

/** The request that reads around a message creates missing channels, so the channel is asked for first. */
async function channelAround(core: Requests, cid: Cid, messages: { limit: number; id_around: MessageId }) {
  const params = splitCid(cid)
  const query = { state: false, messages_limit: 1, members_limit: 1 }
  await core.api.send(getChannel, { params, query, signal: core.life })
  const body = { state: true, messages, members: { limit: 1 } }
  return (await core.api.send(queryChannel, { params, body, signal: core.life })).messages
}

function nearest(messages: readonly ContextMessage[], id: MessageId): readonly ContextMessage[] {
  const at = messages.findIndex((message) => message.id === id)
  return at < 0 ? messages.slice(0, 2 * EACH_SIDE + 1) : messages.slice(Math.max(0, at - EACH_SIDE), at + EACH_SIDE + 1)
}
