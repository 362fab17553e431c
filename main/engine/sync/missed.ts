import { asCid, type Cid } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { sync } from '#shared/wire/app.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import type { Core } from '../core.ts'
import { asList, idOf } from '../decode/read.ts'
import { ingest } from './ingest.ts'

/**
 * Events of a synchronisation applied in one transaction. Calls of the window wait that long, so it is a moment of work
 * and no more: with the reading of the answer and what the window is told, a turn of the loop stays below 50 ms.
 */
const BATCH = { first: 100, least: 50, most: 500, ms: 25 } as const
/** No fewer channels are asked for at once: when these are too much for one answer, their state is less than their story. */
const FEWEST = 8

type Missed = {
  /** Channels of which the server cannot tell what happened: too much, or too long ago. */
  readonly untold: readonly Cid[]
  /** Channels that are not the viewer's any more. */
  readonly lost: readonly Cid[]
}

/**
 * What happened in these channels since then, by the server's log, applied as it comes. An answer holds a limited number
 * of events and is refused beyond: then fewer channels are asked for at once. That keeps answers small, too, which is
 * what the time depends on that reading one takes. See docs/wire.md 8.19.
 */
export async function hearMissed(
  core: Core,
  cids: readonly Cid[],
  since: number,
  isCurrent: () => boolean,
): Promise<Missed> {
  const untold: Cid[] = []
  const lost: Cid[] = []
  let most = cids.length
  for (let at = 0; at < cids.length && isCurrent();) {
    const asked = cids.slice(at, at + most)
    const reply = await ask(core, asked, since)
    if (!reply && asked.length > FEWEST) {
      most = Math.max(FEWEST, Math.ceil(asked.length / 2))
      continue
    }
    at += asked.length
    if (!reply) untold.push(...asked)
    else {
      await applyAll(core, asList(reply.events) as typeof reply.events, isCurrent)
      lost.push(...asList(reply.inaccessible_cids).flatMap((cid) => asCid(idOf(cid) ?? '') || []))
    }
  }
  return { untold, lost }
}

async function applyAll(
  core: Core,
  events: Parameters<typeof ingest>[1]['events'],
  isCurrent: () => boolean,
): Promise<void> {
  const { clock } = core.ports
  let size: number = BATCH.first
  for (let done = 0; done < events.length;) {
    // Hours of events come at once: calls of the window are answered in between, and before the first.
    await pause(clock, 0, core.life)
    if (!isCurrent()) return
    const beganAt = clock.monotonic()
    const batch = events.slice(done, done + size)
    ingest(core, { events: batch, live: false })
    done += batch.length
    size = nextBatch(batch.length, clock.monotonic() - beganAt)
  }
}

/** How many events come next, when so many took that long: computers and events differ. At most twice as many. */
export function nextBatch(size: number, tookMs: number): number {
  const fitting = tookMs * 2 <= BATCH.ms ? size * 2 : Math.floor((size * BATCH.ms) / tookMs)
  return Math.min(BATCH.most, Math.max(BATCH.least, fitting))
}

/** Answers nothing when the server cannot tell: asking the same again would not help. */
async function ask(core: Core, cids: readonly Cid[], since: number) {
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
