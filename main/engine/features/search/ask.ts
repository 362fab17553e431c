import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { search } from '#shared/wire/messages.ts'
import { EVERYONE } from '#shared/rules/search/search-match.ts'
import type { SearchQuery } from '#shared/rules/search/search-query.ts'
import { searchableOf, type SearchAnswer, type SearchRequest } from '#main/cache/search/query.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as docs from '#main/cache/search/docs.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Core, Requests } from '../../core.ts'
import { asWire, idOf } from '../../decode/read.ts'
import { writeLoose } from '../../sync/write.ts'

/** Hits requested beyond a page, so that the merged page is complete even if all hits come from the server. */
const MORE_THAN_A_PAGE = 10
const MOST = 100

/** Broadcast mentions as they are written in a text. */
const BROADCASTS = '@channel @here'

type SearchQuestion = { readonly typed: string; readonly request: SearchRequest; readonly answer: SearchAnswer }

type Parts = Requests & Pick<Core, 'log' | 'me'>

/**
 * Sends the query to the server, as far as its filters allow, and stores the hits: the caller then reads one list from the
 * cache, where the whole query is applied. Returns the ids of those that the cache did not have; `undefined` without a
 * connection, or if the server refuses.
 */
export async function askServer(core: Parts, request: SearchQuestion): Promise<readonly string[] | undefined> {
  if (!core.isHealthy()) return undefined
  const questions = questionsOf(core, request)
  if (questions.length === 0) return []
  const asOf = core.asOf()
  const isRanked = request.request.rankedAt !== undefined
  const limit = isRanked ? MOST : Math.min(MOST, request.request.limit + MORE_THAN_A_PAGE)
  const sort = isRanked ? BY_RELEVANCE : BY_TIME
  try {
    const answers = await Promise.all(
      questions.map((conditions) => {
        const payload = { ...conditions, sort, limit }
        return core.api.send(search, { query: { payload }, signal: core.life })
      }),
    )
    return core.write((tx) => {
      const added: string[] = []
      for (const { message } of answers.flatMap(({ results }) => results)) {
        const cid = idOf(asWire(message)?.['cid'])
        // Channels that the viewer has left are not searched, and their messages are not stored.
        if (cid === undefined || !channels.byCid(tx, cid) || !members.own(tx, asCid(cid))) continue
        const id = idOf(asWire(message)?.['id'])
        if (id !== undefined && !messages.byId(tx, asMessageId(id))) added.push(id)
        writeLoose(tx, [message], { asOf, cid: asCid(cid) })
      }
      return added
    })
  } catch (error) {
    core.log('search').info('server', { code: error instanceof AppError ? error.code : 'unknown' })
    return undefined
  }
}

const BY_TIME = [{ field: 'created_at', direction: -1 as const }]
const BY_RELEVANCE = [{ field: 'relevance', direction: -1 as const }, ...BY_TIME]

/** A search does not wait longer than this for the index. */
const INDEX_MS = 40
const DOCS_A_STEP = 100

/** Indexes messages that have just arrived: before that they have no relevance. */
export function indexFresh({ cache, ports: { clock } }: Pick<Core, 'cache' | 'ports'>): void {
  const until = clock.monotonic() + INDEX_MS
  const enough = (): boolean => clock.monotonic() >= until
  const read = (id: string) => searchableOf(cache.reader, id)
  while (cache.transaction((tx) => docs.step(tx, { limit: DOCS_A_STEP, enough, read })) && !enough());
}

/** See docs/wire.md 3.12 and 6.3 "Message search". Empty if there is nothing to query the server for. */
function questionsOf(core: Pick<Core, 'me'>, { typed, request, answer }: SearchQuestion) {
  const { filterIds, resolved } = answer
  // The name belongs to no user: there can be no hits.
  if (resolved.anyOf.some((group) => group.length === 0)) return []
  const text = textOf(request.query, typed)
  const filter = {
    ...text,
    ...(filterIds.from.length === 0 ? {} : { 'user.id': { $in: filterIds.from } }),
    ...filesOf(request),
    ...timesOf(request),
  }
  const mine = { members: { $in: [core.me] } }
  const places = filterIds.in.length === 0 ? mine : { ...mine, cid: { $in: filterIds.in } }
  const [person] = filterIds.mentions
  const named = person === undefined ? filter : { ...filter, 'mentioned_users.id': { $contains: person } }
  // The contract cannot filter by broadcast mentions. Their text is searched, and wrong hits are removed here.
  const called = { ...filter, ...('text' in text ? {} : { text: { $any: BROADCASTS } }) }
  return [named, ...(filterIds.mentions.includes(EVERYONE) ? [called] : [])].flatMap((each) =>
    Object.keys(each).length === 0 ? [] : [{ filter_conditions: places, message_filter_conditions: each }],
  )
}

/** Whole words, or a prefix while the last one is being typed. Exclusions and the order of phrases are checked here. */
function textOf({ terms }: SearchQuery, typed: string) {
  const wanted = terms.filter(({ exclude }) => !exclude)
  if (wanted.length === 0) return {}
  const text = wanted.map(({ start, end }) => typed.slice(start, end).replaceAll(/["*]/g, ' ').trim()).join(' ')
  return { text: wanted.some(({ prefix }) => prefix) ? { $autocomplete: text } : { $q: text } }
}

const TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image', 'giphy'],
  video: ['video'],
  audio: ['audio', 'voiceRecording'],
  file: ['file'],
}

function filesOf({ query: { filters }, hasAny = [] }: SearchRequest) {
  const wanted = filters.filter(({ exclude }) => !exclude)
  const has = [...hasAny, ...wanted.flatMap((filter) => (filter.kind === 'has' ? [filter.what] : []))]
  const types = has.flatMap((what) => TYPES[what] ?? [])
  const pinned = wanted.some((filter) => filter.kind === 'is' && filter.what === 'pinned')
  return {
    ...(types.length === 0 ? {} : { 'attachments.type': { $in: types } }),
    ...(pinned ? { pinned: { $eq: true } } : {}),
  }
}

function timesOf({ from, until, after }: SearchRequest) {
  // The whole millisecond of the last hit is requested again: other messages may have the same time.
  const latest = Math.min(until ?? Number.POSITIVE_INFINITY, after ? after.createdAt + 1 : Number.POSITIVE_INFINITY)
  const bounds = {
    ...(from === undefined ? {} : { $gte: formatTime(from) }),
    ...(Number.isFinite(latest) ? { $lt: formatTime(latest) } : {}),
  }
  return Object.keys(bounds).length === 0 ? {} : { created_at: bounds }
}

/**
 * Searches the cache. A damaged index is rebuilt from the messages; until then results would be wrong: throws
 * `search/unavailable`.
 */
export async function findCached(
  core: Pick<Core, 'cacheWorker' | 'log' | 'write'>,
  request: SearchRequest,
): Promise<SearchAnswer> {
  try {
    return await core.cacheWorker.search(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'search/damaged') throw error
    core.log('search').warn('rebuild')
    core.write(docs.rebuild)
    throw new AppError('search/unavailable')
  }
}
