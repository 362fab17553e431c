import type { Channel } from '#shared/domain/channel.ts'
import type {
  SearchCursor,
  SearchNote,
  SearchOrder,
  SearchPage,
  SearchHit,
  KeywordCount,
  ReactedMessage,
} from '#shared/domain/search.ts'
import type { User } from '#shared/domain/user.ts'
import { asCid, asUserId, type Cid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { type Day, type SearchQuery, isEmptyQuery, parseQuery } from '#shared/rules/search/search-query.ts'
import { partsOf, fieldsOf, matches, type ResolvedQuery } from '#shared/rules/search/search-match.ts'
import { keywordIn } from '#shared/rules/notifications/notifying.ts'
import { type HitKey, type SearchAnswer, type SearchRequest, searchableOf } from '#main/cache/search/query.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as retention from '#main/cache/messages/retention.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Core, Requests } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { readState, visibleChannel, visibleUser } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { findCached, askServer, indexFresh } from './ask.ts'

type Parts = Requests & Pick<Core, 'cache' | 'cacheWorker' | 'context' | 'log' | 'me' | 'memory' | 'ports'>

export const searchFeature = defineFeature({
  create: (core: Parts) => ({ calls: { search: searchCalls(core) } }),
})

/** Search in the cache, and on request on the server too. */
function searchCalls(core: Parts): HandlersOf<'search', CallContext> {
  const questions = new Questions()
  return {
    messages: (input) => findMessages(core, questions, input),
    names: async (input) => {
      const found = await core.cacheWorker.names(input)
      return {
        people: found.people.flatMap((id) => visibleUser(core.context, asUserId(id)) ?? []),
        channels: found.channels.flatMap((cid) => visibleChannel(core.context, asCid(cid)) ?? []),
        total: found.total,
      }
    },
    reactions: ({ before, limit }) => reactedMessages(core, before, limit),
    keywords: ({ keywords }) => countKeywords(core, keywords),
    storage: () => core.cache.read((reader) => retention.use(reader)),
  }
}

type Input = {
  readonly text: string
  readonly cid?: Cid
  readonly cursor?: SearchCursor
  readonly limit: number
  readonly ask: 'cache' | 'server'
  readonly order: SearchOrder
}

async function findMessages(core: Parts, questions: Questions, input: Input): Promise<SearchPage> {
  const query = parseQuery(input.text, today(core.ports.clock.now()))
  if (isEmptyQuery(query)) return NOTHING
  const added = questions.added(`${input.cid ?? ''} ${input.text}`)
  const { cursor } = input
  const listed = cursor !== undefined && 'list' in cursor ? questions.list(cursor.list) : undefined
  if (listed) return pageOf(core, { query, answer: listed, added, ...cutOf(questions, input, listed) })
  const request = requestOf(core, query, input)
  if (request.rankedAt !== undefined) indexFresh(core)
  let answer = await findCached(core, request)
  let server: SearchPage['server'] = 'not-asked'
  // Servers do not search for guests.
  if (input.ask === 'server' && core.cache.reader.isGuest !== true) {
    const more = await askServer(core, { typed: input.text, request, answer })
    server = more === undefined ? 'unreachable' : 'asked'
    for (const id of more ?? []) added.add(id)
    if (request.rankedAt !== undefined) indexFresh(core)
    // The server's hits are in the cache now: one list, one order, no duplicates.
    if (server === 'asked') answer = await findCached(core, request)
  }
  const page = pageOf(core, { query, answer, added, ...cutOf(questions, input, answer) })
  return {
    ...page,
    server,
    ...(server === 'unreachable' ? { knownUntil: core.memory.connection.knownUntil } : {}),
    ...(cursor === undefined ? { files: await hasFiles(core, request) } : {}),
  }
}

/** Whether messages with files match too. */
async function hasFiles(core: Parts, request: SearchRequest): Promise<boolean> {
  const { keys } = await findCached(core, { ...request, hasAny: ['file'], rankedAt: undefined, limit: 1 })
  return keys.length > 0
}

type Cut = { readonly keys: readonly HitKey[]; readonly next: SearchCursor | undefined }

/** The requested page of an answer, and where the next one begins. A list by relevance is answered as a whole. */
function cutOf(questions: Questions, { cursor, limit }: Input, answer: SearchAnswer): Cut {
  const { keys, hasMore } = answer
  const last = keys.at(-1)
  if (last?.rank === undefined) return { keys, next: hasMore && last ? last : undefined }
  const isNext = cursor !== undefined && 'list' in cursor
  const from = isNext ? cursor.from : 0
  const end = from + limit
  const list = isNext && questions.list(cursor.list) ? cursor.list : questions.keep(answer)
  return { keys: keys.slice(from, end), next: end < keys.length ? { list, from: end } : undefined }
}

const NOTHING: SearchPage = {
  hits: [],
  people: [],
  channels: [],
  notes: [],
  indexing: false,
  server: 'not-asked',
}

type Page = Cut & {
  readonly query: SearchQuery
  readonly answer: SearchAnswer
  /** Ids of hits that the server added. */
  readonly added: ReadonlySet<string>
}

function pageOf(core: Pick<Core, 'context'>, { query, answer, added, keys, next }: Page): SearchPage {
  const hits = keys.flatMap(({ id, rank }): SearchHit[] => {
    const hit = hitOf(core.context, id, answer.resolved)
    return hit ? [{ ...hit, rank, fromServer: added.has(id) ? true : undefined }] : []
  })
  const places = [...new Set(hits.map(({ cid }) => cid))].flatMap((cid) => visibleChannel(core.context, cid) ?? [])
  const people = new Set([
    ...hits.map(({ userId }) => userId),
    ...places.flatMap((channel: Channel) => channel.directUserIds),
  ])
  const unmatched: readonly SearchNote[] = answer.unmatched.map((span) => ({ ...span, code: 'search/nobody' as const }))
  return {
    hits,
    next,
    people: [...people].flatMap((id): User | readonly User[] => visibleUser(core.context, id) ?? []),
    channels: places,
    notes: [...query.problems, ...unmatched].toSorted((a, b) => a.start - b.start),
    indexing: answer.indexing,
    server: 'not-asked',
  }
}

function requestOf(
  core: Pick<Core, 'cache' | 'context'>,
  query: SearchQuery,
  { cid, cursor, limit, order }: Input,
): SearchRequest {
  const times = query.filters.filter((filter) => filter.kind === 'time')
  const from = times.flatMap((time) => (time.from ? [startOf(time.from)] : []))
  const until = times.flatMap((time) => (time.until ? [startOf(time.until)] : []))
  return {
    query,
    cid,
    limit,
    after: cursor !== undefined && 'id' in cursor ? cursor : undefined,
    rankedAt: order === 'relevance' && hasWords(query) ? core.context.now() : undefined,
    unread: query.filters.some((filter) => filter.kind === 'is' && filter.what === 'unread')
      ? unreadMarks(core)
      : undefined,
    from: from.length === 0 ? undefined : Math.max(...from),
    until: until.length === 0 ? undefined : Math.min(...until),
  }
}

/** Without words every hit is equally relevant. */
const hasWords = ({ terms }: SearchQuery): boolean => terms.some(({ exclude }) => !exclude)

/** Read marks of channels with unread messages, including unsent marks. */
function unreadMarks({ context, cache }: Pick<Core, 'cache' | 'context'>): SearchRequest['unread'] {
  const marks = cache.read(() =>
    channels.listedCids(context.cache).flatMap((cid) => {
      const { unread, lastReadAt } = readState(context, cid)
      return unread === 0 || lastReadAt === undefined ? [] : [[cid, lastReadAt] as const]
    }),
  )
  return { now: context.now(), readTo: Object.fromEntries(marks) }
}

/** Days begin at the user's midnight: in this device's time zone, with daylight saving. */
const startOf = ({ year, month, day }: Day): number => new Date(year, month - 1, day).getTime()

function today(now: number): Day {
  const date = new Date(now)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

/**
 * A found message as the viewer sees it now; `undefined` if it was deleted meanwhile, here or by an unsent intent, or if
 * the index is outdated.
 */
function hitOf(context: ReadContext, id: string, resolved: ResolvedQuery): SearchHit | undefined {
  const message = visibleMessage(context, asMessageId(id))
  const fact = searchableOf(context.cache, id)
  if (!message || !fact || message.type === 'deleted' || !matches(fact.message, fact.poll, resolved)) return undefined
  const shown = { ...fact.message, text: message.text }
  return {
    messageId: message.id,
    cid: message.cid,
    userId: message.userId,
    parentId: message.parentId,
    createdAt: message.createdAt,
    timeUnsure: message.timeUnsure === true ? true : undefined,
    edited: message.editedAt !== undefined,
    pinned: message.pinned,
    replyCount: message.thread?.replyCount ?? 0,
    attachmentKinds: message.attachments.map(({ kind }) => kind),
    parts: partsOf(fieldsOf(shown, fact.poll), resolved.terms),
  }
}

/** Newest messages of others that are checked, and the channels they are taken from. */
const CHECKED_MESSAGES = 50
const CHANNELS = 30
const PER_CHANNEL = 20

/** How many of the latest messages of others contain one of the keywords. From the cache alone. */
function countKeywords(core: Pick<Core, 'cache' | 'context' | 'me'>, keywords: readonly string[]): KeywordCount {
  return core.cache.read((reader) => {
    const newest = channels
      .listedCids(reader)
      .slice(0, CHANNELS)
      .flatMap((cid) => pages.newest(reader, `timeline:${cid}`, PER_CHANNEL))
      .toSorted((a, b) => b.createdAt - a.createdAt)
    const texts: string[] = []
    for (const { id } of newest) {
      if (texts.length === CHECKED_MESSAGES) break
      const message = visibleMessage(core.context, id as MessageId)
      if (message !== undefined && message.userId !== core.me && message.type === 'regular') texts.push(message.text)
    }
    return { of: texts.length, matched: texts.filter((text) => keywordIn(text, keywords) !== undefined).length }
  })
}

/** Own messages with reactions of others, the newest reaction first, without own reactions. */
function reactedMessages(
  core: Pick<Core, 'cache' | 'context' | 'me'>,
  before = Number.MAX_SAFE_INTEGER,
  limit: number,
): readonly ReactedMessage[] {
  return core.cache.read(() => {
    const found: ReactedMessage[] = []
    for (let from = before; found.length < limit;) {
      const page = pages.newestReacted(core.cache.reader, from, limit)
      found.push(...page.flatMap(({ id, at }) => shown(core, id, at) ?? []))
      const last = page.at(-1)
      if (last === undefined || page.length < limit) break
      from = last.at
    }
    return found.slice(0, limit)
  })
}

function shown(
  core: Pick<Core, 'cache' | 'context' | 'me'>,
  id: ReactedMessage['messageId'],
  at: number,
): ReactedMessage | undefined {
  const row = messages.byId(core.cache.reader, id)
  const message = visibleMessage(core.context, id)
  const others = row?.latestReactions.filter(({ userId }) => userId !== core.me) ?? []
  if (message === undefined || message.type === 'deleted' || others.length === 0) return undefined
  return {
    messageId: id,
    cid: message.cid,
    parentId: message.parentId,
    text: message.text,
    at,
    reactions: others.map(({ type, userId, createdAt }) => ({ type, userId, createdAt })),
  }
}

/** How many questions are remembered: as many as someone types in a minute. */
const QUESTIONS = 20
const LISTS = 8

/** What a search remembers beyond one page; in memory, and dropped with the oldest questions. */
class Questions {
  readonly #added = new Map<string, Set<string>>()
  readonly #lists = new Map<number, SearchAnswer>()
  #last = 0

  /** Ids of the messages that the server added for this question. */
  added(question: string): Set<string> {
    const known = this.#added.get(question) ?? new Set<string>()
    this.#added.delete(question)
    remember(this.#added, question, known, QUESTIONS)
    return known
  }

  /** Keeps a list by relevance, so that its pages are stable while messages arrive. Returns its number. */
  keep(list: SearchAnswer): number {
    this.#last += 1
    remember(this.#lists, this.#last, list, LISTS)
    return this.#last
  }

  list(number: number): SearchAnswer | undefined {
    return this.#lists.get(number)
  }
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
