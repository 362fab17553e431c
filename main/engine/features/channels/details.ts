import type { ChannelAbout } from '#shared/domain/channel-details.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import type { CallContext } from '../../context.ts'
import type { Core, Requests } from '../../core.ts'
import { browse, fetchHidden } from './browse.ts'
import { memberPage } from './member-page.ts'
import { countMedia, mediaPage } from './media.ts'
import { mediaPeople } from './media-people.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel } from '#shared/wire/channels.ts'
import { asList } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'

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
