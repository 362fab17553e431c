import type { BrowsePage, ChannelCard } from '#shared/domain/channel-details.ts'
import { asCid } from '#shared/lib/brand.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import type { SortField } from '#shared/wire/pagination.ts'
import * as members from '#main/cache/channels/members.ts'
import type { Core, Requests } from '../../core.ts'
import { decodeChannel } from '../../decode/channel.ts'
import { writeChannelState } from '../../sync/write.ts'
import { requireConnection } from '../require-connection.ts'
import { CHANNEL_TYPE } from './types.ts'
import { asList, asWire } from '../../decode/read.ts'

/** Largest page, see docs/wire.md 3.2. */
const PAGE = 30

type Sort = 'activity' | 'members' | 'name'
type Input = { readonly text: string; readonly sort: Sort; readonly offset: number }

const ORDERS: Readonly<Record<Sort, readonly SortField[]>> = {
  activity: [{ field: 'last_message_at', direction: -1 }],
  members: [{ field: 'member_count', direction: -1 }],
  name: [{ field: 'name', direction: 1 }],
}

type Parts = Requests & Pick<Core, 'cache' | 'me'>

/** Channels of the workspace as the server lists them. Those that the viewer has not joined are not stored. */
export async function browse(core: Parts, { text, sort, offset }: Input): Promise<BrowsePage> {
  requireConnection(core)
  const name = text.trim() === '' ? {} : { name: { $autocomplete: text.trim() } }
  const { channels: states } = await core.api.send(queryChannels, {
    body: {
      filter_conditions: { type: CHANNEL_TYPE, ...name },
      sort: ORDERS[sort],
      state: false,
      limit: PAGE,
      offset,
      message_limit: 0,
    },
    signal: core.life,
  })
  const found = asList(states)
  return { channels: found.flatMap((state) => cardOf(core, state)), hasMore: found.length === PAGE }
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

export async function fetchHidden(core: Parts): Promise<void> {
  if (!core.isHealthy()) return
  const asOf = core.asOf()
  const { channels: states } = await core.api.send(queryChannels, {
    body: {
      filter_conditions: { members: { $in: [core.me] }, hidden: true },
      state: true,
      limit: PAGE,
      message_limit: 1,
      member_limit: PAGE,
    },
    signal: core.life,
  })
  core.write((tx) => {
    for (const state of asList(states)) writeChannelState(tx, state, { asOf }, undefined)
  })
}
