import { AppError } from '#shared/lib/app-error.ts'
import { asCid } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { search } from '#shared/wire/messages.ts'
import { EVERYONE } from '#shared/rules/search/search-match.ts'
import type { SearchQuery } from '#shared/rules/search/search-query.ts'
import type { SearchAnswer, SearchRequest } from '#main/cache/search/query.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as docs from '#main/cache/search/docs.ts'
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
 * cache, where the whole query is applied. Returns false without a connection, or if the server refuses.
 */
export async function askServer(core: Parts, request: SearchQuestion): Promise<boolean> {
  if (!core.isHealthy()) return false
  const questions = questionsOf(core, request)
  if (questions.length === 0) return true
  const asOf = core.asOf()
  const limit = Math.min(MOST, request.request.limit + MORE_THAN_A_PAGE)
  try {
    const answers = await Promise.all(
      questions.map((conditions) => {
        const payload = { ...conditions, sort: [{ field: 'created_at', direction: -1 as const }], limit }
        return core.api.send(search, { query: { payload }, signal: core.life })
      }),
    )
    core.write((tx) => {
      for (const { message } of answers.flatMap(({ results }) => results)) {
        const cid = idOf(asWire(message)?.['cid'])
        // Channels that the viewer has left are not searched, and their messages are not stored.
        if (cid === undefined || !channels.byCid(tx, cid) || !members.own(tx, asCid(cid))) continue
        writeLoose(tx, [message], { asOf, cid: asCid(cid) })
      }
    })
    return true
  } catch (error) {
    core.log('search').info('server', { code: error instanceof AppError ? error.code : 'unknown' })
    return false
  }
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
  core: Pick<Core, 'log' | 'search' | 'write'>,
  request: SearchRequest,
): Promise<SearchAnswer> {
  try {
    return await core.search.search(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'search/damaged') throw error
    core.log('search').warn('rebuild')
    core.write(docs.rebuild)
    throw new AppError('search/unavailable')
  }
}
