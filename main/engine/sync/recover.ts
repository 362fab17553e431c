import { type Cid, type MessageId, asCid } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { RECOVERY_PAGE, SYNC_CIDS, SYNC_MAX_AGE_MS, INITIAL_MESSAGE_PAGE } from '#shared/constants.ts'
import { rangeAt } from '#shared/rules/messages/message-ranges.ts'
import { comparePlaced } from '#shared/domain/message.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { sync } from '#shared/wire/app.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as meta from '#main/cache/meta.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as reads from '#main/cache/channels/reads.ts'
import * as removal from '#main/cache/messages/removal.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../api/errors.ts'
import type { Core, LiveEvents, Recovery, Timelines } from '../core.ts'
import { fetchMessage, fetchNewest, fetchReplies, fillGaps } from '../features/channels/fetch.ts'
import type { Begun } from './errands.ts'
import { fetchFirst, fetchThese, walkList, type Listed } from './list.ts'
import { announce, type Arrived, ingest, readCursor } from './ingest.ts'
import { asList, asWire, idOf, timeIn } from '../decode/read.ts'

/** Channels synchronized before the rest of a long list is walked. */
const FIRST_SYNCED = 2 * SYNC_CIDS

type Parts = Recovery & LiveEvents & Pick<Core, 'background' | 'ports'>

/**
 * Runs each time the connection has become healthy, in this order:
 *
 * 1. what is on screen: the open channels and threads;
 * 2. the channel list with its newest messages, in steps of 30: from then on those are watched;
 * 3. the events since the connection was last caught up, for everything cached (`/sync`), or a rebuild if that is too long
 *    ago. After watching began, so that no event falls between the two;
 * 4. gaps in what is on screen.
 *
 * Each step is a separate task: one that fails is retried alone until it succeeds or the connection ends, and steps that
 * need it wait for it. This resolves once everything was tried, so that the caller can send the outbox. A list longer than
 * the first pages is walked slowly beside everything else: only then is everything watched and synchronized, and the
 * cursor may move. `isCurrent` says whether this connection still exists: later work belongs to the next recovery. Rejects
 * if the disk refuses a write.
 */
export async function recover(core: Parts, isCurrent: () => boolean): Promise<void> {
  const since = readCursor(core.cache.reader)
  const known = channels.all(core.cache.reader).map((row) => row.cid)
  const isTooOld = since !== undefined && core.serverNow() - since > SYNC_MAX_AGE_MS
  // Servers keep no event log for guests.
  const mustRebuild = isTooOld || core.cache.reader.isGuest === true
  const task: Task = { core, isCurrent, known, since: mustRebuild ? undefined : since }
  if (mustRebuild) forgetHistory(core, known)

  core.collector.setLoading('channels', known.length === 0 ? 'initial' : 'newer')
  const open = refreshOpen(core)
  await allTried(open)
  if (!isCurrent()) return
  await list(task)
  if (!isCurrent()) return
  const gaps = (): Begun =>
    core.errands.begin({ key: 'gaps', part: 'messages', isFresh: true, work: () => closeGaps(core) })
  await gaps().tried
  // Open lists that finish later may have other gaps: check again then.
  void Promise.all(open.map(({ done }) => done)).then(() => isCurrent() && gaps())
  core.log('recover').info('recovered', { channels: core.watched.size, missing: core.memory.stillLoading.join(' ') })
}

/** One recovery. */
type Task = {
  readonly core: Parts
  readonly isCurrent: () => boolean
  /** Channels cached when it began. */
  readonly known: readonly Cid[]
  /** Time to synchronize from. Absent if there is none. */
  readonly since: number | undefined
}

const allTried = async (begun: readonly Begun[]): Promise<void> =>
  void (await Promise.all(begun.map(({ tried }) => tried)))

/** Runs `next` once the task succeeded. */
async function whenDone({ isCurrent }: Task, done: Promise<boolean>, next: () => Promise<void>): Promise<void> {
  if ((await done) && isCurrent()) await next()
}

/** Fetches the list and everything that depends on it; resolves once all of it was tried. */
async function list(task: Task): Promise<void> {
  const { core, isCurrent, known } = task
  let listed: Listed | undefined
  const { tried, done } = core.errands.begin({
    key: 'list',
    part: 'channels',
    work: async () => {
      listed = await fetchFirst(core)
      core.collector.setLoading('channels', 'none')
    },
  })
  const error = await tried
  if (!isCurrent()) return
  if (listed) return afterList(task, listed)
  // Cached channels are shown as they are: the error is shown only where nothing is cached.
  const isBare = known.length === 0
  const code = error instanceof AppError ? error.code : 'app/internal'
  core.collector.setLoading('channels', 'none', isBare ? code : undefined)
  if (isBare) core.notify({ code: 'channels/load-failed', type: 'api:channels:query:failed', severity: 'error' })
  void whenDone(task, done, async () => {
    if (listed) await afterList(task, listed)
  })
  // The server's log may still be available. Watching begins only with the list, so it is synchronized again after
  // that.
  await beginCatchUp(task, known).tried
}

async function afterList(task: Task, { cids, complete }: Listed): Promise<void> {
  if (complete) return finish(task, cids, task.known)
  const first = beginCatchUp(task, firstSynced(task, cids))
  void first.done.then((isDone) => isDone && task.isCurrent() && walk(task))
  await first.tried
}

/**
 * All channels are listed, and thereby watched: cached channels that were not listed are checked, and everything
 * `unsynced` is synchronized. Then nothing is missing, and what will be opened next is fetched. Resolves once both were
 * tried.
 */
async function finish(task: Task, listed: ReadonlySet<Cid>, unsynced: readonly Cid[]): Promise<void> {
  const { core, isCurrent } = task
  const missing = core.errands.begin({
    key: 'missing',
    part: 'channels',
    isFresh: true,
    work: () => refreshMissing(task, listed),
  })
  const errors = [await missing.tried]
  if (!isCurrent()) return
  const until = meta.newestServerTime(core.cache.reader)
  const events = beginCatchUp(task, unsynced)
  const caughtUp = async (): Promise<void> => {
    core.write((tx) => meta.hear(tx, until))
    core.syncState.caughtUp = true
    core.syncState.walkedTo = undefined
  }
  const both = whenDone(task, missing.done, () =>
    whenDone(task, events.done, async () => {
      await core.errands.begin({ key: 'cursor', part: 'messages', work: caughtUp }).tried
      core.background('ahead', () => fetchAhead(core, isCurrent))
    }),
  )
  errors.push(await events.tried)
  // If all steps succeeded at once, the cursor moves before the outbox is sent.
  if (errors.every((error) => error === undefined)) await both
}

/** Fetches the events of these channels from the server's log; a retry continues after the channels that succeeded. */
function beginCatchUp({ core, since, isCurrent }: Task, cids: readonly Cid[]): Begun {
  let at = 0
  const work = async (): Promise<void> => {
    if (since === undefined) return
    const request = { since, most: SYNC_CIDS, batch: BATCH.first }
    for (; at < cids.length && isCurrent(); at += SYNC_CIDS) {
      const { unavailable, lost } = await fetchMissed(core, cids.slice(at, at + SYNC_CIDS), request, isCurrent)
      if (unavailable.length > 0) await rebuild(core, unavailable)
      forget(core, lost)
    }
  }
  return core.errands.begin({ key: 'sync', part: 'messages', isFresh: true, work })
}

/**
 * Cached channels that are synchronized before their page of the list is reached: the listed ones, and those that count as
 * unread, because they make up the badge and may have been read elsewhere.
 */
function firstSynced({ core, known }: Task, listed: ReadonlySet<Cid>): Cid[] {
  const isUnread = (cid: Cid): boolean =>
    (reads.own(core.cache.reader, cid)?.lastReadAt ?? Infinity) <
    (channels.byCid(core.cache.reader, cid)?.lastMessageAt ?? 0)
  const others = known.filter((cid) => !listed.has(cid) && isUnread(cid))
  return [...known.filter((cid) => listed.has(cid)), ...others].slice(0, FIRST_SYNCED)
}

/** The rest of a long list, one page at a time; cached channels are synchronized once they are watched. */
function walk(task: Task): void {
  const { core, isCurrent, known } = task
  const held = new Set(known)
  const listed = new Set<Cid>()
  const unsynced = new Set<Cid>()
  const syncDue = async (): Promise<void> => {
    const due = [...unsynced].slice(0, SYNC_CIDS)
    if (task.since !== undefined && due.length > 0) {
      const request = { since: task.since, most: due.length, batch: BATCH.first }
      const { unavailable, lost } = await fetchMissed(core, due, request, isCurrent)
      if (unavailable.length > 0) await rebuild(core, unavailable)
      forget(core, lost)
    }
    for (const cid of due) unsynced.delete(cid)
  }
  const work = async (): Promise<void> => {
    for await (const { cids, at } of walkList(core, core.syncState.walkedTo, isCurrent)) {
      for (const cid of cids) {
        if (held.has(cid) && !listed.has(cid)) unsynced.add(cid)
        listed.add(cid)
        core.delivery.note(cid)
      }
      core.syncState.walkedTo = at
      if (unsynced.size + RECOVERY_PAGE > SYNC_CIDS) await syncDue()
    }
  }
  const { done } = core.errands.begin({ key: 'walk', part: 'channels', isLong: true, work })
  void whenDone(task, done, async () => {
    core.log('recover').info('walked', { channels: listed.size })
    const missing = known.filter((cid) => !listed.has(cid))
    await finish(task, listed, [...unsynced, ...missing])
  })
}

/** Refreshes each list on a screen. */
function refreshOpen(core: Recovery): readonly Begun[] {
  const lists = core.collector.openLists()
  return [
    ...[...new Set(lists.map((view) => view.cid))].map((cid) => refreshTimeline(core, cid)),
    ...lists.flatMap(({ cid, parentId }) => (parentId === undefined ? [] : [refreshThread(core, cid, parentId)])),
  ]
}

/** Fetches the newest page of a channel until it succeeds, showing the loading indicator meanwhile. */
export function refreshTimeline(core: Recovery, cid: Cid): Begun {
  const key = `timeline:${cid}` as const
  return core.errands.begin({ key, part: 'messages', work: (isFirst) => fetchTimeline(core, cid, isFirst) })
}

/** A list that could not be loaded keeps its error while it is retried. */
async function fetchTimeline(core: Recovery, cid: Cid, isFirst: boolean): Promise<void> {
  const key = `timeline:${cid}` as const
  const isAnswered = ranges.of(core.cache.reader, key).length > 0
  if (isFirst || isAnswered) core.collector.setLoading(key, isAnswered ? 'newer' : 'initial')
  try {
    await fetchNewest(core, cid)
    core.collector.setLoading(key, 'none')
  } catch (error) {
    core.collector.setLoading(key, 'none', isAnswered || !(error instanceof AppError) ? undefined : error.code)
    // The server has no such channel (anymore).
    if (error instanceof ApiError && error.class === 'gone' && error.wireCode !== undefined) forget(core, [cid])
    throw error
  }
}

export function refreshThread(core: Recovery, cid: Cid, parentId: MessageId): Begun {
  const key = `thread:${parentId}` as const
  const work = async (isFirst: boolean): Promise<void> => {
    if (isFirst) core.collector.setLoading(key, 'initial')
    try {
      await fetchMessage(core, cid, parentId)
      await fetchReplies(core, { cid, parentId }, { kind: 'newest' })
      core.collector.setLoading(key, 'none')
    } catch (error) {
      const isHeld = pages.newest(core.cache.reader, key, 1).length > 0
      core.collector.setLoading(key, 'none', isHeld || !(error instanceof AppError) ? undefined : error.code)
      throw error
    }
  }
  return core.errands.begin({ key, part: 'messages', work })
}

/** Replaces history with unknown gaps by the channels as the server has them now. */
async function rebuild(core: Parts, cids: readonly Cid[]): Promise<void> {
  forgetHistory(core, cids)
  await fetchThese(core, cids)
  refreshOpen(core)
}

/** The gap is too long: the history is fetched again. The outbox is another file and is not affected. */
function forgetHistory(core: Pick<Core, 'log' | 'write'>, cids: readonly Cid[]): void {
  core.write((tx) => {
    for (const cid of cids) {
      removal.truncate(tx, cid)
      ranges.clear(tx, `timeline:${cid}`)
    }
  })
  core.log('recover').info('rebuild', { channels: cids.length })
}

/** Checks every cached channel that was not in the list: removed, or only too far down. */
async function refreshMissing({ core, known, isCurrent }: Task, listed: ReadonlySet<Cid>): Promise<void> {
  const missing = known.filter((cid) => !listed.has(cid) && channels.byCid(core.cache.reader, cid))
  if (missing.length === 0 || !isCurrent()) return
  const shown = await fetchThese(core, missing, isCurrent)
  const silent = missing.filter((cid) => !shown.has(cid))
  // Lists leave hidden channels out unless they are requested: those are still the viewer's.
  const hidden = isCurrent() ? await fetchThese(core, silent, isCurrent, { hidden: true }) : shown
  if (!isCurrent()) return
  forget(
    core,
    silent.filter((cid) => !hidden.has(cid)),
  )
}

/** Removes channels that the viewer can no longer read. */
function forget(core: Pick<Core, 'housekeeping' | 'write'>, cids: readonly Cid[]): void {
  if (cids.length === 0) return
  core.write((tx) => cids.forEach((cid) => channels.remove(tx, cid)))
  core.housekeeping.erased()
}

async function closeGaps(core: Recovery): Promise<void> {
  for (const view of core.collector.openLists()) {
    const floor = view.from ?? view.seen
    if (view.to !== undefined || floor === undefined) continue
    const { cid, parentId } = view
    await fillGaps(core, { cid, parentId, scope: view.key }, floor)
  }
}

/** Channels fetched ahead on each connection: with those of the list at most 40 requests in the first 30 s. */
const CHANNELS = 12
/** Pause before each: storing a page takes main some 20 ms, and what the user does comes in between. */
const EVERY_MS = 150

type AheadParts = Timelines & Pick<Core, 'cache' | 'ports'>

/**
 * The list brings a few messages of each channel. This fetches what is shown when a channel is opened, of those with the
 * newest messages, before anyone opens them: then they open from the disk, and are there without a connection. Rejects
 * with the first error: what nobody waits for is not retried.
 */
async function fetchAhead(core: AheadParts, isCurrent: () => boolean): Promise<void> {
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

/**
 * Number of synchronized events applied in one transaction. Calls of the window wait for it, so it has to be short: with
 * reading the response and updating the window, one turn of the event loop stays below 50 ms.
 */
const BATCH: Readonly<Record<'first' | 'least' | 'most' | 'ms', number>> = { first: 100, least: 50, most: 500, ms: 25 }
/** Fewest channels per request: if these have too many events for one response, fetching their state is cheaper. */
const FEWEST = 8

type Missed = {
  /** Channels whose events the server cannot list: too many, or too long ago. */
  readonly unavailable: readonly Cid[]
  /** Channels that the viewer can no longer read. */
  readonly lost: readonly Cid[]
}

type MissedParts = LiveEvents & Pick<Core, 'api' | 'life' | 'ports'>

/** What is requested at once, and how much of it is applied at once: both are found out while it goes on. */
type MissedRequest = { readonly since: number; most: number; batch: number }

/**
 * Fetches the events of these channels since then from the server's log and applies them. The server refuses a response
 * with too many events: then fewer channels are requested at once. That also keeps responses small, and with them the
 * time that parsing one blocks the loop. See docs/wire.md 8.19.
 */
async function fetchMissed(
  core: MissedParts,
  cids: readonly Cid[],
  request: MissedRequest,
  isCurrent: () => boolean,
): Promise<Missed> {
  const unavailable: Cid[] = []
  const lost: Cid[] = []
  for (let at = 0; at < cids.length && isCurrent();) {
    const requested = cids.slice(at, at + request.most)
    const answer = await ask(core, requested, request.since)
    if (!answer && requested.length > FEWEST) {
      request.most = Math.max(FEWEST, Math.ceil(requested.length / 2))
      continue
    }
    at += requested.length
    if (!answer) unavailable.push(...requested)
    else {
      await applyAll(core, { events: answer.events, request }, isCurrent)
      lost.push(...answer.lost)
    }
  }
  return { unavailable, lost }
}

type Events = Parameters<typeof ingest>[1]['events']
type Answer = { readonly events: Events[number][]; readonly request: MissedRequest }

/**
 * Missed events channel by channel, each in the order of the server: the rows of a channel lie beside each other in the
 * file, and what many of its events change is written once for all of them. An event without a time or a channel is
 * applied after all before it, and before all after it.
 */
function byChannel(events: Events): Events[number][] {
  const odd = events.findIndex((event) => channelOf(event) === undefined || timeIn(event, 'created_at') === undefined)
  const even = odd < 0 ? events : events.slice(0, odd)
  return [...Map.groupBy(even, channelOf).values(), events.slice(even.length)].flat()
}

const channelOf = (event: unknown): string | undefined => idOf(asWire(event)?.['cid'])

/**
 * Messages are announced once all events of the response are stored, in the order of their times: one that was read on
 * another device meanwhile is not. Takes the events out of their list, so that they are not kept until the last is applied.
 */
async function applyAll(core: MissedParts, answer: Answer, isCurrent: () => boolean): Promise<void> {
  const arrived: Arrived[] = []
  try {
    await applyEach(core, { ...answer, arrived }, isCurrent)
  } finally {
    core.collector.unhurried(() => announce(core, arrived.toSorted(comparePlaced)))
  }
}

async function applyEach(
  core: MissedParts,
  { events: left, request, arrived }: Answer & { readonly arrived: Arrived[] },
  isCurrent: () => boolean,
): Promise<void> {
  const { clock } = core.ports
  while (left.length > 0) {
    // Hours of events arrive at once: calls of the window are handled between batches, and before the first.
    await pause(clock, 0, core.life)
    if (!isCurrent()) return
    const beganAt = clock.monotonic()
    const events = left.splice(0, request.batch)
    core.collector.unhurried(() => void ingest(core, { events, live: false, arrived }))
    request.batch = nextBatch(events.length, clock.monotonic() - beganAt)
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
    const reply = await core.api.send(sync, {
      query: {},
      body: { channel_cids: cids, last_sync_at: formatTime(since), with_inaccessible_cids: true },
      signal: core.life,
    })
    const lost = asList(reply.inaccessible_cids).flatMap((cid) => asCid(idOf(cid) ?? '') || [])
    return { events: byChannel(asList(reply.events) as typeof reply.events), lost }
  } catch (error) {
    if (error instanceof ApiError && error.class === 'invalid') return undefined
    throw error
  }
}
