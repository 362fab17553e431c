import { asCid, type Cid } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { sync } from '#shared/wire/app.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import type { Core, LiveEvents } from '../core.ts'
import { asList, idOf } from '../decode/read.ts'
import { ingest } from './ingest.ts'

/**
 * Number of synchronized events applied in one transaction. Calls of the window wait for it, so it has to be short: with
 * reading the response and updating the window, one turn of the event loop stays below 50 ms.
 */
const BATCH = { first: 100, least: 50, most: 500, ms: 25 } as const
/** Fewest channels per request: if these have too many events for one response, fetching their state is cheaper. */
const FEWEST = 8

type Missed = {
  /** Channels whose events the server cannot list: too many, or too long ago. */
  readonly unavailable: readonly Cid[]
  /** Channels that the viewer can no longer read. */
  readonly lost: readonly Cid[]
}

type Parts = LiveEvents & Pick<Core, 'api' | 'life' | 'ports'>

/**
 * Fetches the events of these channels since then from the server's log and applies them. The server refuses a response
 * with too many events: then fewer channels are requested at once. That also keeps responses small, and with them the
 * time that parsing one blocks the loop. See docs/wire.md 8.19.
 */
export async function fetchMissed(
  core: Parts,
  cids: readonly Cid[],
  since: number,
  isCurrent: () => boolean,
): Promise<Missed> {
  const unavailable: Cid[] = []
  const lost: Cid[] = []
  let most = cids.length
  for (let at = 0; at < cids.length && isCurrent();) {
    const requested = cids.slice(at, at + most)
    const reply = await ask(core, requested, since)
    if (!reply && requested.length > FEWEST) {
      most = Math.max(FEWEST, Math.ceil(requested.length / 2))
      continue
    }
    at += requested.length
    if (!reply) unavailable.push(...requested)
    else {
      await applyAll(core, asList(reply.events) as typeof reply.events, isCurrent)
      lost.push(...asList(reply.inaccessible_cids).flatMap((cid) => asCid(idOf(cid) ?? '') || []))
    }
  }
  return { unavailable, lost }
}

async function applyAll(
  core: Parts,
  events: Parameters<typeof ingest>[1]['events'],
  isCurrent: () => boolean,
): Promise<void> {
  const { clock } = core.ports
  let size: number = BATCH.first
  for (let done = 0; done < events.length;) {
    // Hours of events arrive at once: calls of the window are handled between batches, and before the first.
    await pause(clock, 0, core.life)
    if (!isCurrent()) return
    const beganAt = clock.monotonic()
    const batch = events.slice(done, done + size)
    ingest(core, { events: batch, live: false })
    done += batch.length
    size = nextBatch(batch.length, clock.monotonic() - beganAt)
  }
}

/** Size of the next batch, given how long the last one took: devices and events differ. At most twice as many. */
export function nextBatch(size: number, tookMs: number): number {
  const fitting = tookMs * 2 <= BATCH.ms ? size * 2 : Math.floor((size * BATCH.ms) / tookMs)
  return Math.min(BATCH.most, Math.max(BATCH.least, fitting))
}

/** Returns `undefined` if the server cannot list the events: repeating the request would not help. */
async function ask(core: Pick<Core, 'api' | 'life'>, cids: readonly Cid[], since: number) {
  try {
    return await core.api.send(sync, {
      query: {},
      body: { channel_cids: cids, last_sync_at: formatTime(since), with_inaccessible_cids: true },
      signal: core.life,
    })
  } catch (error) {
    if (error instanceof ApiError && error.class === 'invalid') return undefined
    throw error
  }
}
