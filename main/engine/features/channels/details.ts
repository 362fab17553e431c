import type { ChannelAbout, BrowsePage, ChannelCard, MemberPage } from '#shared/domain/channel-details.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { type Cid, type UserId, asCid } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel, queryChannels } from '#shared/wire/channels.ts'
import type { SortField } from '#shared/wire/endpoint.ts'
import { queryMembers } from '#shared/wire/app.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { asList, asWire } from '../../decode/read.ts'
import { writeUser, writeChannelState, writeMember } from '../../sync/write.ts'
import { decodeChannel } from '../../decode/channel.ts'
import { countMedia, mediaPage, mediaPeople } from './media.ts'
import { CHANNEL_TYPE } from './calls.ts'

type Parts = Requests & Pick<Core, 'cache' | 'context' | 'log' | 'me' | 'ports' | 'search'>

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
