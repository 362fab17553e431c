import type {
  ChannelAbout,
  BrowsePage,
  ChannelCard,
  MemberPage,
  MediaCount,
  MediaFilter,
  MediaTabName,
  MediaPage,
} from '#shared/domain/channel.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { type Cid, type UserId, asCid, asMessageId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel, queryChannels } from '#shared/wire/channels.ts'
import type { SortField } from '#shared/wire/endpoint.ts'
import { queryMembers } from '#shared/wire/app.ts'
import type { Message } from '#shared/domain/message.ts'
import { type HasWhat, parseQuery, type Filter } from '#shared/rules/search/search-query.ts'
import { TAB_KINDS, attachmentsIn } from '#shared/rules/channels/media-tabs.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { SearchRequest } from '#main/cache/search/query.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as users from '#main/cache/people/users.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { asList, asWire } from '../../decode/read.ts'
import { writeUser, writeChannelState, writeMember } from '../../sync/write.ts'
import { decodeChannel } from '../../decode/channel.ts'
import { CHANNEL_TYPE } from './calls.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visiblePoll } from '../../changes/visible.ts'
import { findCached, askServer } from '../search/ask.ts'

type Parts = Requests & Pick<Core, 'cache' | 'cacheWorker' | 'context' | 'log' | 'me' | 'ports'>

/** Calls of the details panel of a channel. */
export function detailCalls(core: Parts): HandlersOf<'details', CallContext> {
  return {
    about: ({ cid }) => about(core, cid),
    here: ({ cid }) => here(core, cid),
    members: (input) => memberPage(core, input),
    media: (input) => mediaPage(core, input),
    mediaPeople: (input) => mediaPeople(core, input),
    browse: (input) => browse(core, input),
    hidden: () => fetchHidden(core),
    shared: ({ userId }) => {
      const mine = new Set<Cid>(members.cidsOf(core.cache.reader, core.me))
      return members.cidsOf(core.cache.reader, userId).filter((cid) => mine.has(cid))
    },
  }
}

async function about(core: Parts, cid: Cid): Promise<ChannelAbout> {
  const row = channels.byCid(core.cache.reader, cid)
  if (row === undefined) throw new AppError('server/not-found')
  const [media, files, links, polls] = await Promise.all([
    countMedia(core, cid, 'media'),
    countMedia(core, cid, 'files'),
    countMedia(core, cid, 'links'),
    countMedia(core, cid, 'polls'),
  ])
  return {
    createdAt: row.createdAt,
    createdBy: row.createdById,
    mediaTabs: { media, files, links, polls },
  }
}

/** Number of names that are displayed. */
const NAMES = 30

/**
 * Users who have a channel open now. Only the server knows: events report changes, not the users who were there
 * before.
 */
async function here(core: Requests, cid: Cid): Promise<readonly UserId[]> {
  if (!core.isHealthy()) return []
  const asOf = core.asOf()
  const query = { state: true, messages_limit: 1, members_limit: 1, watchers_limit: NAMES }
  const reply = await core.api.send(getChannel, { params: splitCid(cid), query, signal: core.life })
  return core.write((tx) => asList(reply.watchers).flatMap((user) => writeUser(tx, user, asOf)?.id ?? []))
}

/** Largest page, see docs/wire.md 3.2. */
const BROWSE_PAGE = 30

type BrowseSort = 'activity' | 'members' | 'name'
type BrowseInput = { readonly text: string; readonly sort: BrowseSort; readonly offset: number }

const ORDERS: Readonly<Record<BrowseSort, readonly SortField[]>> = {
  activity: [{ field: 'last_message_at', direction: -1 }],
  members: [{ field: 'member_count', direction: -1 }],
  name: [{ field: 'name', direction: 1 }],
}

type BrowseParts = Requests & Pick<Core, 'cache' | 'me'>

/** Channels of the workspace as the server lists them. Those that the viewer has not joined are not stored. */
async function browse(core: BrowseParts, { text, sort, offset }: BrowseInput): Promise<BrowsePage> {
  requireConnection(core)
  const name = text.trim() === '' ? {} : { name: { $autocomplete: text.trim() } }
  const { channels: states } = await core.api.send(queryChannels, {
    body: {
      filter_conditions: { type: CHANNEL_TYPE, ...name },
      sort: ORDERS[sort],
      state: false,
      limit: BROWSE_PAGE,
      offset,
      message_limit: 0,
    },
    signal: core.life,
  })
  const found = asList(states)
  return { channels: found.flatMap((state) => cardOf(core, state)), hasMore: found.length === BROWSE_PAGE }
}

/** Private channels are listed for members only, whatever the server returns. */
function cardOf(core: Pick<Core, 'cache' | 'me'>, state: unknown): ChannelCard[] {
  const row = decodeChannel(asWire(state)?.['channel'], { viewerId: core.me, asOf: 0, isAnswer: true })?.row
  if (row === undefined) return []
  const cid = asCid(row.cid)
  if (row.isPrivate && members.own(core.cache.reader, cid) === undefined) return []
  return [
    {
      cid,
      name: row.name === '' ? row.id : row.name,
      memberCount: row.memberCount ?? 0,
      topic: row.topic,
      lastMessageAt: row.lastMessageAt,
      createdAt: row.createdAt,
    },
  ]
}

async function fetchHidden(core: BrowseParts): Promise<void> {
  if (!core.isHealthy()) return
  const asOf = core.asOf()
  const { channels: states } = await core.api.send(queryChannels, {
    body: {
      filter_conditions: { members: { $in: [core.me] }, hidden: true },
      state: true,
      limit: BROWSE_PAGE,
      message_limit: 1,
      member_limit: BROWSE_PAGE,
    },
    signal: core.life,
  })
  core.write((tx) => {
    for (const state of asList(states)) writeChannelState(tx, state, { asOf }, undefined)
  })
}

/** Largest page, see docs/wire.md 3.12. */
const PAGE = 100

type Input = { readonly cid: Cid; readonly offset?: number; readonly text?: string }

type MemberPageParts = Requests & Pick<Core, 'cache' | 'log'>

/** Members of a channel from the cache, after fetching a page of the server's list if one was requested. */
export async function memberPage(core: MemberPageParts, { cid, offset, text = '' }: Input): Promise<MemberPage> {
  const fetched = offset === undefined ? undefined : await fetchPage(core, cid, offset, text.trim())
  const row = channels.byCid(core.cache.reader, cid)
  const entries = members.members(core.cache.reader, cid)
  const total = Math.max(row?.memberCount ?? 0, 0)
  return {
    entries,
    total: row?.memberCount === undefined ? entries.length : total,
    ownerId: row?.createdById,
    hasMore: fetched === undefined ? entries.length < total : fetched === PAGE,
    unanswered: fetched === 'unanswered' ? (true as const) : undefined,
  }
}

/** Number of fetched members. */
async function fetchPage(
  core: MemberPageParts,
  cid: Cid,
  offset: number,
  text: string,
): Promise<number | 'unanswered'> {
  if (!core.isHealthy()) return 'unanswered'
  const asOf = core.asOf()
  const filter = text === '' ? {} : { name: { $autocomplete: text } }
  try {
    const payload = { ...splitCid(cid), filter_conditions: filter, limit: PAGE, offset }
    const reply = await core.api.send(queryMembers, { query: { payload }, signal: core.life })
    const found = asList(reply.members)
    core.write((tx) => found.forEach((member) => writeMember(tx, member, cid, asOf)))
    return found.length
  } catch (error) {
    core.log('members').info('cached', { cid, code: error instanceof AppError ? error.code : 'unknown' })
    return 'unanswered'
  }
}

/** What a message must contain to appear in a media tab: any one of these. */
const HAS: Readonly<Record<MediaTabName, readonly HasWhat[]>> = {
  media: ['image', 'video'],
  files: ['file', 'audio'],
  links: ['link'],
  polls: ['poll'],
}

/** Cached pages read for one result page if few messages match. */
const MOST_PAGES = 10

/** Messages read for the counts in the details. */
const COUNTED = 100

type MediaInput = {
  readonly cid: Cid
  readonly tab: MediaTabName
  readonly text: string
  readonly only?: MediaFilter
  readonly cursor?: { readonly createdAt: number; readonly id: string }
  readonly limit: number
  readonly ask: 'cache' | 'server'
}

/** A page of a media tab: a search in one channel by the content of its messages. */
async function mediaPage(core: Parts, input: MediaInput): Promise<MediaPage> {
  const request = requestOf(core, input)
  let server: MediaPage['server'] = 'not-asked'
  if (input.ask === 'server') {
    const answer = await findCached(core, request)
    server = (await askServer(core, { typed: input.text, request, answer })) === undefined ? 'unreachable' : 'asked'
  }
  const { shown, next } = await readOn(core, request, input)
  return {
    messages: shown,
    polls: shown.flatMap(({ pollId }) => (pollId === undefined ? [] : (visiblePoll(core.context, pollId) ?? []))),
    next,
    server,
  }
}

/** Kinds and sizes of single items are not indexed: pages are read until one result page is full. */
async function readOn(
  core: Pick<Core, 'cacheWorker' | 'context' | 'log' | 'write'>,
  request: SearchRequest,
  { tab, only, limit }: MediaInput,
) {
  const shown: Message[] = []
  let after = request.after
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await findCached(core, { ...request, after })
    for (const key of answer.keys) {
      after = key
      const message = visibleMessage(core.context, asMessageId(key.id))
      if (message && matches(message, tab, only)) shown.push(message)
      if (shown.length === limit && key !== answer.keys.at(-1)) return { shown, next: after }
    }
    if (!answer.hasMore) return { shown, next: undefined }
    if (shown.length >= limit) break
  }
  return { shown, next: after }
}

function matches(message: Message, tab: MediaTabName, only: MediaFilter | undefined): boolean {
  if (message.type === 'deleted' || message.deletedAt !== undefined) return false
  const narrowed = only?.kind !== undefined || only?.minBytes !== undefined
  return !narrowed || attachmentsIn(tab, message.attachments, only).length > 0
}

/** Counts items, not messages: one message may contain several pictures. `more` if older messages are not cached. */
async function countMedia(core: Parts, cid: Cid, tab: MediaTabName): Promise<MediaCount> {
  const request = requestOf(core, { cid, tab, text: '', limit: COUNTED })
  const { keys, hasMore } = await findCached(core, request)
  const more = hasMore || !isComplete(core, cid)
  if (TAB_KINDS[tab].length === 0) return { count: keys.length, more }
  const rows = messages.byIds(
    core.cache.reader,
    keys.map(({ id }) => id),
  )
  const count = rows.reduce((sum, row) => sum + attachmentsIn(tab, row.attachments).length, 0)
  return { count, more }
}

/** Whether every message of the channel is cached, without a gap. */
function isComplete({ cache }: Pick<Core, 'cache'>, cid: Cid): boolean {
  const [only, ...others] = ranges.of(cache.reader, `timeline:${cid}`)
  return only !== undefined && others.length === 0 && !only.hasPrev && !only.hasNext
}

function requestOf(
  core: Pick<Core, 'ports'>,
  { cid, tab, text, only, cursor, limit }: Omit<MediaInput, 'ask'>,
): SearchRequest {
  const now = new Date(core.ports.clock.now())
  const today = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
  const typed = parseQuery(text, today)
  const from = only?.userId === undefined ? [] : [authorIs(only.userId)]
  return {
    query: { ...typed, filters: [...typed.filters, ...from] },
    cid,
    limit,
    after: cursor,
    from: only?.from,
    hasAny: only?.kind === undefined ? HAS[tab] : [only.kind],
  }
}

/** As if the user had typed this filter at the end. */
const authorIs = (userId: UserId, exclude = false): Filter => ({
  kind: 'from',
  value: userId,
  me: false,
  exclude,
  start: 0,
  end: 0,
})

/** Newest messages read at once: most senders of a media tab are among them. */
const MEDIA_PAGE = 200
/** Each round finds another user, or is the last. */
const MOST_ROUNDS = 50
/** Users per request. See docs/wire.md 3.12. */
const USERS_PER_REQUEST = 100
/** Requests to the server, each about users that the previous ones did not find. */
const MOST_REQUESTS = 5

type PeopleInput = {
  readonly cid: Cid
  readonly tab: MediaTabName
  readonly text: string
  readonly ask: 'cache' | 'server'
}

type MediaPeopleParts = Requests & Pick<Core, 'cache' | 'cacheWorker' | 'log' | 'me' | 'ports'>

/** Senders of the items in a media tab: of all cached messages, and of the server's messages by members. */
async function mediaPeople(core: MediaPeopleParts, input: PeopleInput): Promise<readonly UserId[]> {
  let found = await cachedAuthors(core, input, [])
  if (input.ask === 'cache' || !isAskable(input.tab)) return found
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const open = candidates(core, input).filter((userId) => !found.includes(userId))
    if (open.length === 0 || !(await askAbout(core, input, open))) break
    const more = await cachedAuthors(core, input, found)
    if (more.length === found.length) break
    found = more
  }
  return found
}

/** The contract can filter attachments by type, but not links and polls. */
const isAskable = (tab: MediaTabName): boolean => tab === 'media' || tab === 'files'

/** Senders besides the known ones: after each page their messages are excluded from the next. */
async function cachedAuthors(
  core: MediaPeopleParts,
  input: PeopleInput,
  known: readonly UserId[],
): Promise<readonly UserId[]> {
  const found = new Set(known)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const request = requestOf(core, { ...input, text: '', limit: MEDIA_PAGE })
    const others = [...found].map((userId) => authorIs(userId, true))
    const { keys } = await findCached(core, { ...request, query: { ...request.query, filters: others } })
    const before = found.size
    const rows = messages.byIds(
      core.cache.reader,
      keys.map(({ id }) => id),
    )
    for (const { userId, type } of rows) if (type !== 'deleted') found.add(userId)
    if (keys.length < MEDIA_PAGE || found.size === before) break
  }
  return [...found]
}

/** Members with a name that contains the text. */
function candidates(core: Pick<Core, 'cache'>, { cid, text }: PeopleInput): readonly UserId[] {
  const ids = members.of(core.cache.reader, cid).map(({ userId }) => userId)
  const wanted = fold(text.trim())
  const named =
    wanted === ''
      ? ids
      : users.byIds(core.cache.reader, ids).flatMap(({ id, name }) => (fold(name).includes(wanted) ? [id] : []))
  return named.slice(0, USERS_PER_REQUEST)
}

async function askAbout(core: MediaPeopleParts, input: PeopleInput, people: readonly UserId[]): Promise<boolean> {
  const request = requestOf(core, { ...input, text: '', limit: MEDIA_PAGE })
  const narrowed = { ...request, query: { ...request.query, filters: people.map((userId) => authorIs(userId)) } }
  const answer = await findCached(core, { ...narrowed, limit: 1 })
  return (await askServer(core, { typed: '', request: narrowed, answer })) !== undefined
}
