import { asCid, type Cid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { SYNC_CIDS, SYNC_MAX_AGE_MS } from '#shared/constants.ts'
import { sync } from '#shared/wire/app.ts'
import { pause } from '#main/lib/clock.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as meta from '#main/cache/tables/meta.ts'
import * as removal from '#main/cache/tables/removal.ts'
import { ApiError } from '../api/errors.ts'
import type { Core } from '../core.ts'
import { asList, idOf } from '../decode/read.ts'
import { fetchMessage, fetchNewest, fetchReplies, fillGaps } from '../features/channels/fetch.ts'
import { isDiskTrouble } from '../sick-disk.ts'
import { heardUntil, readCursor } from './cursor.ts'
import { ingest } from './ingest.ts'
import { fetchList, fetchThese } from './list.ts'

/** Events of a synchronisation applied in one transaction. */
const SYNC_BATCH = 500

/**
 * After each time the connection became healthy, in this order (architecture, section 4a):
 *
 * 1. what is on screen: the open channels and threads;
 * 2. the channel list with its newest messages, all channels in steps of 30: from then on everything is watched;
 * 3. what happened to everything held since the last unbroken word from the server (`/sync`), or a rebuild when that is
 *    too long ago. After the watching began, so that no event falls between the two;
 * 4. holes in what is on screen.
 *
 * The outbox is drained by the caller afterwards. `isCurrent` says whether this connection still lives: what comes later
 * belongs to the next recovery. Rejects when the disk refuses what came. Source: wire contract 7.4 and 7.21, reliability promises R10, R15, R16.
 */
export async function recover(core: Core, isCurrent: () => boolean): Promise<void> {
  const log = core.log('recover')
  const since = readCursor(core.cache.reader)
  const known = channels.all(core.cache.reader).map((row) => row.cid)
  core.collector.setLoading('channels', known.length === 0 ? 'initial' : 'newer')
  const isTooOld = since !== undefined && core.serverNow() - since > SYNC_MAX_AGE_MS
  if (isTooOld) forgetHistory(core, known)
  await step(core, 'visible', () => refreshOpen(core))
  if (!isCurrent()) return
  const error = await step(core, 'list', () => refreshList(core, known, isCurrent))
  if (!isCurrent()) return
  const until = meta.newestServerTime(core.cache.reader)
  const missed =
    since === undefined || isTooOld ? undefined : await step(core, 'sync', () => catchUp(core, known, since, isCurrent))
  if (!isCurrent()) return
  if (error === undefined && missed === undefined) {
    core.write((tx) => heardUntil(tx, until))
    core.line.caughtUp = true
  }
  core.collector.setLoading('channels', 'none', known.length === 0 ? error : undefined)
  if (error !== undefined)
    core.notify({ code: 'channels/load-failed', type: 'api:channels:query:failed', severity: 'error' })
  await step(core, 'gaps', () => closeGaps(core))
  log.info('recovered', { channels: core.watched.size })
}

/** Runs a step that must not stop the others; answers the code of what went wrong. */
async function step(core: Core, name: string, work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    // What the disk refuses is not made good by the next step: all of it is done again.
    if (isDiskTrouble(error)) throw error
    const code = error instanceof AppError ? error.code : 'app/internal'
    core.log('recover').warn('step', { name, code })
    return code
  }
}

async function refreshOpen(core: Core): Promise<void> {
  const lists = core.collector.openLists()
  await Promise.all([
    ...[...new Set(lists.map((view) => view.cid))].map((cid) => refreshTimeline(core, cid)),
    ...lists.flatMap(({ cid, parentId }) => (parentId === undefined ? [] : [refreshThread(core, cid, parentId)])),
  ])
}

/** The newest page of an open channel, with the thin line of loading while it is asked for. */
export async function refreshTimeline(core: Core, cid: Cid): Promise<void> {
  const key = `timeline:${cid}` as const
  const isHeld = channels.byCid(core.cache.reader, cid) !== undefined
  core.collector.setLoading(key, isHeld ? 'newer' : 'initial')
  try {
    await fetchNewest(core, cid)
    core.collector.setLoading(key, 'none')
  } catch (error) {
    core.collector.setLoading(key, 'none', isHeld || !(error instanceof AppError) ? undefined : error.code)
    // The server knows no such channel (any more): neither does the list. Reliability paper 3.1, row "404".
    if (error instanceof ApiError && error.class === 'gone') forget(core, [cid])
    throw error
  }
}

export async function refreshThread(core: Core, cid: Cid, parentId: Parameters<typeof fetchMessage>[2]): Promise<void> {
  const key = `thread:${parentId}` as const
  core.collector.setLoading(key, 'initial')
  try {
    await fetchMessage(core, cid, parentId)
    await fetchReplies(core, { cid, parentId }, { kind: 'newest' })
  } finally {
    core.collector.setLoading(key, 'none')
  }
}

/** What happened meanwhile, by the server's log. */
async function catchUp(core: Core, cids: readonly Cid[], since: number, isCurrent: () => boolean): Promise<void> {
  for (let at = 0; at < cids.length && isCurrent(); at += SYNC_CIDS) {
    const asked = cids.slice(at, at + SYNC_CIDS)
    const reply = await askSync(core, asked, since)
    if (!reply) {
      await rebuild(core, asked)
      continue
    }
    const events = asList(reply.events) as typeof reply.events
    for (let done = 0; done < events.length && isCurrent(); done += SYNC_BATCH) {
      ingest(core, { events: events.slice(done, done + SYNC_BATCH), live: false })
      // Hours of events come at once: calls of the window are answered in between.
      await pause(core.ports.clock, 0, core.life)
    }
    forget(
      core,
      asList(reply.inaccessible_cids).flatMap((cid) => asCid(idOf(cid) ?? '') || []),
    )
  }
}

/** Answers nothing when the server cannot tell (too much, too long ago): asking again would not help. */
async function askSync(core: Core, cids: readonly Cid[], since: number) {
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

/** These channels as the server has them now, in the place of a history with unknown holes. Reliability promise R16. */
async function rebuild(core: Core, cids: readonly Cid[]): Promise<void> {
  forgetHistory(core, cids)
  await fetchThese(core, cids)
  await refreshOpen(core)
}

/** Away for too long: the history is fetched anew. The outbox is another file and stays as it is. Source: reliability promise R16. */
function forgetHistory(core: Core, cids: readonly Cid[]): void {
  core.write((tx) => cids.forEach((cid) => removal.truncate(tx, cid)))
  core.log('recover').info('rebuild', { channels: cids.length })
}

/** The list, and then a word about every held channel that was not in it: gone, or only too far down. */
async function refreshList(core: Core, known: readonly Cid[], isCurrent: () => boolean): Promise<void> {
  const listed = await fetchList(core)
  const missing = known.filter((cid) => !listed.has(cid) && channels.byCid(core.cache.reader, cid))
  if (missing.length === 0 || !isCurrent()) return
  const shown = await fetchThese(core, missing)
  const gone = missing.filter((cid) => !shown.has(cid))
  forget(core, gone)
}

/** Channels that are not the viewer's any more. */
function forget(core: Core, cids: readonly Cid[]): void {
  if (cids.length === 0) return
  core.write((tx) => cids.forEach((cid) => channels.remove(tx, cid)))
  core.housekeeping.erased()
}

async function closeGaps(core: Core): Promise<void> {
  for (const view of core.collector.openLists()) {
    const floor = view.from ?? view.seen
    if (view.to !== undefined || floor === undefined) continue
    const { cid, parentId } = view
    await fillGaps(core, { cid, ...(parentId === undefined ? {} : { parentId }), scope: view.key }, floor)
  }
}
