import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type Logger, type LogSink } from '#main/lib/logger.ts'
import { inspect, openRaw, peekInstallId, prepare, putMeta, readMeta, type FileKind } from './database-file.ts'
import { nodeDisk, type Disk } from './disk.ts'
import { openJournal, readJournal, type Journal, type JournalEntry, type OutboxRows } from './journal.ts'
import { headOf } from './migrate.ts'
import { initial as cacheInitial } from './migrations/cache/0010-initial.ts'
import { search as cacheSearch } from './migrations/cache/0020-search.ts'
import { reminders } from './migrations/cache/0030-reminders.ts'
import { repliesByChannel } from './migrations/cache/0040-replies-by-channel.ts'
import { revisions } from './migrations/cache/0050-revisions.ts'
import { reactionsByAuthor } from './migrations/cache/0070-reactions-by-author.ts'
import { pollsFound } from './migrations/cache/0060-polls-found.ts'
import { emoji } from './migrations/cache/0080-emoji.ts'
import { tracks } from './migrations/cache/0090-tracks.ts'
import { threadTitles } from './migrations/cache/0045-thread-titles.ts'
import { initial as outboxInitial } from './migrations/outbox/0010-initial.ts'
import { reminderNotes } from './migrations/outbox/0020-reminder-notes.ts'
import { threadFollows } from './migrations/outbox/0030-thread-follows.ts'
import { draftHistory } from './migrations/outbox/0040-draft-history.ts'
import { keptReads as withKeptReads } from './migrations/outbox/0050-kept-reads.ts'
import { refusedMarks } from './migrations/outbox/0060-refused-marks.ts'
import { expireQuarantine, quarantine } from './quarantine.ts'
import { combine, NOTHING_FOUND, readDamaged, type Salvage } from './salvage.ts'
import { asDiskError, codeOf } from '#main/lib/disk-error.ts'
import { openSql } from './sql.ts'
import { makeStore } from './store.ts'
import * as history from './tables/draft-history.ts'
import * as drafts from './tables/drafts.ts'
import * as intents from './tables/intents.ts'
import * as notes from './tables/reminder-notes.ts'
import * as keptReads from './tables/kept-reads.ts'
import * as follows from './tables/thread-follows.ts'
import * as uploads from './tables/uploads.ts'
import type { Reader, Touched, Tx } from './tx.ts'

/** One database of an account. Everything is synchronous. */
export type Store = {
  /** For reading outside a transaction. */
  readonly reader: Reader
  /** Runs `work` in one transaction; inside another one of the same store it joins that. Throwing rolls back. */
  transaction<T>(work: (tx: Tx) => T): T
  /**
   * Runs several reads over one state of the data, which also spares each of them taking the file's locks (measured: a
   * quarter of the time of 200 unread counts). Must not write.
   */
  read<T>(work: (reader: Reader) => T): T
  readonly path: string
}

/** `newer`: of a newer version that this one may put aside, because the server has all of it; `future`: not to be touched. */
export type FileProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'other-install' | 'newer' | 'future'

export type StoreReport = {
  /** To be kept in settings, and given back at the next start. */
  readonly installId: string
  /** The cache is new or was thrown away: fetch everything again. */
  readonly rebuildNeeded: boolean
  readonly uncleanExit: boolean
  readonly cache: { readonly state: 'ok' | 'created' | 'rebuilt'; readonly problem?: FileProblem }
  readonly outbox: {
    readonly state: 'ok' | 'created' | 'salvaged'
    readonly problem?: FileProblem
    /** Rows brought back, and rows known to have existed that could not be. */
    readonly recovered: number
    readonly missing: number
  }
}

export type Stores = {
  readonly cache: Store
  readonly outbox: Store
  readonly report: StoreReport
  /**
   * Moves what was written into the databases and empties their logs: deleted words leave the disk. False when another
   * connection is reading just now: then a part of a log is left, and the caller tries again later.
   */
  checkpoint(): boolean
  /** Checkpoints, clears the unclean marker, closes. Nothing may be called afterwards. */
  close(): void
}

export type StoreOptions = {
  /** `DATA/accounts/<hash>`. */
  readonly folder: string
  readonly viewerId: UserId
  /** See `Reader`. */
  readonly isGuest?: boolean | undefined
  /** From settings; absent at the first start of this account. */
  readonly installId?: string
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Ids
  readonly log: LogSink
  readonly disk?: Disk
  /** Called once after each commit of either store that touched something. */
  readonly onCommit?: (touched: Touched) => void
}

export const CACHE_FILE: FileKind = {
  name: 'cache.db',
  applicationId: 0x50_52_4c_43,
  migrations: [
    cacheInitial,
    cacheSearch,
    reminders,
    repliesByChannel,
    threadTitles,
    revisions,
    pollsFound,
    reactionsByAuthor,
    emoji,
    tracks,
  ],
  onlyAdds: false,
  synchronous: 1,
  secureDelete: true,
  hasReaders: true,
}

export const OUTBOX_FILE: FileKind = {
  name: 'outbox.db',
  applicationId: 0x50_52_4c_4f,
  migrations: [outboxInitial, reminderNotes, threadFollows, draftHistory, withKeptReads, refusedMarks],
  onlyAdds: true,
  synchronous: 2,
  secureDelete: false,
  hasReaders: false,
}

/** How long an ordinary statement waits, and a checkpoint. */
const BUSY_MS = 5_000
const CHECKPOINT_WAIT_MS = 20
const WEEK_MS = 7 * 24 * 3_600_000

type Raw = ReturnType<typeof openRaw>

type Start = StoreOptions & {
  readonly disk: Disk
  readonly logger: Logger
  readonly outboxPath: string
  readonly cachePath: string
  readonly journalPath: string
  readonly markerPath: string
  readonly wasUnclean: boolean
}

/**
 * The start sequence for an account's data: outbox first, cache second, marker last. The cache may be thrown away and
 * made anew; the outbox is salvaged, never reset. Source: reliability paper 3.3.
 *
 * @throws AppError `store/from-the-future` (written by a newer version; nothing is changed), `store/locked`,
 *   `store/unwritable`, `store/damaged`, `disk/full`, `disk/failing`
 */
export function openStores(options: StoreOptions): Stores {
  try {
    return open(begin(options))
  } catch (error) {
    throw asDiskError(error, options.folder)
  }
}

function open(start: Start): Stores {
  const installId = start.installId ?? peekInstallId(start.disk, start.outboxPath) ?? start.ids.uuid()
  const outboxProblem = look(start, OUTBOX_FILE, start.outboxPath, true)
  const cacheProblem = look(start, CACHE_FILE, start.cachePath, start.wasUnclean)

  const outbox = openOutbox(start, installId, outboxProblem)
  const cache = orClose([outbox.store], () => openCache(start, installId, cacheProblem))
  orClose([outbox.store, cache], () => {
    expireQuarantine(start.disk, start.folder, start.clock.now())
    start.disk.write(start.markerPath, '')
  })
  const report: StoreReport = {
    installId,
    rebuildNeeded: cacheProblem !== undefined,
    uncleanExit: start.wasUnclean,
    cache: describeCache(start, cacheProblem),
    outbox: describeOutbox(start, outboxProblem, outbox.salvage),
  }
  start.logger.info('open', { cache: report.cache.state, outbox: report.outbox.state, unclean: start.wasUnclean })
  return { cache, outbox: outbox.store, report, ...endings(start, [cache, outbox.store]) }
}

/** A start that fails halfway keeps no file locked: it may be tried again in this process. */
function orClose<T>(stores: readonly Store[], work: () => T): T {
  try {
    return work()
  } catch (error) {
    for (const { reader } of stores) reader.db.raw.close()
    throw error
  }
}

function begin(options: StoreOptions): Start {
  const disk = options.disk ?? nodeDisk
  disk.folder(options.folder)
  const at = (name: string) => join(options.folder, name)
  return {
    ...options,
    disk,
    logger: logger('store', options.log),
    outboxPath: at(OUTBOX_FILE.name),
    cachePath: at(CACHE_FILE.name),
    journalPath: at('outbox.journal'),
    markerPath: at('open.marker'),
    wasUnclean: disk.exists(at('open.marker')),
  }
}

/** Nothing of a newer version is ever touched: this runs for both files before either is changed. */
function look(start: Start, kind: FileKind, path: string, always: boolean): FileProblem | undefined {
  const { disk, installId, clock } = start
  const deep = (raw: Raw) => always || clock.now() - Number(readMeta(raw, 'checked-at') ?? 0) > WEEK_MS
  const problem = inspect(disk, path, kind, { installId, deep })
  if (problem !== 'future') return problem
  throw new AppError('store/from-the-future', { params: { file: kind.name, supported: headOf(kind.migrations) } })
}

function openCache(start: Start, installId: string, problem: FileProblem | undefined): Store {
  const { disk, cachePath, clock } = start
  if (problem !== undefined && problem !== 'missing') quarantine(disk, cachePath, clock.now(), { keep: 2 })
  const raw = prepare(disk, cachePath, CACHE_FILE, installId, clock.now())
  const store = makeStore({ ...start, raw, path: cachePath, log: logger('cache', start.log) })
  orClose([store], () => putMeta(raw, 'checked-at', String(clock.now())))
  return store
}

function openOutbox(
  start: Start,
  installId: string,
  problem: FileProblem | undefined,
): { readonly store: Store; readonly salvage: Salvage | undefined } {
  const { disk, outboxPath, journalPath, clock } = start
  const log = logger('outbox-store', start.log)
  // A file of another install is ours all the same (a restored backup): it is kept and used, only reported.
  const isUsable = problem === undefined || problem === 'other-install'
  const salvage = isUsable ? undefined : rescue(start, problem, log)
  const raw = prepare(disk, outboxPath, OUTBOX_FILE, installId, clock.now(), (fresh) => {
    // In the same commit as the tables: an empty outbox in good order would be believed by the next start.
    if (salvage) restore(unheard(start, fresh, log), salvage)
  })
  let journal: Journal | undefined
  const afterCommit = (touched: Touched) => journal?.append(entriesOf(store.reader, touched), countRows(store.reader))
  const store = makeStore({ ...start, raw, path: outboxPath, log, afterCommit })
  journal = openJournal(disk, journalPath, log, () => allRows(store.reader))
  orClose([store], () => journal?.rewrite(allRows(store.reader)))
  return { store, salvage }
}

/** Reads what is left, and moves the broken file aside for good. */
function rescue(start: Start, problem: FileProblem, log: Logger): Salvage {
  const { disk, outboxPath, journalPath, clock } = start
  const journal = readJournal(disk, journalPath)
  const isReadable = problem === 'damaged'
  const found = isReadable ? readDamaged(disk, outboxPath, `${outboxPath}.scratch`, clock, log) : NOTHING_FOUND
  if (problem !== 'missing') quarantine(disk, outboxPath, clock.now(), { keep: 10, copyAlso: journalPath })
  return combine(journal, found)
}

/** For writing before anybody listens. */
const unheard = ({ viewerId, clock }: Start, raw: Raw, log: Logger): Tx => ({
  db: openSql(raw, clock, log),
  viewerId,
  touch: () => undefined,
  touchWindow: () => undefined,
})

function restore(tx: Tx, { rows, versions }: Salvage): void {
  for (const row of rows.intents) intents.restore(tx, row)
  for (const row of rows.drafts) drafts.put(tx, row)
  for (const row of rows.uploads) uploads.put(tx, row)
  for (const row of rows.notes) notes.put(tx, row)
  for (const row of rows.follows) follows.put(tx, row)
  for (const row of rows.reads) keptReads.put(tx, row)
  for (const row of versions) history.restore(tx, row)
}

const allRows = (reader: Reader): OutboxRows => ({
  intents: intents.all(reader),
  drafts: drafts.all(reader),
  uploads: uploads.all(reader),
  notes: notes.all(reader),
  follows: [...follows.all(reader).values()],
  reads: [...keptReads.all(reader).values()],
})

const countRows = (reader: Reader): number =>
  reader.db.get<{ n: number }>(
    `SELECT (SELECT count(*) FROM intents) + (SELECT count(*) FROM drafts) + (SELECT count(*) FROM uploads) +
       (SELECT count(*) FROM reminder_notes) + (SELECT count(*) FROM thread_follows) +
       (SELECT count(*) FROM kept_reads) AS n`,
  )?.n ?? 0

/** The rows a commit touched, as they stand now. */
function entriesOf(reader: Reader, touched: Touched): readonly JournalEntry[] {
  const keys = (entity: 'outbox' | 'drafts' | 'uploads' | 'reminders' | 'messages' | 'reads') => [
    ...(touched.entities.get(entity) ?? []),
  ]
  const followed = follows.all(reader)
  return [
    ...keys('outbox').map((k) => ({ t: 'intents' as const, k, row: intents.byId(reader, k) })),
    ...keys('drafts').map((k) => ({ t: 'drafts' as const, k, row: drafts.byKey(reader, k) })),
    ...keys('uploads').map((k) => ({ t: 'uploads' as const, k, row: uploads.byId(reader, k) })),
    ...keys('reminders').map((k) => ({ t: 'notes' as const, k, row: notes.byId(reader, k) })),
    // A choice is never taken away, only changed; most messages that are touched here are no followed threads.
    ...keys('messages').flatMap((k) => {
      const row = followed.get(k)
      return row ? [{ t: 'follows' as const, k, row }] : []
    }),
    ...keys('reads').flatMap((cid) =>
      [...keptReads.all(reader)].flatMap(([k, row]) => (row.cid === cid ? [{ t: 'reads' as const, k, row }] : [])),
    ),
  ]
}

/** No file and no memory of one: the first start. Anything else that is not right is worth a word to the user. */
const isFirstStart = (options: StoreOptions, problem: FileProblem | undefined): boolean =>
  options.installId === undefined && (problem === 'missing' || problem === 'empty')

function describeCache(options: StoreOptions, problem: FileProblem | undefined): StoreReport['cache'] {
  if (problem === undefined) return { state: 'ok' }
  return isFirstStart(options, problem) ? { state: 'created' } : { state: 'rebuilt', problem }
}

function describeOutbox(
  options: StoreOptions,
  problem: FileProblem | undefined,
  salvage: Salvage | undefined,
): StoreReport['outbox'] {
  const counts = { recovered: salvage?.recovered ?? 0, missing: salvage?.missing ?? 0 }
  if (problem === undefined) return { state: 'ok', ...counts }
  if (problem === 'other-install') return { state: 'ok', problem, ...counts }
  const isNew = isFirstStart(options, problem) && counts.recovered + counts.missing === 0
  return isNew ? { state: 'created', ...counts } : { state: 'salvaged', problem, ...counts }
}

function endings(start: Start, stores: readonly Store[]): Pick<Stores, 'checkpoint' | 'close'> {
  const checkpoint = () => stores.map((store) => emptyLog(store)).every((isEmpty) => isEmpty)
  return {
    checkpoint,
    close() {
      let isClean = true
      try {
        checkpoint()
      } catch (error) {
        // The marker stays: what the logs hold is looked at with the next start.
        isClean = false
        start.logger.warn('unclean-end', { error: codeOf(error) })
      }
      for (const store of stores) store.reader.db.raw.close()
      if (isClean) start.disk.remove(start.markerPath)
    },
  }
}

/** Waits for readers a moment only: nothing on a screen may wait for this. */
function emptyLog({ reader: { db } }: Store): boolean {
  db.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`)
  try {
    // The first of the three numbers it answers: whether somebody held it up.
    return db.pragma('wal_checkpoint(TRUNCATE)') === 0
  } finally {
    db.pragma(`busy_timeout = ${BUSY_MS}`)
  }
}
