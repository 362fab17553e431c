import type { Intent } from '#shared/domain/intent.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { Core } from '../core.ts'

/** How many of the newest messages are searched for one of the viewer's. */
const SEARCHED_MESSAGES = 50
/** Allowance for clock skew and latency: a request that is slightly too early costs a whole round trip. */
const MARGIN_MS = 250
const SHORTEST_MS = 1_000

/** Milliseconds left of the channel's slow mode after the viewer's newest message there. See docs/wire.md 7.11. */
export function cooldownMs(core: Pick<Core, 'cache' | 'me' | 'serverNow'>, { cid }: Intent): number | undefined {
  const reader = core.cache.reader
  const seconds = channels.byCid(reader, cid)?.cooldown ?? 0
  if (seconds === 0) return undefined
  const newest = pages.newest(reader, `timeline:${cid}`, SEARCHED_MESSAGES)
  const own = newest.findLast(({ id }) => messages.byId(reader, id)?.userId === core.me)
  const passed = own === undefined ? 0 : core.serverNow() - own.createdAt
  return Math.max(SHORTEST_MS, Math.min(seconds * 1_000, seconds * 1_000 - passed) + MARGIN_MS)
}
