import { type Placed, comparePlaced } from '#shared/domain/message.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import {
  expressionOf,
  isSearchable,
  matches,
  type Joined,
  type ResolvedQuery,
  EVERYONE,
  mark,
} from '#shared/rules/search/search-match.ts'
import type { HasWhat, IsWhat, SearchQuery, Span, Filter } from '#shared/rules/search/search-query.ts'
import { nameRank, nameWords } from '#shared/rules/search/search-names.ts'
import { wordsOf } from '#shared/rules/search/search-fold.ts'
import { END } from '../messages/pages.ts'
import type { MessageRow } from '../rows.ts'
import * as messages from '../messages/messages.ts'
import * as polls from '../messages/polls.ts'
import type { Reader } from '../store.ts'
import { FIRST_DOC, freshCount, newestFresh } from './docs.ts'

/** One page of a search, newest first, or the list of the best hits. Plain data: it is sent to a worker. */
export type SearchRequest = {
  readonly query: SearchQuery
  /** Only in this channel, overriding `in:`. */
  readonly cid?: string
  /** Only messages with any of these, in addition to the query. */
  readonly hasAny?: readonly HasWhat[]
  /** Epoch milliseconds: `from` inclusive, `until` exclusive. */
  readonly from?: number
  readonly until?: number
  /** For `is:unread`. */
  readonly unread?: UnreadMarks
  /** The last hit of the previous page: only older ones. */
  readonly after?: Placed
  readonly limit: number
  /** Most relevant first, as of this time (epoch milliseconds): one list, whatever `after` and `limit` say. */
  readonly rankedAt?: number
}

/** A hit; `rank` in a list by relevance ({@link rankMatches}). */
export type HitKey = Placed & { readonly rank?: number }

export type SearchAnswer = {
  /** Newest first, at most `limit`; or most relevant first. */
  readonly keys: readonly HitKey[]
  readonly hasMore: boolean
  /** The history is still being indexed: results may be incomplete. */
  readonly indexing: boolean
  /** The query with names resolved to ids. */
  readonly resolved: ResolvedQuery
  /** Names in the query without a match. */
  readonly unmatched: readonly Span[]
  readonly filterIds: FilterIds
}

/** Unindexed messages that are searched one by one: as many as arrive in a minute of a very busy account. */
const FRESH_SEARCHED = 2_000

const BEGINNING = Number.MIN_SAFE_INTEGER

const VISIBLE = `(m.created_at, m.id) < (?, ?) AND m.created_at >= ? AND m.created_at < ?
  AND m.created_at >= coalesce(c.hide_before, ${BEGINNING})
  AND NOT EXISTS (SELECT 1 FROM search_gone g WHERE g.doc = d.doc)`
const JOINED = `CROSS JOIN messages m ON m.id = d.id LEFT JOIN channels c ON c.cid = m.cid`
/** `w.rowid` is bounded too: so the index scan itself starts at the newest possible document. */
const byWords = (condition: string): string => `SELECT m.id, m.created_at AS createdAt FROM search_words w
  CROSS JOIN search_docs d ON d.doc = w.rowid ${JOINED}
  WHERE search_words MATCH ? AND w.rowid >= ${FIRST_DOC} AND w.rowid < ${FIRST_DOC} + 4096 AND ${VISIBLE} ${condition}
  ORDER BY w.rowid DESC LIMIT ?`
const byAge = (condition: string): string => `SELECT m.id, m.created_at AS createdAt FROM search_docs d ${JOINED}
  WHERE d.doc >= ${FIRST_DOC} AND d.doc < ${FIRST_DOC} + 4096 AND ${VISIBLE} ${condition} ORDER BY d.doc DESC LIMIT ?`

/** Searches the cache. Reads several tables: run it on one snapshot. */
export function searchHeld(reader: Reader, request: SearchRequest): SearchAnswer {
  const { resolved, unmatched, filterIds } = resolveQuery(reader, request)
  const wanted = request.limit + 1
  const joined = joinedCondition(reader, resolved, request.unread)
  const common = {
    indexing: freshCount(reader, FRESH_SEARCHED + 1) > FRESH_SEARCHED,
    resolved,
    unmatched,
    filterIds,
  }
  if (request.rankedAt !== undefined)
    return { keys: byRelevance(reader, { resolved, joined }, request.rankedAt), hasMore: false, ...common }
  const after = request.after ?? END
  const indexed = fromIndex(reader, { resolved, joined }, after, wanted)
  const fresh = fromFresh(reader, { resolved, joined }, after)
  const keys = [...new Map([...fresh, ...indexed].map((key) => [key.id, key])).values()].toSorted(newestFirst)
  return {
    keys: keys.slice(0, request.limit),
    hasMore: keys.length > request.limit,
    ...common,
  }
}

const newestFirst = (a: Placed, b: Placed): number => comparePlaced(b, a)

/** A resolved query, and its conditions on other rows. */
type Whole = { readonly resolved: ResolvedQuery; readonly joined: JoinedCondition }

function fromIndex(reader: Reader, whole: Whole, after: Placed, wanted: number): readonly Placed[] {
  const { resolved } = whole
  if (resolved.anyOf.some((group) => group.length === 0)) return []
  const expression = expressionOf(resolved)
  const find = (first: number, last: number, limit: number): Placed[] =>
    expression === undefined
      ? byTime(reader, whole, { first, last, after, limit })
      : reader.db.all<Placed>(byWords(whole.joined.sql), expression, ...bindsOf(whole, { first, last, after, limit }))
  const found = find(resolved.from ?? 0, Math.min(after.createdAt, resolved.until ?? END.createdAt), wanted)
  // Within one millisecond the index is in the order of indexing: the millisecond in which a page ends is read
  // completely.
  const [last, before] = [found.at(-1), found.at(-2)]
  if (!last || found.length < wanted) return found
  if (before && Math.floor(before.createdAt) !== Math.floor(last.createdAt)) return found
  return [...found, ...find(last.createdAt, last.createdAt, ALL_OF_A_MILLISECOND)]
}

const ALL_OF_A_MILLISECOND = 4_096

/** The numbers are only used as they are; a document's own exceeds the range of `Number`. Marks weigh nothing. */
const MATCHES = `SELECT CAST(w.rowid AS TEXT) AS doc, w.rowid / 4096 AS createdAt, -bm25(search_words, 1.0, 0.0) AS score
  FROM search_words w
  WHERE search_words MATCH ? AND w.rowid >= ${FIRST_DOC} AND w.rowid < ${FIRST_DOC} + 4096
  ORDER BY w.rowid DESC LIMIT ?`
const shownDoc = (condition: string): string => `SELECT m.id, m.created_at AS createdAt FROM search_docs d ${JOINED}
  WHERE d.doc = CAST(? AS INTEGER) AND ${VISIBLE} ${condition}`

/** `doc` of an indexed message, `key` of a fresh one. */
type RankedMatch = { readonly doc?: string; readonly key?: Placed; readonly score?: number; readonly createdAt: number }

/** The best hits. Only those that are listed are read from the tables. */
function byRelevance(reader: Reader, whole: Whole, now: number): readonly HitKey[] {
  const { resolved, joined } = whole
  const expression = expressionOf(resolved)
  if (expression === undefined || resolved.anyOf.some((group) => group.length === 0)) return []
  const range = [resolved.from ?? 0, resolved.until ?? END.createdAt]
  const indexed = reader.db.all<RankedMatch>(MATCHES, expression, ...range, RANKED_MATCHES)
  const fresh = fromFresh(reader, whole, END).map((key): RankedMatch => ({ key, createdAt: key.createdAt }))
  const statement = shownDoc(joined.sql)
  const [, , ...binds] = bindsOf(whole, { first: 0, last: 0, after: END, limit: 0 }).slice(0, -1)
  const listed = new Map<string, HitKey>()
  for (const { doc, key, rank } of rankMatches<RankedMatch>([...fresh, ...indexed], now)) {
    if (listed.size === RANKED_LIST) break
    const found = doc === undefined ? key : reader.db.get<Placed>(statement, doc, ...binds)
    if (found && !listed.has(found.id)) listed.set(found.id, { ...found, rank })
  }
  return [...listed.values()]
}

type Bounds = { readonly first: number; readonly last: number; readonly after: Placed; readonly limit: number }

function bindsOf({ resolved, joined }: Whole, { first, last, after, limit }: Bounds): (string | number)[] {
  const until = resolved.until ?? END.createdAt
  return [first, last, after.createdAt, after.id, resolved.from ?? BEGINNING, until, ...joined.binds, limit]
}

/** No terms and marks, or only excluded ones: scans all messages of the time range. */
function byTime(reader: Reader, whole: Whole, bounds: Bounds): Placed[] {
  const { resolved, joined } = whole
  const statement = byAge(joined.sql)
  if (resolved.terms.length === 0 && resolved.noneOf.length === 0)
    return reader.db.all<Placed>(statement, ...bindsOf(whole, bounds))
  const hits: Placed[] = []
  let { after, last } = bounds
  for (;;) {
    const found = reader.db.all<Placed>(statement, ...bindsOf(whole, { ...bounds, last, after, limit: BATCH }))
    hits.push(...found.filter(({ id }) => isHit(reader, messages.byId(reader, id), resolved)))
    const end = found.at(-1)
    if (!end || found.length < BATCH || hits.length >= bounds.limit) return hits.slice(0, bounds.limit)
    after = end
    last = end.createdAt
  }
}

const BATCH = 4_096

function fromFresh(reader: Reader, { resolved, joined }: Whole, after: Placed): readonly Placed[] {
  const ids = newestFresh(reader, FRESH_SEARCHED).filter(
    (key) => comparePlaced({ createdAt: key.created_at, id: key.id }, after) < 0,
  )
  return messages
    .byIds(
      reader,
      ids.map(({ id }) => id),
    )
    .filter((row) => isSearchable(row, reader.viewerId))
    .filter((row) => isHit(reader, row, resolved) && isShown(reader, row) && meetsJoined(reader, row.id, joined))
    .map(({ id, createdAt }) => ({ id, createdAt }))
}

const HIDE_BEFORE = 'SELECT hide_before AS hideBefore FROM channels WHERE cid = ?'

const isShown = (reader: Reader, row: MessageRow): boolean =>
  row.createdAt >= (reader.db.get<{ hideBefore: number | null }>(HIDE_BEFORE, row.cid)?.hideBefore ?? BEGINNING)

/** The message and its poll for the search rules. */
export function searchableOf(reader: Reader, id: string) {
  const message = messages.byId(reader, asMessageId(id))
  return message && { message, poll: message.pollId === undefined ? undefined : polls.byId(reader, message.pollId) }
}

function isHit(reader: Reader, row: MessageRow | undefined, resolved: ResolvedQuery): boolean {
  if (!row) return false
  const poll = row.pollId === undefined ? undefined : polls.byId(reader, row.pollId)
  return matches(row, poll, resolved)
}

/** A condition on a message `m` that involves other rows, as SQL with its binds. */
type JoinedCondition = { readonly sql: string; readonly binds: readonly (string | number)[] }

/** A reply to the viewer: in a thread of theirs, or quoting them. */
const REPLY = `(m.user_id <> ? AND EXISTS (SELECT 1 FROM messages p
  WHERE p.id IN (m.parent_id, m.quoted_id) AND p.user_id = ?))`
/** The rule is `shared/rules/channels/unread.ts`; thread-only replies are not included. */
const UNREAD = `(m.in_channel = 1 AND m.user_id <> ? AND m.silent = 0
  AND EXISTS (SELECT 1 FROM json_each(?) AS read WHERE read.key = m.cid AND m.created_at > read.value)
  AND NOT EXISTS (SELECT 1 FROM mutes
    WHERE kind = 'user' AND target = m.user_id AND (expires_at IS NULL OR expires_at > ?)))`

function joinedCondition(reader: Reader, { joined }: ResolvedQuery, unread: UnreadMarks | undefined): JoinedCondition {
  const me = reader.viewerId
  const one: Readonly<Record<Joined, JoinedCondition>> = {
    reply: { sql: REPLY, binds: [me, me] },
    unread: { sql: UNREAD, binds: [me, JSON.stringify(unread?.readTo ?? {}), unread?.now ?? 0] },
  }
  return {
    sql: joined.map(({ what, exclude }) => `AND ${exclude ? 'NOT ' : ''}${one[what].sql}`).join(' '),
    binds: joined.flatMap(({ what }) => one[what].binds),
  }
}

/** The condition for a single message. */
const meetsJoined = (reader: Reader, id: string, { sql, binds }: JoinedCondition): boolean =>
  sql === '' || reader.db.get(`SELECT 1 FROM messages m WHERE m.id = ? ${sql}`, id, ...binds) !== undefined

/** People and channels in the cache by name. Reads whole tables: run it in a worker. */
export type NamesRequest = { readonly text: string; readonly limit: number }
export type NamesAnswer = {
  readonly people: readonly string[]
  readonly channels: readonly string[]
  /** How many there are, beyond `limit` too. */
  readonly total: { readonly people: number; readonly channels: number }
}

const PEOPLE = 'SELECT id, name, 0 AS recent FROM users'
const CHANNELS = `SELECT c.cid AS id, json_extract(c.json, '$.name') AS name, coalesce(c.last_message_at, 0) AS recent
  FROM members m JOIN channels c ON c.cid = m.cid WHERE m.user_id = ? AND c.hidden = 0`
/** Conversations without a name are named after their members. */
const UNNAMED = `SELECT m.cid AS id, u.name FROM members own JOIN channels c ON c.cid = own.cid
  JOIN members m ON m.cid = own.cid JOIN users u ON u.id = m.user_id
  WHERE own.user_id = ? AND m.user_id <> ? AND json_extract(c.json, '$.name') = ''`

type Named = { readonly id: string; readonly name: string | null; readonly recent: number }

export function namesHeld(reader: Reader, { text, limit }: NamesRequest): NamesAnswer {
  const typed = nameWords(text.replace(/^[@#]/, ''))
  const me = reader.viewerId
  const talks = new Map<string, string[]>()
  for (const { id, name } of reader.db.all<{ id: string; name: string }>(UNNAMED, me, me)) {
    talks.set(id, [...(talks.get(id) ?? []), name])
  }
  const channels = reader.db
    .all<Named>(CHANNELS, me)
    .map((row) => ({ ...row, name: row.name || (talks.get(row.id) ?? []).join(' ') }))
  const people = best(reader.db.all<Named>(PEOPLE), typed)
  const places = best(channels, typed)
  return {
    people: people.slice(0, limit),
    channels: places.slice(0, limit),
    total: { people: people.length, channels: places.length },
  }
}

/** By rank, then by last activity, then by name. */
function best(all: readonly Named[], typed: readonly string[]): readonly string[] {
  return all
    .flatMap(({ id, name, recent }) => {
      const words = nameWords(name ?? '')
      const rank = nameRank(words, typed)
      return rank === undefined ? [] : [{ id, rank, recent, key: words.join(' ') }]
    })
    .toSorted((a, b) => a.rank - b.rank || b.recent - a.recent || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ id }) => id)
}

/** Resolves the names in a query to ids, and its filters to marks of the index. */
const USERS = 'SELECT id, name FROM users'
const NAMED_CHANNELS = `SELECT cid AS id, json_extract(json, '$.name') AS name FROM channels`

/** Several people may share a first name; at most this many are used. */
const SAME_NAME_LIMIT = 50

type NamedRow = { readonly id: string; readonly name: string | null }
type ResolveInput = {
  readonly query: SearchQuery
  readonly cid?: string
  readonly hasAny?: readonly HasWhat[]
  readonly from?: number
  readonly until?: number
  readonly unread?: UnreadMarks
}

/** Read marks of each channel with something unread, in epoch milliseconds by cid; includes local marks. */
type UnreadMarks = { readonly now: number; readonly readTo: Readonly<Record<string, number>> }

const isJoined = (what: IsWhat): what is Joined => what === 'reply' || what === 'unread'

/** Marks of every such message, so that the index leaves few rows to check against the tables. */
function narrowing(what: Joined, unread: UnreadMarks | undefined): readonly string[] {
  if (what === 'reply') return [mark.is('thread'), mark.is('quote')]
  return Object.keys(unread?.readTo ?? {}).map(mark.in)
}

/** The ids of the names in the filters, for querying the server. */
type FilterIds = {
  readonly from: readonly string[]
  readonly in: readonly string[]
  readonly mentions: readonly string[]
}

type Resolved = { readonly resolved: ResolvedQuery; readonly unmatched: readonly Span[]; readonly filterIds: FilterIds }

function resolveQuery(reader: Reader, input: ResolveInput): Resolved {
  const { query, cid, hasAny } = input
  const unmatched: Span[] = []
  const joined = query.filters.flatMap((filter) =>
    filter.kind === 'is' && isJoined(filter.what) ? [{ what: filter.what, exclude: filter.exclude }] : [],
  )
  const groups = query.filters.filter(isMarked).map((filter) => {
    const ids = idsFor(reader, filter)
    const marks = ids.map((id) => markOf(reader, filter, id))
    if (marks.length === 0) unmatched.push({ start: filter.start, end: filter.end })
    return { filter, ids, marks }
  })
  const wanted = groups.filter(({ filter }) => !filter.exclude)
  const either = (kind: Filter['kind']): (readonly string[])[] => {
    const same = wanted.filter(({ filter }) => filter.kind === kind)
    return same.length === 0 ? [] : [same.flatMap(({ marks }) => marks)]
  }
  const each = wanted.filter(({ filter }) => filter.kind !== 'from' && filter.kind !== 'in').map(({ marks }) => marks)
  const idsOf = (kind: Filter['kind']): readonly string[] =>
    wanted.filter(({ filter }) => filter.kind === kind).flatMap(({ ids }) => ids)
  return {
    resolved: {
      terms: query.terms.map(({ words, prefix, exclude }) => ({ words, prefix, exclude })),
      anyOf: [
        ...either('from'),
        ...(cid === undefined ? either('in') : [[mark.in(cid)]]),
        ...(hasAny ? [hasAny.map(mark.has)] : []),
        ...each,
        ...joined.flatMap(({ what, exclude }) => (exclude ? [] : [narrowing(what, input.unread)])),
      ],
      noneOf: groups.filter(({ filter }) => filter.exclude).flatMap(({ marks }) => marks),
      joined,
      from: input.from,
      until: input.until,
    },
    unmatched,
    filterIds: { from: idsOf('from'), in: cid === undefined ? idsOf('in') : [cid], mentions: idsOf('mentions') },
  }
}

/** A filter that corresponds to one or more marks of the index. */
type Marked =
  | Exclude<Filter, { readonly kind: 'time' | 'is' }>
  | (Extract<Filter, { readonly kind: 'is' }> & { readonly what: Exclude<IsWhat, Joined> })

const isMarked = (filter: Filter): filter is Marked =>
  filter.kind !== 'time' && !(filter.kind === 'is' && isJoined(filter.what))

function idsFor(reader: Reader, filter: Marked): readonly string[] {
  switch (filter.kind) {
    case 'has':
    case 'is':
      return [filter.what]
    case 'mentions':
      if (filter.me) return [reader.viewerId, EVERYONE]
      return idsNamed(reader.db.all<NamedRow>(USERS), filter.value)
    case 'from':
      return filter.me ? [reader.viewerId] : idsNamed(reader.db.all<NamedRow>(USERS), filter.value)
    case 'in':
      return idsNamed(reader.db.all<NamedRow>(NAMED_CHANNELS), filter.value)
  }
}

function markOf(reader: Reader, filter: Marked, id: string): string {
  switch (filter.kind) {
    case 'has':
      return mark.has(filter.what)
    case 'is':
      return filter.what === 'mine' ? mark.from(reader.viewerId) : mark.is(filter.what)
    case 'from':
    case 'in':
    case 'mentions':
      return mark[filter.kind](id)
  }
}

/** By id; otherwise by the whole name; otherwise by prefixes of consecutive words of the name. */
function idsNamed(all: readonly NamedRow[], value: string): readonly string[] {
  const exact = all.filter(({ id }) => id === value || id.endsWith(`:${value}`))
  if (exact.length > 0) return exact.map(({ id }) => id)
  const wanted = wordsOf(value).map(({ word }) => word)
  if (wanted.length === 0) return []
  const named = all.map(({ id, name }) => ({ id, words: wordsOf(name ?? '').map(({ word }) => word) }))
  const same = named.filter(({ words }) => words.join(' ') === wanted.join(' '))
  const begun = same.length > 0 ? same : named.filter(({ words }) => hasBeginnings(words, wanted))
  return begun.slice(0, SAME_NAME_LIMIT).map(({ id }) => id)
}

const hasBeginnings = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((_, at) => wanted.every((part, index) => words[at + index]?.startsWith(part) === true))

/**
 * The order "Most relevant", in one place.
 *
 * A match counts by the `bm25` of the full-text index (rare words more than common ones, a short message more than a
 * long one), divided by that of the best match of the same account: bm25 depends on the statistics of one index, so
 * only relative values can be compared between accounts. The best match has 1.
 *
 * Recency pulls gently: a message of now counts half again as much as a very old one, one of a month ago a quarter
 * more. So an old message that matches clearly better stays above a new one, and of equal matches the newest is first.
 */
const PULL = 0.5
const HALVED_AFTER_MS = 30 * 24 * 3_600_000

/** How many matches are ranked, newest first; older ones of a very common word are not. */
const RANKED_MATCHES = 10_000
/** How many of them are a list. */
const RANKED_LIST = 200

type Match = {
  /** Higher is better; positive. `undefined` if the message is not indexed yet: then it counts as an average match. */
  readonly score?: number | undefined
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Matches with their rank, best first. `now` in epoch milliseconds. */
export function rankMatches<T extends Match>(matches: readonly T[], now: number): (T & { readonly rank: number })[] {
  const scores = matches.flatMap(({ score }) => score ?? [])
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  const average = scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length
  const relative = (score = average): number => (best === 0 ? 1 : score / best)
  return matches
    .map((match) => ({ ...match, rank: relative(match.score) * (1 + PULL * recency(now - match.createdAt)) }))
    .toSorted((a, b) => b.rank - a.rank || b.createdAt - a.createdAt)
}

/** 1 now, a half after a month, a third after two. */
const recency = (ageMs: number): number => 1 / (1 + Math.max(0, ageMs) / HALVED_AFTER_MS)
