import * as v from 'valibot'
import { search } from '#shared/wire/search.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeMessages } from '../messages/load-messages.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, object, sort, text, whole } from '../http/shapes.ts'
import { readCursorPage } from '../store/query/cursor.ts'
import {
  leadingText,
  narrowed,
  ownCids,
  searchedChannels,
  searchList,
  wordExpression,
  type SearchedChannel,
} from './search.ts'
import { accessTo, openTo } from '../channels/access.ts'
import { mayQueryChannels } from '../channels/channel-filters.ts'
import { channelsWithinTeams } from '../admin/teams.ts'
import { channelByCid } from '../channels/channel-table.ts'
import type { MessageRow } from '../messages/message-table.ts'
import type { Work } from '../work.ts'
import { channelFor } from '../channels/channel-state.ts'

const MAX_QUERY = 1_000

const payload = v.looseObject({
  filter_conditions: object,
  query: text(MAX_QUERY),
  message_filter_conditions: object,
  sort,
  limit: whole(100),
  offset: whole(1_000),
  next: idText(4_000),
})
type Payload = v.InferOutput<typeof payload>

export const searchRoutes: readonly Route[] = [
  route(search, { query: v.looseObject({ payload }) }, ({ query, who }, work) => find(work, who, check(query.payload))),
]

const isEmpty = (filter: Json | undefined): boolean => Object.keys(filter ?? {}).length === 0

/** See docs/wire.md 3.12 "search refusals". */
function check(input: Payload): Payload {
  const { query, filter_conditions: channels } = input
  // an empty filter beside a query counts as absent
  const filter =
    isEmpty(input.message_filter_conditions) && query !== undefined ? undefined : input.message_filter_conditions
  if (query !== undefined && filter !== undefined) {
    refuse('input', 'only one of query and message_filter_conditions may be given')
  }
  if (query === undefined && filter === undefined) refuse('input', 'query or message_filter_conditions is needed')
  if (input.offset && input.next !== undefined) refuse('input', 'offset cannot be combined with next')
  if (input.offset && input.sort?.length) refuse('input', 'offset cannot be combined with sort')
  if (!channels || Object.keys(channels).length === 0) refuse('input', 'filter_conditions must name channels')
  return input
}

function find(work: Work, who: Identity, input: Payload) {
  const text =
    input.query === undefined
      ? leadingText(input.message_filter_conditions ?? {})
      : { expression: wordExpression('$q', input.query), rest: {} }
  if (input.query !== undefined && text.expression === undefined) return { results: [] }
  const channels = searchable(work, who, input)
  const list = searchList({
    cids: channels.map(({ cid }) => cid),
    viewer: who.userId,
    expression: narrowed(work.db, text.expression, channels, text.rest),
    filter: text.rest,
  })
  // every match contains all words, so sorting by relevance adds nothing to the order by time
  const sorted = (input.sort ?? []).filter(({ field }) => field !== 'relevance')
  const { rows, cursors } = readCursorPage(work.db, list, {
    ...input,
    sort: sorted,
    limit: input.limit ?? 10,
  })
  return {
    results: encodeResults(work, who, rows),
    ...(cursors.next === undefined ? {} : { next: cursors.next }),
    ...(cursors.prev === undefined ? {} : { previous: cursors.prev }),
  }
}

/** Channels whose type is searchable, in which the user may search. */
function searchable(work: Work, who: Identity, input: Payload): SearchedChannel[] {
  const filter = input.filter_conditions ?? {}
  const found = searchedChannels(work.db, who, channelsWithinTeams(work.db, who, filter), openTo(work.db, who))
  mayQueryChannels(work.db, who, filter)
  const mine = ownCids(work.db, who.userId)
  const may = new Map<string, boolean>()
  return found.filter(({ cid, type }) => {
    const accessKey = `${type} ${mine.has(cid) ? 'member' : 'visitor'}`
    const channel = may.has(accessKey) ? undefined : channelByCid(work.db, cid)
    if (channel) may.set(accessKey, accessTo(work.db, channel, who).can.has('search-messages'))
    return may.get(accessKey) ?? false
  })
}

/** Messages with their channel. */
function encodeResults(work: Work, who: Identity, rows: readonly MessageRow[]) {
  const messages = encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people })
  const channels = new Map<string, ReturnType<typeof channelFor> | undefined>()
  const channelOf = (cid: string) => {
    const row = channels.has(cid) ? undefined : channelByCid(work.db, cid)
    if (row) channels.set(cid, channelFor(work, accessTo(work.db, row, who)))
    return channels.get(cid)
  }
  return messages.map((message) => ({ message: { ...message, channel: channelOf(message.cid ?? '') } }))
}
