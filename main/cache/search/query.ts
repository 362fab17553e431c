import type { Placed } from '#shared/lib/order.ts'
import { comparePlaced } from '#shared/lib/order.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { expressionOf, matches, type Joined, type ResolvedQuery } from '#shared/rules/search/search-match.ts'
import type { HasWhat } from '#shared/rules/search/filter-names.ts'
import type { SearchQuery, Span } from '#shared/rules/search/search-query.ts'
import type { MessageRow } from '../rows.ts'
import * as messages from '../messages/messages.ts'
import * as polls from '../messages/polls.ts'
import type { Reader } from '../tx.ts'
import { FIRST_DOC, freshCount, NEWEST_FRESH } from './docs.ts'
import { resolveQuery, type FilterIds, type UnreadMarks } from './resolve.ts'

/** One page of a search, newest first. Plain data: it is sent to a worker. */
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
}

export type SearchAnswer = {
  /** Newest first, at most `limit`. */
  readonly keys: readonly Placed[]
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
const END: Placed = { createdAt: Number.MAX_SAFE_INTEGER, id: '\u{10FFFF}' }

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
  const after = request.after ?? END
  const indexed = fromIndex(reader, { resolved, joined }, after, wanted)
  const fresh = fromFresh(reader, { resolved, joined }, after)
  const keys = [...new Map([...fresh, ...indexed].map((key) => [key.id, key])).values()].toSorted(newestFirst)
  return {
    keys: keys.slice(0, request.limit),
    hasMore: keys.length > request.limit,
    indexing: freshCount(reader, FRESH_SEARCHED + 1) > FRESH_SEARCHED,
    resolved,
    unmatched,
    filterIds,
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
  const waiting = reader.db.all<{ created_at: number; id: string }>(NEWEST_FRESH, FRESH_SEARCHED)
  const ids = waiting.filter((key) => comparePlaced({ createdAt: key.created_at, id: key.id }, after) < 0)
  return messages
    .byIds(
      reader,
      ids.map(({ id }) => id),
    )
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
