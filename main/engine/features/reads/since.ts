import type { AttachmentKind } from '#shared/domain/attachment.ts'
import {
  CATCH_UP_GROUPS,
  type CatchUpGroup,
  type CatchUpItem,
  type CatchUpPage,
  type CatchUpReason,
  type CatchUpShort,
} from '#shared/domain/unread.ts'
import type { Message } from '#shared/domain/message.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as hours from '#main/cache/messages/hours.ts'
import * as since from '#main/cache/messages/since.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as reads from '#main/cache/channels/reads.ts'
import type { RangeRow } from '#main/cache/rows.ts'
import { pendingRead, visibleMessage } from '../../changes/visible-message.ts'
import { isSilenced, readMark } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import { type Core, requireConnection, type Timelines } from '../../core.ts'
import { knownUntil } from '../../sync/ingest.ts'
import { fetchChannel, fetchNewest } from '../channels/fetch.ts'
import { unvotedPoll } from '../polls/requests.ts'

type Parts = Pick<Core, 'cache' | 'cacheWorker' | 'context' | 'isHealthy' | 'log' | 'me' | 'serverNow'>

type Question = {
  readonly since: number
  readonly unread: boolean
  readonly cid?: Cid
  readonly keywords: readonly string[]
  readonly barsFrom: number
  readonly barCount: number
}

/** Listed in each group. */
const LISTED = 50
/** Looked at for each reason, without decoding them: a bound for one call. */
const CHECKED = 2_000
const CHECKED_IN_CHANNEL = 100
const CHECKED_REPLIES = 5_000
const HITS_OF_KEYWORD = 50
const SEARCHED_KEYWORDS = 10
const TEXT_LENGTH = 300
/** People who reacted, from which a message is one of the most reacted. */
const POPULAR = 3
/** And it is in this part of its channel. */
const TOP_PART = 10
const SHOWN_OTHERS = 5
const AGREED: ReadonlySet<string> = new Set(['white_check_mark', '✅'])
const FILES: ReadonlySet<AttachmentKind> = new Set(['image', 'video', 'audio', 'file'])

export const sinceCalls = (
  core: Parts & Timelines,
): Pick<HandlersOf<'channels', CallContext>, 'catchUp' | 'loadSince'> => ({
  catchUp: (input) => catchUpPage(core, input),
  loadSince: ({ cids, since: from }) => loadSince(core, cids, from),
})

/** What matters since a time, across channels. From the cache alone; works without a connection. */
async function catchUpPage(core: Parts, question: Question): Promise<CatchUpPage> {
  const named = await withKeywords(core, question)
  return core.cache.read(() => {
    const places = listedPlaces(core, question.cid)
    const heard = [...places.values()].filter(({ muted }) => !muted).map(({ cid }) => cid)
    const { totals, bars } = countsOf(core, heard, question)
    const isHeard = hearing(core)
    const list = createList(core, question, { places, isHeard })
    for (const group of CATCH_UP_GROUPS)
      list.group(group, candidatesOf[group](core, question, { places, named, totals, isHeard }))
    return {
      items: list.items,
      cut: list.cut,
      total: [...totals.values()].reduce((sum, count) => sum + count, 0),
      bars,
      short: shortPlaces(core, places, question.since),
      asOf: core.isHealthy() ? undefined : knownUntil(core.cache.reader),
    }
  })
}

/** Hidden and archived channels matter only when they are asked for. */
type Place = { readonly cid: Cid; readonly muted: boolean; readonly direct: boolean }
type Places = ReadonlyMap<Cid, Place>

function listedPlaces({ cache: { reader }, serverNow }: Parts, only: Cid | undefined): Places {
  const now = serverNow()
  const cids = only === undefined ? channels.listedCids(reader) : [only]
  const listed = cids.filter((cid) => {
    const row = channels.byCid(reader, cid)
    if (row === undefined) return false
    return only !== undefined || (row.hidden !== true && members.own(reader, cid)?.archivedAt === undefined)
  })
  return new Map(
    listed.map((cid) => [
      cid,
      {
        cid,
        // The channel that is asked for is shown whether it is muted or not.
        muted: only === undefined && mutes.isMuted(reader, 'channel', cid, now),
        direct: isDirect(splitCid(cid).id),
      },
    ]),
  )
}

/** Whether what someone did matters: not if the viewer has muted or blocked them. */
type IsHeard = (userId: UserId) => boolean

function hearing({ context }: Parts): IsHeard {
  const known = new Map<UserId, boolean>()
  return (userId) => {
    const is = known.get(userId) ?? !isSilenced(context, userId)
    known.set(userId, is)
    return is
  }
}

type Candidate = {
  readonly found: since.FoundSince
  readonly reason: CatchUpReason
  readonly others?: readonly UserId[]
  /** Replies of others since then, in a thread. */
  readonly replies?: readonly { readonly id: MessageId; readonly at: number }[]
}
type Found = {
  readonly places: Places
  /** Messages with a keyword. */
  readonly named: readonly MessageId[]
  /** Messages of others by channel. */
  readonly totals: ReadonlyMap<Cid, number>
  readonly isHeard: IsHeard
}
type Finder = (core: Parts, question: Question, found: Found) => readonly Candidate[]

const byKind = (
  core: Parts,
  kind: Parameters<typeof since.ofKind>[1],
  question: Question,
): readonly since.FoundSince[] => since.ofKind(core.cache.reader, kind, question.since, CHECKED)

const candidatesOf: Readonly<Record<CatchUpGroup, Finder>> = {
  forYou: (core, question, { places, named, isHeard }) => {
    const mentions = byKind(core, 'naming', question).map((found) => ({ found, reason: 'mention' as const }))
    const direct = [...places.values()]
      .filter((place) => place.direct && !place.muted)
      .flatMap(({ cid }) => since.inChannel(core.cache.reader, cid, question.since, CHECKED_IN_CHANNEL))
      .map((found) => ({ found, reason: 'direct' as const }))
    const keywords = messages.byIds(core.cache.reader, named).map((row) => ({
      found: { ...row, threadId: row.showInChannel ? undefined : row.parentId, at: row.createdAt },
      reason: 'keyword' as const,
    }))
    const reacted = pages
      .newestReacted(core.cache.reader, Number.MAX_SAFE_INTEGER, LISTED * 2)
      .filter(({ at }) => at > question.since)
      .flatMap(({ id }): Candidate[] => reactionOn(core, id, question.since, isHeard))
    return [...mentions, ...direct, ...keywords, ...reacted].toSorted((a, b) => b.found.at - a.found.at)
  },
  decisions: (core, question, { places }) => {
    const pinned = [...places.values()]
      .filter(({ muted }) => !muted)
      .flatMap(({ cid }) => since.pinned(core.cache.reader, cid, question.since, LISTED))
      .map((found) => ({ found, reason: 'pinned' as const }))
    const agreed = byKind(core, 'agreed', question).map((found) => ({ found, reason: 'agreed' as const }))
    return [...pinned, ...agreed].toSorted((a, b) => b.found.at - a.found.at)
  },
  polls: (core, question) => byKind(core, 'polls', question).map((found) => ({ found, reason: 'poll' })),
  files: (core, question) => byKind(core, 'files', question).map((found) => ({ found, reason: 'files' })),
  threads: threadsSince,
  popular: (core, question, found) => mostReacted(core, byKind(core, 'popular', question), found),
}

/** Reactions that others added since then; the cached ones are the newest first. */
function reactionOn({ cache: { reader }, me }: Parts, id: MessageId, from: number, isHeard: IsHeard): Candidate[] {
  const row = messages.byId(reader, id)
  const added = (row?.latestReactions ?? []).filter(
    ({ userId, createdAt }) => userId !== me && createdAt > from && isHeard(userId),
  )
  const newest = added[0]
  if (row === undefined || newest === undefined) return []
  const threadId = row.showInChannel ? undefined : row.parentId
  const found = { id, cid: row.cid, userId: row.userId, threadId, at: newest.createdAt }
  return [{ found, reason: 'reaction', others: [...new Set(added.map(({ userId }) => userId))] }]
}

/** Threads that the viewer follows, with replies of others since then; the one with the latest reply first. */
function threadsSince(
  { cache: { reader }, me }: Parts,
  question: Question,
  { isHeard }: Pick<Found, 'isHeard'>,
): readonly Candidate[] {
  const byThread = new Map<MessageId, { id: MessageId; userId: UserId; at: number }[]>()
  for (const { id, parentId, userId, at } of since.replies(reader, question.since, CHECKED_REPLIES)) {
    if (userId === me || !isHeard(userId)) continue
    const known = byThread.get(parentId)
    if (known === undefined) byThread.set(parentId, [{ id, userId, at }])
    else known.push({ id, userId, at })
  }
  return [...byThread].slice(0, CHECKED / 4).flatMap(([parentId, replies]): Candidate[] => {
    const row = messages.byId(reader, parentId)
    const newest = replies[0]
    if (row === undefined || newest === undefined) return []
    const found = { id: parentId, cid: row.cid, userId: row.userId, threadId: parentId, at: newest.at }
    return [{ found, reason: 'thread', replies, others: [...new Set(replies.map(({ userId }) => userId))] }]
  })
}

/** The top tenth of each channel, at least one, by the number of people who reacted. */
function mostReacted(
  { cache: { reader } }: Parts,
  found: readonly since.FoundSince[],
  { totals, isHeard }: Pick<Found, 'totals' | 'isHeard'>,
): readonly Candidate[] {
  const candidates = messages
    .byIds(
      reader,
      found.slice(0, LISTED * 4).map(({ id }) => id),
    )
    .flatMap((row) => {
      const people = new Set(row.latestReactions.map(({ userId }) => userId).filter(isHeard))
      return people.size < POPULAR ? [] : [{ row, people }]
    })
    .toSorted((a, b) => b.people.size - a.people.size || b.row.createdAt - a.row.createdAt)
  const taken = new Map<Cid, number>()
  return candidates.flatMap(({ row, people }): Candidate[] => {
    const rank = (taken.get(row.cid) ?? 0) + 1
    taken.set(row.cid, rank)
    if (rank > Math.max(1, Math.ceil((totals.get(row.cid) ?? 0) / TOP_PART))) return []
    const threadId = row.showInChannel ? undefined : row.parentId
    return [
      {
        found: { id: row.id, cid: row.cid, userId: row.userId, threadId, at: row.createdAt },
        reason: 'popular',
        others: [...people],
      },
    ]
  })
}

/** Reasons that concern the viewer in a muted channel too. */
const THROUGH_MUTES: ReadonlySet<CatchUpReason> = new Set(['mention', 'keyword', 'reaction'])
/** The viewer's own messages are listed for what others did with them. */
const OF_ANYONE: ReadonlySet<CatchUpReason> = new Set(['reaction', 'pinned', 'agreed', 'thread'])

/** Takes candidates, newest first, until a group is full; a message is in the first group that it fits. */
function createList(core: Parts, question: Question, { places, isHeard }: Pick<Found, 'places' | 'isHeard'>) {
  const seen = new Set<MessageId>()
  const items: CatchUpItem[] = []
  const cut: CatchUpGroup[] = []
  const readUpTo = marksOf(core)
  const isWanted = ({ found, reason }: Candidate): boolean => {
    const place = places.get(found.cid)
    if (place === undefined || seen.has(found.id) || (place.muted && !THROUGH_MUTES.has(reason))) return false
    if (found.userId === core.me ? !OF_ANYONE.has(reason) : !isHeard(found.userId)) return false
    return !question.unread || found.at > readUpTo(found)
  }
  return {
    items,
    cut,
    group(group: CatchUpGroup, candidates: readonly Candidate[]): void {
      const listed: CatchUpItem[] = []
      for (const candidate of candidates) {
        const item = isWanted(candidate)
          ? itemOf(core, group, candidate, { readUpTo: readUpTo(candidate.found), isHeard })
          : undefined
        if (item === undefined) continue
        if (listed.length === LISTED) {
          cut.push(group)
          break
        }
        seen.add(item.messageId)
        listed.push(item)
      }
      // In the order in which it happened; the most reacted ones stay in theirs.
      items.push(...(group === 'popular' ? listed : listed.toReversed()))
    },
  }
}

/** Up to when a place is read; without a mark everything is. */
function marksOf({ context, cache: { reader } }: Parts): (found: since.FoundSince) => number {
  const known = new Map<string, number>()
  return ({ cid, threadId }) => {
    const key = threadId ?? cid
    const marked = known.get(key)
    if (marked !== undefined) return marked
    const ofThread =
      threadId && (pendingRead(context, { cid, id: threadId }) ?? reads.own(reader, cid, threadId)?.lastReadAt)
    const mark = ofThread ?? readMark(context, cid)?.lastReadAt ?? Number.MAX_SAFE_INTEGER
    known.set(key, mark)
    return mark
  }
}

const LISTED_TYPES: ReadonlySet<Message['type']> = new Set(['regular', 'reply'])

/** A message as the viewer sees it now; `undefined` if it does not fit its group after all. */
function itemOf(
  core: Parts,
  group: CatchUpGroup,
  { found, reason, others = [], replies = [] }: Candidate,
  { readUpTo, isHeard }: { readonly readUpTo: number; readonly isHeard: IsHeard },
): CatchUpItem | undefined {
  const message = visibleMessage(core.context, found.id)
  if (message === undefined || !LISTED_TYPES.has(message.type) || message.status !== 'received') return undefined
  const files = message.attachments.filter(({ kind }) => FILES.has(kind))
  const poll = reason === 'poll' ? unvotedPoll(core, found.id)?.poll : undefined
  if (reason === 'poll' && poll === undefined) return undefined
  if (reason === 'files' && files.length === 0) return undefined
  if (reason === 'thread' && message.thread?.following !== true) return undefined
  const agreed = message.reactions.find(({ type }) => AGREED.has(type))
  const agreeing = agreed?.userIds.filter(isHeard) ?? []
  if (reason === 'agreed' && !agreeing.some((id) => id !== core.me)) return undefined
  return {
    messageId: message.id,
    cid: message.cid,
    parentId: found.threadId,
    group,
    reason,
    userId: message.userId,
    others: (reason === 'pinned'
      ? [message.pinnedBy].flatMap((id) => (id !== undefined && isHeard(id) ? [id] : []))
      : reason === 'agreed'
        ? agreeing
        : others
    ).slice(0, SHOWN_OTHERS),
    text: excerpt(message.text, TEXT_LENGTH),
    at: found.at,
    unread: found.at > readUpTo,
    files,
    reactions: message.reactions
      .map(({ type, count }) => ({ type, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, SHOWN_OTHERS),
    replies: replies.length,
    firstReplyId: (replies.findLast(({ at }) => at > readUpTo) ?? replies.at(-1))?.id,
    poll: poll && { name: poll.name, votes: poll.voteCount, closesAt: poll.closesAt },
  }
}

/** Ids of messages with one of the keywords; none if the search cannot answer now. */
async function withKeywords(core: Parts, { since: from, cid, keywords }: Question): Promise<readonly MessageId[]> {
  const day = { year: 1970, month: 1, day: 1 }
  const hits = await Promise.all(
    keywords.slice(0, SEARCHED_KEYWORDS).map(async (keyword) => {
      const query = parseQuery(`"${keyword.replaceAll('"', ' ')}"`, day)
      try {
        return (await core.cacheWorker.search({ query, cid, from, limit: HITS_OF_KEYWORD })).keys
      } catch {
        core.log('search').info('keyword-unanswered')
        return []
      }
    }),
  )
  return [...new Set(hits.flat().map(({ id }) => id as MessageId))]
}

type Counts = { readonly totals: ReadonlyMap<Cid, number>; readonly bars: readonly number[] }

/** Each message is counted once: a bar is cut where the time begins that is asked for. */
function countsOf(core: Parts, cids: readonly Cid[], question: Question): Counts {
  const bars = Array.from({ length: question.barCount }, () => 0)
  const barStarts = barStartsOf(core, question)
  const from = question.since
  const parts = [
    { start: from, bar: barStarts.findLastIndex((start) => start <= from) },
    ...barStarts.map((start, bar) => ({ start, bar })),
  ].toSorted((a, b) => a.start - b.start)
  const starts = parts.map(({ start }) => start)
  const totals = new Map<Cid, number>()
  for (const { cid, part, count } of hours.counts(core.cache.reader, cids, starts)) {
    const { start, bar } = parts[part] ?? { start: from, bar: -1 }
    if (start >= from) totals.set(cid, (totals.get(cid) ?? 0) + count)
    if (bar >= 0) bars[bar] = (bars[bar] ?? 0) + count
  }
  return { totals, bars }
}

/** Those of hours or days begin at the nearest full hour, of which the messages are counted already. */
function barStartsOf({ serverNow }: Parts, { barsFrom, barCount }: Question): readonly number[] {
  const lengthMs = Math.max(1, (serverNow() - barsFrom) / barCount)
  const unit = lengthMs < hours.HOUR_MS ? 1 : hours.HOUR_MS
  return Array.from({ length: barCount }, (_none, bar) => Math.round((barsFrom + bar * lengthMs) / unit) * unit)
}

/** The range up to the channel's newest message; `undefined`: the newest messages are not cached. */
function newestRange({ cache: { reader } }: Pick<Core, 'cache'>, cid: Cid): RangeRow | undefined {
  const range = ranges.of(reader, `timeline:${cid}`).at(-1)
  const last = channels.byCid(reader, cid)?.lastMessageAt ?? 0
  return range !== undefined && range.hasNext && range.last.createdAt < last ? undefined : range
}

/** Channels with messages since then that may not all be cached. */
function shortPlaces(core: Parts, places: Places, from: number): readonly CatchUpShort[] {
  return [...places.values()].flatMap(({ cid, muted }): CatchUpShort[] => {
    const last = channels.byCid(core.cache.reader, cid)?.lastMessageAt
    if (muted || last === undefined || last <= from) return []
    const range = newestRange(core, cid)
    if (range !== undefined && (!range.hasPrev || range.first.createdAt <= from)) return []
    return [{ cid, from: range?.first.createdAt }]
  })
}

const LOADED_PAGE = 100
const LOADED_PAGES = 5

/** Loads older pages of channels until they reach back to a time. Returns those that could not be loaded. */
async function loadSince(
  core: Timelines & Pick<Core, 'cache'>,
  cids: readonly Cid[],
  from: number,
): Promise<readonly Cid[]> {
  requireConnection(core)
  const failed: Cid[] = []
  for (const cid of cids) {
    try {
      await loadChannel(core, cid, from)
    } catch {
      failed.push(cid)
    }
  }
  return failed
}

async function loadChannel(core: Timelines & Pick<Core, 'cache'>, cid: Cid, from: number): Promise<void> {
  if (newestRange(core, cid) === undefined) await fetchNewest(core, cid)
  for (let page = 0; page < LOADED_PAGES; page += 1) {
    const range = newestRange(core, cid)
    if (range === undefined || !range.hasPrev || range.first.createdAt <= from) return
    await fetchChannel(core, cid, { kind: 'older', cursor: range.first }, LOADED_PAGE)
  }
}
