import type { Cid } from '#shared/lib/brand.ts'
import { INITIAL_MESSAGE_PAGE } from '#shared/constants.ts'
import { rangeAt } from '#shared/rules/messages/message-ranges.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import { pause } from '#main/lib/clock.ts'
import type { Core, Timelines } from '../core.ts'
import { fetchNewest } from '../features/channels/fetch.ts'

/** Channels fetched ahead on each connection: with those of the list at most 40 requests in the first 30 s. */
const CHANNELS = 12
/** Pause before each: storing a page takes main some 20 ms, and what the user does comes in between. */
const EVERY_MS = 150

type Parts = Timelines & Pick<Core, 'cache' | 'ports'>

/**
 * The list brings a few messages of each channel. This fetches what is shown when a channel is opened, of those with the
 * newest messages, before anyone opens them: then they open from the disk, and are there without a connection. Rejects
 * with the first error: what nobody waits for is not retried.
 */
export async function fetchAhead(core: Parts, isCurrent: () => boolean): Promise<void> {
  for (const cid of channels.listedCids(core.cache.reader).slice(0, CHANNELS)) {
    if (!isShort(core, cid)) continue
    await pause(core.ports.clock, EVERY_MS, core.life)
    if (!isCurrent()) return
    if (isShort(core, cid)) await fetchNewest(core, cid)
  }
}

/** Older messages exist than the cached ones, and these do not fill what is shown first. */
function isShort({ cache: { reader } }: Pick<Core, 'cache'>, cid: Cid): boolean {
  const scope = `timeline:${cid}` as const
  const known = ranges.of(reader, scope)
  const latest = ranges.latest(reader, scope)
  if (latest?.hasPrev !== true) return false
  const cached = pages.newest(reader, scope, INITIAL_MESSAGE_PAGE).filter((key) => rangeAt(known, key) === latest)
  return cached.length < INITIAL_MESSAGE_PAGE
}
