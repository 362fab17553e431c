import * as v from 'valibot'
import { search } from '#shared/wire/messages.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { authorMark, channelMark, toWords } from '../messages/words.ts'
import type { Db } from '../store/db.ts'
import { type Openness, accessTo, openTo, channelsWithinTeams } from '../channels/access.ts'
import { channelSql, mayQueryChannels } from '../channels/find-channels.ts'
import {
  and,
  badOperator,
  compileFilter,
  ORDERED,
  type Condition,
  type Field,
  type FieldTable,
  type SpecialField,
} from '../store/query/compile.ts'
import { type ChannelRow, channelByCid } from '../channels/channel-table.ts'
import type { MessageRow } from '../messages/message-table.ts'
import { NOT_BLOCKED } from '../users/user-tables.ts'
import { type CursorList, readCursorPage } from '../store/query/lists.ts'
import { encodeMessages } from '../messages/encode-messages.ts'
import { route, type Route } from '../http/router.ts'
import { idText, object, sort, text, whole } from '../http/shapes.ts'
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

/** The most channels that one search covers. */
const MAX_CHANNELS = 5_000

/** Channels a user is a member of. */
function ownCids(db: Db, userId: string): Set<string> {
  return new Set(db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', userId).map(({ cid }) => cid))
}

export type SearchedChannel = Pick<ChannelRow, 'cid' | 'type' | 'message_count'>

/** The channels of a search: those that match its filter and that the user may read. */
function searchedChannels(db: Db, who: Identity, filter: Json, open: Openness): SearchedChannel[] {
  const { sql, values } = channelSql(who, { filter, sort: [], limit: MAX_CHANNELS, offset: 0 }, open)
  const enabled = who.server || who.role === 'admin' ? '' : ' WHERE disabled = 0'
  return db.all<SearchedChannel>(`SELECT cid, type, message_count FROM (${sql})` + enabled, ...values)
}

const textField = (sql: string, operators: Field['operators'] = ORDERED): Field => ({ sql, kind: 'text', operators })

const anyOf = (tokens: readonly string[]): string => tokens.map((token) => `"${token}"`).join(' OR ')

const EXPRESSIONS: Readonly<Record<string, (words: readonly string[]) => string>> = {
  $q: (words) => words.map((word) => `"${word}"`).join(' AND '),
  $any: anyOf,
  $autocomplete: (words) => words.map((word) => `"${word}" *`).join(' AND '),
}

/**
 * A MATCH expression for the word index. Its terms are quoted, folded words of letters and digits, so nothing that a
 * user types becomes an operator. `undefined`: the text contains no word.
 */
export function wordExpression(operator: string, value: unknown): string | undefined {
  const build = EXPRESSIONS[operator]
  if (!build || typeof value !== 'string') return refuse('input', `${operator} on text needs a text`)
  const words = toWords(value)
    .split(' ')
    .filter((word) => word !== '')
  return words.length === 0 ? undefined : build(words)
}

const IN_WORD_INDEX = 'm.doc IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)'

const messageText: SpecialField = (operator, value, name) => {
  if (Object.hasOwn(EXPRESSIONS, operator)) {
    const expression = wordExpression(operator, value)
    return expression === undefined ? { sql: '0', values: [] } : { sql: IN_WORD_INDEX, values: [expression] }
  }
  return compileFilter({ [name]: { [operator]: value } }, { fields: { text: textField('m.text') } })
}

const attachments: SpecialField = (operator, value, name) =>
  operator === '$exists'
    ? { sql: value === false ? "m.attachments = '[]'" : "m.attachments <> '[]'", values: [] }
    : badOperator(name, operator)

/** Any attachment of this type. */
const attachmentType: SpecialField = (operator, value, name) => {
  const types = operator === '$in' ? value : operator === '$eq' ? [value] : badOperator(name, operator)
  if (!Array.isArray(types)) return refuse('input', `${name} needs a list`)
  return {
    sql: `(m.attachments <> '[]' AND EXISTS (SELECT 1 FROM json_each(m.attachments) a
      WHERE a.value ->> 'type' IN (SELECT value FROM json_each(?))))`,
    values: [JSON.stringify(types)],
  }
}

const mentioned: SpecialField = (operator, value, name) =>
  operator === '$contains' && typeof value === 'string'
    ? { sql: 'EXISTS (SELECT 1 FROM json_each(m.mentions) WHERE value = ?)', values: [value] }
    : badOperator(name, operator)

/** See docs/wire.md 6.3 "Message search". */
const MESSAGES: FieldTable = {
  fields: {
    id: textField('m.id'),
    cid: textField('m.cid'),
    type: textField('m.type'),
    parent_id: textField('m.parent_id'),
    'user.id': textField('m.user_id', ['$eq', '$in']),
    user_id: textField('m.user_id', ['$eq', '$in']),
    created_at: { sql: 'm.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 'm.updated_at', kind: 'time', operators: ORDERED },
    reply_count: { sql: 'm.reply_count', kind: 'number', operators: ORDERED },
    pinned: { sql: '(m.pinned_at IS NOT NULL)', kind: 'flag', operators: ['$eq'] },
  },
  special: { text: messageText, attachments, 'attachments.type': attachmentType, 'mentioned_users.id': mentioned },
  custom: 'm.custom',
}

type SearchOptions = {
  readonly cids: readonly string[]
  readonly viewer: string
  /** A MATCH expression that drives the query; absent: the messages table drives it. */
  readonly expression: string | undefined
  readonly filter: Json
}

/** Takes a text condition out of the top of the filter, so that the word index can drive the query. */
export function leadingText(filter: Json): { readonly expression: string | undefined; readonly rest: Json } {
  const { text: condition, ...rest } = filter
  if (!isObject(condition)) return { expression: undefined, rest: filter }
  const [first, ...more] = Object.entries(condition)
  if (!first || more.length > 0 || !Object.hasOwn(EXPRESSIONS, first[0])) return { expression: undefined, rest: filter }
  const expression = wordExpression(first[0], first[1])
  return expression === undefined ? { expression: undefined, rest: filter } : { expression, rest }
}

/** The most author or channel marks in one expression. */
const MAX_MARKS = 100
/** Channels with less than this share of all messages narrow the expression. */
const SMALL_SHARE = 1 / 8

/**
 * The words combined with the marks of their authors and channels where that leaves few messages: the index then skips
 * from hit to hit. In channels with a large share of the history the next page is near anyway.
 * @param filter the other conditions of the search
 */
export function narrowed(
  db: Db,
  expression: string | undefined,
  channels: readonly SearchedChannel[],
  filter: Json,
): string | undefined {
  if (expression === undefined) return undefined
  const marks = [
    authorsOf(filter).map(authorMark),
    areSmall(db, channels) ? channels.map(({ cid }) => channelMark(cid)) : [],
  ]
  return [expression, ...marks.filter((list) => list.length > 0).map(anyOf)].map((part) => `(${part})`).join(' AND ')
}

/** The only authors that match the filter; empty: any author may match. */
function authorsOf(filter: Json): string[] {
  const condition = filter['user_id'] ?? filter['user.id']
  const wanted = isObject(condition) ? (condition['$eq'] ?? condition['$in']) : condition
  const ids: unknown[] = Array.isArray(wanted) ? wanted : [wanted]
  return ids.length <= MAX_MARKS && ids.every((id) => typeof id === 'string') ? ids : []
}

function areSmall(db: Db, channels: readonly SearchedChannel[]): boolean {
  if (channels.length === 0 || channels.length > MAX_MARKS) return false
  const here = channels.reduce((sum, channel) => sum + channel.message_count, 0)
  const everywhere = db.get<{ last: number | null }>('SELECT max(rowid) AS last FROM messages')?.last ?? 0
  return here < everywhere * SMALL_SHARE
}

const FLOOR = 'max(coalesce(c.truncated_at, 0), coalesce(me.hide_before, 0))'
const JOINED = 'CROSS JOIN channels c ON c.cid = m.cid LEFT JOIN members me ON me.cid = m.cid AND me.user_id = ?'

/** Newest first unless sorted otherwise: the order of the word index itself, so the first page reads only its rows. */
export function searchList(options: SearchOptions): CursorList<MessageRow> {
  const usesIndex = options.expression !== undefined
  const [only] = options.cids
  const one = options.cids.length === 1 && only !== undefined
  const base: Condition = {
    sql: `${one ? 'm.cid = ?' : 'm.cid IN (SELECT value FROM json_each(?))'} AND m.created_at > ${FLOOR} AND m.deleted_at IS NULL
      AND m.type <> 'ephemeral' AND (m.audience IS NULL OR instr(m.audience, ?) > 0) AND m.${NOT_BLOCKED}
      AND NOT EXISTS (SELECT 1 FROM hidden_messages h WHERE h.message_id = m.id AND h.user_id = ?)`,
    values: [one ? only : JSON.stringify(options.cids), `,${options.viewer},`, options.viewer, options.viewer],
  }
  const matching: Condition = usesIndex
    ? { sql: 'message_words MATCH ?', values: [options.expression ?? ''] }
    : { sql: 'm.doc IS NOT NULL', values: [] }
  return {
    select: usesIndex
      ? `m.* FROM message_words w CROSS JOIN messages m ON m.doc = w.rowid ${JOINED}`
      : `m.* FROM messages m ${JOINED}`,
    joined: [options.viewer],
    where: and([matching, base, compileFilter(options.filter, MESSAGES)]),
    sorts: {
      doc: usesIndex ? 'w.rowid' : 'm.doc',
      created_at: usesIndex ? 'w.rowid' : 'm.doc',
      updated_at: 'm.updated_at',
      id: 'm.id',
      reply_count: 'm.reply_count',
    },
    defaultSort: [{ field: 'doc', direction: -1 }],
    ties: [usesIndex ? 'w.rowid' : 'm.doc'],
  }
}
