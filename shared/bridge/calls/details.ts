import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import type { BrowsePage, ChannelAbout, MemberPage, MediaPage } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { cid, shortText, userId } from '../schemas.ts'

const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000))
const cursor = v.object({ createdAt: v.number(), id: v.pipe(v.string(), v.maxLength(255)) })

const tab = v.picklist(['media', 'files', 'links', 'polls'])
const ask = v.optional(v.picklist(['cache', 'server']), 'cache')

const mediaFilter = v.object({
  userId: v.optional(userId),
  kind: v.optional(v.picklist(['image', 'video', 'audio', 'file'])),
  minBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  from: v.optional(v.pipe(v.number(), v.minValue(0))),
})

/** Channel details: its members, its media, and the channels one can browse. */
export const details = {
  /** From the cache only. Rejects with `server/not-found` if the channel is not cached. */
  about: call<ChannelAbout>()(v.object({ cid })),
  /**
   * Who has the channel open now, from the server: at most thirty. Empty without a connection. Rejects as the server
   * does.
   */
  here: call<readonly UserId[]>()(v.object({ cid })),
  /**
   * Members. Without `offset`, the cached ones at once; with it, the server is queried for the hundred after that
   * offset (in join order), or for those matching `text`, and the result is everyone cached afterwards. Never rejects
   * for lack of a connection.
   */
  members: call<MemberPage>()(v.object({ cid, offset: v.optional(offset), text: v.optional(shortText) })),
  /**
   * Images and videos, files, links or polls of a channel, newest first, that match all words of `text` and every given
   * filter of `only`: author, kind, minimum bytes, earliest time. Call twice for the best of both, as in
   * `search.messages`. Rejects with `search/unavailable`.
   */
  media: call<MediaPage>()(
    v.object({
      cid,
      tab,
      text: v.optional(shortText, ''),
      only: v.optional(mediaFilter, {}),
      cursor: v.optional(cursor),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 30),
      ask,
    }),
  ),
  /**
   * Everyone who has something in a media tab of a channel, unordered. `ask: 'server'` also searches for items of up to
   * a hundred members matching `text` (the first ones if it is empty); for links and polls the contract has no such
   * query, and it never rejects for lack of a connection. Rejects with `search/unavailable`.
   */
  mediaPeople: call<readonly UserId[]>()(v.object({ cid, tab, text: v.optional(shortText, ''), ask })),
  /**
   * Channels the viewer can see, from the server: thirty after `offset`, including joined ones. Rejects with
   * `network/offline`.
   */
  browse: call<BrowsePage>()(
    v.object({
      text: v.optional(shortText, ''),
      sort: v.optional(v.picklist(['activity', 'members', 'name']), 'activity'),
      offset: v.optional(offset, 0),
    }),
  ),
  /** Loads channels that were hidden on another device. Does nothing without a connection. */
  hidden: call<void>()(v.undefined()),
  /** Channels that both the viewer and this person are in, as far as they are cached. */
  shared: call<readonly Cid[]>()(v.object({ userId })),
}
