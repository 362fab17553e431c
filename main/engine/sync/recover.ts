import type { Cid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { RECOVERY_PAGE, SYNC_CIDS, SYNC_MAX_AGE_MS } from '#shared/constants.ts'
import * as channels from '#main/cache/tables/channels.ts'
import * as meta from '#main/cache/tables/meta.ts'
import * as reads from '#main/cache/tables/reads.ts'
import * as removal from '#main/cache/tables/removal.ts'
import { ApiError } from '../api/errors.ts'
import type { Core } from '../core.ts'
import { fetchMessage, fetchNewest, fetchReplies, fillGaps } from '../features/channels/fetch.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import { heardUntil, readCursor } from './cursor.ts'
import { fetchFirst, fetchThese, walkList, type Listed } from './list.ts'
import { hearMissed } from './missed.ts'

/** Channels synchronised before the rest of a long list is gone through. */
const FIRST_SYNCED = 2 * SYNC_CIDS

/** What is left to do slowly, beside everything else. */
export type Rest = () => Promise<void>

/**
 * After each time the connection became healthy, in this order (architecture, section 4a):
 *
 * 1. what is on screen: the open channels and threads;
 * 2. the channel list with its newest messages, in steps of 30: from then on those are watched;
 * 3. what happened to everything held since the last unbroken word from the server (`/sync`), or a rebuild when that is
 *    too long ago. After the watching began, so that no event falls between the two;
 * 4. holes in what is on screen.
 *
 * The outbox is drained by the caller afterwards. A list longer than what is looked at first is gone through slowly, by
 * the work that this answers: only then is everything watched and synchronised, and the cursor may move. `isCurrent` says
 * whether this connection still lives: what comes later belongs to the next recovery. Rejects when the disk refuses what
 * came. Source: wire contract 7.4 and 7.21, reliability promises R10, R15, R16, R30.
 */
export async function recover(core: Core, isCurrent: () => boolean): Promise<Rest | undefined> {
  const since = readCursor(core.cache.reader)
  const known = channels.all(core.cache.reader).map((row) => row.cid)
  core.collector.setLoading('channels', known.length === 0 ? 'initial' : 'newer')
  const isTooOld = since !== undefined && core.serverNow() - since > SYNC_MAX_AGE_MS
  // To a guest no server says what happened meanwhile.
  const isUntold = isTooOld || core.cache.reader.isGuest === true
  const task: Task = { core, isCurrent, known, since: isUntold ? undefined : since }
  if (isUntold) forgetHistory(core, known)

  await step(core, 'visible', () => refreshOpen(core))
  if (!isCurrent()) return undefined
  let listed: Listed | undefined
  const error = await step(core, 'list', async () => void (listed = await fetchFirst(core)))
  if (!isCurrent()) return undefined
  const complete = listed?.complete !== false
  let missed: string | undefined
  if (complete) {
    missed = await finish(task, error === undefined ? listed?.cids : undefined, known)
  } else {
    await step(core, 'sync', () => catchUp(task, lookedAt(task, listed?.cids ?? new Set())))
  }
  if (!isCurrent()) return undefined
  if (complete && error === undefined && missed === undefined) core.line.walkedTo = undefined
  // What is held is shown as it is: only who has nothing to look at is told. Behaviour spec, section 7.
  const isBare = known.length === 0
  core.collector.setLoading('channels', 'none', isBare ? error : undefined)
  if (error !== undefined && isBare)
    core.notify({ code: 'channels/load-failed', type: 'api:channels:query:failed', severity: 'error' })

  await step(core, 'gaps', () => closeGaps(core))
  core.log('recover').info('recovered', { channels: core.watched.size, complete })
  return complete ? undefined : () => walk(task)
}

/** One recovery. */
type Task = {
  readonly core: Core
  readonly isCurrent: () => boolean
  /** Channels held as it began. */
  readonly known: readonly Cid[]
  /** Absent when there is nothing to synchronise with. */
  readonly since: number | undefined
}

/**
 * All channels are listed, and with that watched: what is held and was not among them is looked after, and everything
 * `unsynced` is synchronised. Then nothing is missing any more. Answers the code of what went wrong.
 *
 * @param listed absent when the list failed
 */
async function finish(
  task: Task,
  listed: ReadonlySet<Cid> | undefined,
  unsynced: readonly Cid[],
): Promise<string | undefined> {
  const { core, isCurrent } = task
  const unlisted = listed && (await step(core, 'list', () => refreshMissing(task, listed)))
  if (!isCurrent()) return undefined
  const until = meta.newestServerTime(core.cache.reader)
  const missed = await step(core, 'sync', () => catchUp(task, unsynced))
  if (!isCurrent() || listed === undefined) return missed
  if (missed !== undefined || unlisted !== undefined) return missed ?? unlisted
  core.write((tx) => heardUntil(tx, until))
  core.line.caughtUp = true
  return undefined
}

/**
 * Held channels whose state is seen although their page of the list is still far away: the listed ones, and those that
 * count as unread, because they make the badge, and may have been read elsewhere.
 */
function lookedAt({ core, known }: Task, listed: ReadonlySet<Cid>): Cid[] {
  const isUnread = (cid: Cid): boolean =>
    (reads.own(core.cache.reader, cid)?.lastReadAt ?? Infinity) <
    (channels.byCid(core.cache.reader, cid)?.lastMessageAt ?? 0)
  const others = known.filter((cid) => !listed.has(cid) && isUnread(cid))
  return [...known.filter((cid) => listed.has(cid)), ...others].slice(0, FIRST_SYNCED)
}

/** The rest of a long list, a page every now and then; what was held of it is synchronised once it is watched. */
async function walk(task: Task): Promise<void> {
  const { core, isCurrent, known } = task
  const held = new Set(known)
  const listed = new Set<Cid>()
  let unsynced: Cid[] = []
  const error = await step(core, 'walk', async () => {
    for await (const { cids, at } of walkList(core, core.line.walkedTo, isCurrent)) {
      unsynced.push(...cids.filter((cid) => held.has(cid) && !listed.has(cid)))
      for (const cid of cids) {
        listed.add(cid)
        core.delivery.note(cid)
      }
      if (unsynced.length + RECOVERY_PAGE > SYNC_CIDS) {
        const due = unsynced
        unsynced = []
        await catchUp(task, due)
      }
      core.line.walkedTo = at
    }
  })
  if (!isCurrent() || error !== undefined) return
  const missing = known.filter((cid) => !listed.has(cid))
  const missed = await finish(task, listed, [...unsynced, ...missing])
  if (!isCurrent() || missed !== undefined) return
  core.line.walkedTo = undefined
  core.log('recover').info('walked', { channels: listed.size })
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
async function catchUp({ core, since, isCurrent }: Task, cids: readonly Cid[]): Promise<void> {
  if (since === undefined) return
  for (let at = 0; at < cids.length && isCurrent(); at += SYNC_CIDS) {
    const asked = cids.slice(at, at + SYNC_CIDS)
    const { untold, lost } = await hearMissed(core, asked, since, isCurrent)
    if (untold.length > 0) await rebuild(core, untold)
    forget(core, lost)
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

/** A word about every held channel that was not in the list: gone, or only too far down. */
async function refreshMissing({ core, known, isCurrent }: Task, listed: ReadonlySet<Cid>): Promise<void> {
  const missing = known.filter((cid) => !listed.has(cid) && channels.byCid(core.cache.reader, cid))
  if (missing.length === 0 || !isCurrent()) return
  const shown = await fetchThese(core, missing, isCurrent)
  const silent = missing.filter((cid) => !shown.has(cid))
  // Lists leave hidden ones out unless they are asked for: those are no less the viewer's.
  const hidden = isCurrent() ? await fetchThese(core, silent, isCurrent, { hidden: true }) : shown
  if (!isCurrent()) return
  forget(
    core,
    silent.filter((cid) => !hidden.has(cid)),
  )
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
