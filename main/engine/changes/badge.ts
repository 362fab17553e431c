import type { Cid } from '#shared/lib/brand.ts'
import { isDirect, splitCid } from '#shared/rules/channels/channels.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import type { Badge } from '../context.ts'
import type { ReadContext } from './memory.ts'
import { readState } from './visible.ts'

export type BadgeCounter = {
  /** Unread over all channels that are not muted. */
  read(): Badge
  /** Marks channels to be counted again. */
  touched(cids: Iterable<string>): void
}

const NOTHING: Badge = { unread: 0, mentions: 0 }

/**
 * The badge is read after every commit, and one message must not make the engine count or even iterate over all channels:
 * a channel is counted by query when it was touched, and the sum changes by the difference.
 */
export function createBadgeCounter(context: ReadContext): BadgeCounter {
  /** Unread count of each listed channel, muted ones included. */
  const counted = new Map<Cid, Badge>()
  let stale: Set<Cid> | undefined
  let sum = NOTHING

  function countOf(cid: Cid): Badge {
    if (!channels.isListed(context.cache, cid)) return NOTHING
    const { unread, unreadMentions } = readState(context, cid)
    return { unread, mentions: isDirect(splitCid(cid).id) ? unread : unreadMentions }
  }

  function recount(cid: Cid): void {
    const before = counted.get(cid) ?? NOTHING
    const now = countOf(cid)
    if (now.unread + now.mentions === 0) counted.delete(cid)
    else counted.set(cid, now)
    sum = plus(minus(sum, before), now)
  }

  return {
    read() {
      for (const cid of stale ?? channels.listedCids(context.cache)) recount(cid)
      stale = new Set()
      // Mutes expire by the clock, so they are checked each time; there are few.
      const muted = mutes.mutedTargets(context.cache, 'channel', context.now())
      return muted.reduce((left, cid) => minus(left, counted.get(cid as Cid) ?? NOTHING), sum)
    },
    touched(cids) {
      for (const cid of cids) stale?.add(cid as Cid)
    },
  }
}

const plus = (a: Badge, b: Badge): Badge => ({ unread: a.unread + b.unread, mentions: a.mentions + b.mentions })
const minus = (a: Badge, b: Badge): Badge => ({ unread: a.unread - b.unread, mentions: a.mentions - b.mentions })
