import type { Cid } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as mutes from '#main/cache/tables/mutes.ts'
import type { Badge } from '../context.ts'
import type { Sight } from './sight.ts'
import { readState } from './visible.ts'

export type BadgeCounter = {
  /** Unread over all channels that are not muted. Source: product paper 4.3 "Badge sum". */
  read(): Badge
  /** These channels look different now. */
  touched(cids: Iterable<string>): void
}

/**
 * The badge is asked for after every commit, and one message must not make all channels of an account be counted anew:
 * each is counted by query when it was touched, and the counts are added up.
 */
export function createBadgeCounter(sight: Sight): BadgeCounter {
  const counted = new Map<Cid, Badge>()
  function countOf(cid: Cid): Badge {
    const known = counted.get(cid)
    if (known) return known
    const { unread, unreadMentions } = readState(sight, cid)
    const count = { unread, mentions: isDirect(splitCid(cid).id) ? unread : unreadMentions }
    counted.set(cid, count)
    return count
  }
  return {
    read() {
      const now = sight.now()
      let unread = 0
      let mentions = 0
      for (const cid of channels.listedCids(sight.cache)) {
        if (mutes.isMuted(sight.cache, 'channel', cid, now)) continue
        const count = countOf(cid)
        unread += count.unread
        mentions += count.mentions
      }
      return { unread, mentions }
    },
    touched(cids) {
      for (const cid of cids) counted.delete(cid as Cid)
    },
  }
}
