import * as v from 'valibot'
import { pinnedMessages } from '#shared/wire/channels.ts'
import { encodeMessages } from './load-messages.ts'
import { route, type Route } from '../http/router.ts'
import { openChannel } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { findPinned, pinnedPage, type PinnedPage } from './pins.ts'

/** The keys may be in `payload` or flat in the query. */
const query = v.looseObject({ ...pinnedPage, payload: v.optional(v.looseObject(pinnedPage)) })

export const pinRoutes: readonly Route[] = [
  route(pinnedMessages, { query }, ({ params, query: input, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const page: PinnedPage = input.payload ?? input
    const view = { cid: access.channel.cid, viewer: who.userId, floor: access.floor, now: work.now }
    const rows = findPinned(work.db, view, page)
    return { messages: encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people }) }
  }),
]
