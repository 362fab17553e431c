import type { ChannelAbout } from '#shared/domain/channel-details.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as members from '#main/cache/tables/members.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { browse, fetchHidden } from './browse.ts'
import { here } from './here.ts'
import { roster } from './roster.ts'
import { countShelf, shelfPage } from './shelf.ts'
import { shelfPeople } from './shelf-people.ts'

/** What stands around a channel's words. */
export function detailCalls(core: Core): HandlersOf<'details', CallContext> {
  return {
    about: ({ cid }) => about(core, cid),
    here: ({ cid }) => here(core, cid),
    roster: (input) => roster(core, input),
    shelf: (input) => shelfPage(core, input),
    shelfPeople: (input) => shelfPeople(core, input),
    browse: (input) => browse(core, input),
    hidden: () => fetchHidden(core),
    shared: ({ userId }) => {
      const mine = new Set<Cid>(members.cidsOf(core.cache.reader, core.me))
      return members.cidsOf(core.cache.reader, userId).filter((cid) => mine.has(cid))
    },
  }
}

async function about(core: Core, cid: Cid): Promise<ChannelAbout> {
  const row = channels.byCid(core.cache.reader, cid)
  if (row === undefined) throw new AppError('server/not-found')
  const [media, files, links, polls] = await Promise.all([
    countShelf(core, cid, 'media'),
    countShelf(core, cid, 'files'),
    countShelf(core, cid, 'links'),
    countShelf(core, cid, 'polls'),
  ])
  return {
    ...(row.createdAt === undefined ? {} : { createdAt: row.createdAt }),
    ...(row.createdById === undefined ? {} : { createdBy: row.createdById }),
    shelves: { media, files, links, polls },
  }
}
