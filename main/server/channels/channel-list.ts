import * as v from 'valibot'
import { queryChannels } from '#shared/wire/channels.ts'
import { CHANNEL_LIST_LIMIT, MESSAGE_PAGE } from '#shared/constants.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, object, sort, whole } from '../http/shapes.ts'
import { findChannels } from './find-channels.ts'
import { accessTo } from './access.ts'
import { mayQueryChannels } from './channel-filters.ts'
import type { MessagePage } from './message-pages.ts'
import { channelsWithinTeams } from '../admin/teams.ts'
import { channelState, startWatching, watchingConnection } from './channel-state.ts'

const MAX_CHANNELS = 30
const DEFAULT_MEMBERS = 100

const listBody = v.object({
  filter_conditions: object,
  sort,
  state: flag,
  watch: flag,
  presence: flag,
  limit: whole(1_000),
  offset: whole(1_000),
  message_limit: whole(300),
  member_limit: whole(100),
  predefined_filter: idText(),
})

const NEWEST_PAGE = {} as MessagePage

export const channelListRoutes: readonly Route[] = [
  route(queryChannels, { body: listBody }, ({ body, who, connectionId }, work) => {
    if (body.predefined_filter !== undefined) {
      refuse('doesNotExist', `predefined filter ${body.predefined_filter} does not exist`)
    }
    const connection = body.watch || body.presence ? watchingConnection(work, who, connectionId) : undefined
    const filter = body.filter_conditions ?? {}
    const rows = findChannels(work.db, who, {
      filter: channelsWithinTeams(work.db, who, filter),
      sort: body.sort ?? [],
      limit: Math.min(body.limit ?? CHANNEL_LIST_LIMIT, MAX_CHANNELS),
      offset: body.offset ?? 0,
    })
    mayQueryChannels(work.db, who, filter)
    const request = {
      state: body.state ?? true,
      messages: NEWEST_PAGE,
      messageLimit: body.message_limit ?? MESSAGE_PAGE,
      memberLimit: body.member_limit ?? DEFAULT_MEMBERS,
    }
    if (connection && body.watch) for (const row of rows) startWatching(work, connection, row.cid)
    const channels = rows.map((row) => channelState(work, accessTo(work.db, row, who), who, request))
    if (connection && body.presence) {
      const ids = channels.flatMap((each) => (each.members ?? []).flatMap((member) => member.user_id ?? []))
      work.hub.subscribePresence(connection, ids)
    }
    return { channels }
  }),
]
