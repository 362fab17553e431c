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

/** What stands around a channel's words: who is in it, what it holds, and which other channels there are. */
export const details = {
  /** From this computer alone. Rejects with `server/not-found` when the channel is not held. */
  about: call<ChannelAbout>()(v.object({ cid })),
  /** Who has the channel open now, from the server: at most thirty. Empty without a line. Rejects as the server does. */
  here: call<readonly UserId[]>()(v.object({ cid })),
  /**
   * Members. Without `offset` those held on this computer, at once; with it the server is asked for the hundred after so
   * many (in the order they came), or for those called `text`, and the answer is all that is then held. Never rejects for
   * want of a line.
   */
  roster: call<MemberPage>()(v.object({ cid, offset: v.optional(offset), text: v.optional(shortText) })),
  /**
   * Pictures and films, files, links or polls of a channel, newest first, that have all words of `text` and are what
   * `only` says: of a person, a kind, at least so many bytes, not before a time. Ask twice for the best of both, as in
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
   * Everyone who has something in a media tab of a channel, in no order that matters. `ask: 'server'` also looks for things of
   * up to a hundred members called `text` (the first, where it is empty); of links and polls the contract has no such
   * question, and it never rejects for want of a line. Rejects with `search/unavailable`.
   */
  mediaPeople: call<readonly UserId[]>()(v.object({ cid, tab, text: v.optional(shortText, ''), ask })),
  /**
   * Channels one may see, from the server: thirty after `offset`. Those one is in are among them. Rejects with
   * `network/offline`.
   */
  browse: call<BrowsePage>()(
    v.object({
      text: v.optional(shortText, ''),
      sort: v.optional(v.picklist(['activity', 'members', 'name']), 'activity'),
      offset: v.optional(offset, 0),
    }),
  ),
  /** Makes the hidden channels known that another computer hid. Does nothing without a line. */
  hidden: call<void>()(v.undefined()),
  /** Channels that both the viewer and this person are in, as far as this computer knows. */
  shared: call<readonly Cid[]>()(v.object({ userId })),
}
