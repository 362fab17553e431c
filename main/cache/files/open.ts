import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type Logger, type LogSink } from '#main/lib/logger.ts'
import {
  inspect,
  peekInstallId,
  prepare,
  putMeta,
  readMeta,
  type FileKind,
  type FileProblem,
  type Inspection,
  CACHE_FILE,
  CLEARED_FILE,
  OUTBOX_FILE,
} from './database-file.ts'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { copyFiles, refusalOf, canOpenInPlace, type Copies, diskInMemory } from './copies.ts'
import { nodeDisk, type Disk } from '#main/lib/sqlite/disk.ts'
import { newestOf } from '#main/lib/sqlite/migrate.ts'
import { lookAtOutbox, openOutbox } from './open-outbox.ts'
import { expireQuarantine, quarantine, type Salvage } from './salvage.ts'
import { asDiskError, codeOf, isDamage, isDiskTrouble, isReadable } from '#main/lib/disk-error.ts'
import { createStore, type Reader, type Touched, type Tx } from '../store.ts'

/** One database of an account. Everything is synchronous. */
export type Store = {
  /** For reading outside a transaction. */
  readonly reader: Reader
  /** No other connection can open its file. */
  readonly isAlone: boolean
  /** Runs `work` in one transaction; inside another one of the same store it joins that. Throwing rolls back. */
  transaction<T>(work: (tx: Tx) => T): T
  /**
   * Runs several reads on one snapshot, which also saves the file locks of each read (measured: a quarter of the time
   * of 200 unread counts). Must not write.
   */
  read<T>(work: (reader: Reader) => T): T
  /** Size of the log of changes, of which some may be in the database already. Asks the disk. */
  logBytes(): number
  readonly path: string
}

type StoreReport = {
  /** To be stored in the settings, and passed at the next start. */
  readonly installId: string
  /** The cache is new or was discarded: everything must be loaded again. */
  readonly rebuildNeeded: boolean
  readonly uncleanExit: boolean
  readonly cache: { readonly state: 'ok' | 'created' | 'rebuilt'; readonly problem?: FileProblem }
  readonly outbox: {
    readonly state: 'ok' | 'created' | 'salvaged'
    readonly problem?: FileProblem
    /** Restored rows, and rows known to have existed that could not be restored. */
    readonly recovered: number
    readonly missing: number
  }
}

export type Stores = {
  readonly cache: Store
  readonly outbox: Store
  readonly report: StoreReport
  /**
   * Moves the WALs into the databases and truncates them, so that deleted text is erased from disk. False if another
   * connection is reading: then a part of a WAL is left, and the caller retries later.
   */
  checkpoint(): boolean
  /**
   * Only if the account's folder is not writable: these are temporary copies. They are readable; changes of the outbox
   * are refused, and changes of the cache are discarded with them. `canMoveBack` is true once the account can be opened
   * in place.
   */
  readonly copied?: { readonly reason: string; readonly canMoveBack: () => boolean }
  /** Checkpoints, clears the unclean marker, closes. Must be the last call. */
  close(): void
}

export type StoreOptions = {
  /** `DATA/accounts/<hash>`. */
  readonly folder: string
  readonly viewerId: UserId
  /** See `Reader`. */
  readonly isGuest?: boolean
  readonly serverNow?: () => number
  /** From settings; absent at the first start of this account. */
  readonly installId?: string
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Ids
  readonly log: LogSink
  readonly disk?: Disk
  /** Called once after each commit of either store that touched something. */
  readonly onCommit?: (touched: Touched) => void
  /**
   * A file turned out to be damaged during use. Called once, by whatever detected it. It is also recorded on disk: when
   * the stores are opened again, the cache is created again and the outbox salvaged.
   */
  readonly onDamage?: (file: FileKind['name']) => void
}

/** How long an ordinary statement waits, and a checkpoint. */
const BUSY_MS = 5_000
const CHECKPOINT_WAIT_MS = 20
const WEEK_MS = 7 * 24 * 3_600_000

/** The context of opening an account, shared by both databases. */
export type Start = StoreOptions & {
  readonly disk: Disk
  readonly logger: Logger
  readonly outboxPath: string
  readonly cachePath: string
  readonly journalPath: string
  readonly markerPath: string
  readonly wasUnclean: boolean
  /** Files in which damage was detected since they were last opened. */
  readonly condemned: string
  /** Records that a file is damaged. */
  readonly condemn: (file: FileKind['name']) => void
  /** See `StoreParts`: for the outbox. */
  readonly outboxRefusal: AppError | undefined
}

/**
 * Opens an account's data: outbox first, cache second, marker last. The cache may be discarded and created again; the
 * outbox is salvaged, never reset. If the folder is not writable, copies are opened.
 *
 * @throws AppError `store/from-the-future` (written by a newer version; nothing is changed), `store/locked`,
 * `store/unwritable`, `store/damaged`, `disk/full`, `disk/read-only`, `disk/failing`
 */
export function openStores(options: StoreOptions): Stores {
  try {
    return open(begin(options))
  } catch (thrown) {
    const error = asDiskError(thrown, options.folder)
    const disk = options.disk ?? nodeDisk
    const refusal = isDiskTrouble(error) ? (refusalOf(disk, options.folder) ?? error) : undefined
    // An account that does not exist yet cannot be read.
    if (!isReadable(refusal) || !disk.exists(join(options.folder, OUTBOX_FILE.name))) throw error
    return openCopies(options, refusal)
  }
}

function openCopies(options: StoreOptions, refusal: AppError): Stores {
  const disk = options.disk ?? nodeDisk
  const copied = { reason: refusal.code, canMoveBack: () => canOpenInPlace(disk, options.folder) }
  if (refusal.code === 'disk/full') {
    const stores = open(begin({ ...options, disk: diskInMemory(disk, options.folder) }, refusal))
    logger('store', options.log).warn('reading-only', { code: refusal.code })
    return { ...stores, copied }
  }
  try {
    const copies = copyFiles(disk, options.folder)
    const stores = orRemove(copies, () => open(begin({ ...options, folder: copies.folder }, refusal)))
    logger('store', options.log).warn('reading-only', { code: refusal.code })
    return {
      ...stores,
      copied,
      close() {
        stores.close()
        copies.remove()
      },
    }
  } catch (thrown) {
    const error = asDiskError(thrown, options.folder)
    // No space for copies either: the original error is more useful.
    throw isReadable(error) ? refusal : error
  }
}

function orRemove<T>(copies: Copies, work: () => T): T {
  try {
    return work()
  } catch (error) {
    copies.remove()
    throw error
  }
}

function open(start: Start): Stores {
  const installId = start.installId ?? peekInstallId(start.disk, start.outboxPath) ?? start.ids.uuid()
  const seen = lookAtOutbox(start, (proof) => look(start, OUTBOX_FILE, start.outboxPath, { deep: () => true, proof }))
  let isDeep = start.wasUnclean
  const isDue = (raw: Raw): boolean => start.clock.now() - Number(readMeta(raw, 'checked-at') ?? 0) > WEEK_MS
  const cacheProblem = look(start, CACHE_FILE, start.cachePath, { deep: (raw) => (isDeep ||= isDue(raw)) })

  const clearedPath = join(start.folder, CLEARED_FILE)
  const wasCleared = start.disk.exists(clearedPath)
  const outbox = openOutbox(start, installId, seen)
  const cache = orClose([outbox.store], () => openCache(start, installId, cacheProblem, isDeep))
  const mark = marker(start)
  orClose([outbox.store, cache.store], () => {
    mark()
    ifRoom(start, () => {
      expireQuarantine(start.disk, start.folder, start.clock.now())
      start.disk.remove(clearedPath)
    })
  })
  const report: StoreReport = {
    installId,
    rebuildNeeded: cache.problem !== undefined,
    uncleanExit: start.wasUnclean,
    cache: describeCache(start, cache.problem, wasCleared),
    outbox: describeOutbox(start, seen.problem, outbox.salvage),
  }
  start.logger.info('open', { cache: report.cache.state, outbox: report.outbox.state, unclean: start.wasUnclean })
  return { cache: cache.store, outbox: outbox.store, report, ...endings(start, [cache.store, outbox.store], mark) }
}

/** A failed start leaves no file locked: it can be retried in this process. */
function orClose<T>(stores: readonly Store[], work: () => T): T {
  try {
    return work()
  } catch (error) {
    for (const { reader } of stores) reader.db.raw.close()
    throw error
  }
}

function begin(options: StoreOptions, refusal?: AppError): Start {
  const disk = options.disk ?? nodeDisk
  disk.folder(options.folder)
  const at = (name: string) => join(options.folder, name)
  const markerPath = at('open.marker')
  const wasUnclean = disk.exists(markerPath)
  const log = logger('store', options.log)
  return {
    ...options,
    outboxRefusal: refusal,
    disk,
    logger: log,
    outboxPath: at(OUTBOX_FILE.name),
    cachePath: at(CACHE_FILE.name),
    journalPath: at('outbox.journal'),
    markerPath,
    wasUnclean,
    condemned: wasUnclean ? disk.read(markerPath).toString('utf8') : '',
    condemn: condemnIn(disk, markerPath, log, options.onDamage),
  }
}

/** Damage is recorded in the marker as soon as it is detected: not every kind would be found by checking the file. */
function condemnIn(disk: Disk, markerPath: string, log: Logger, onDamage: StoreOptions['onDamage']): Start['condemn'] {
  const known = new Set<FileKind['name']>()
  return (file) => {
    if (known.has(file)) return
    known.add(file)
    log.error('damaged', { file })
    try {
      disk.write(markerPath, [...known].join(' '))
    } catch (error) {
      // It is detected again after the next start, if not by its checks.
      log.warn('unmarked', { error: codeOf(error) })
    }
    onDamage?.(file)
  }
}

/** Files of a newer version are never touched: this runs for both files before either is changed. */
function look(
  { disk, installId, condemned }: Start,
  kind: FileKind,
  path: string,
  how: Pick<Inspection, 'deep' | 'proof'>,
): FileProblem | undefined {
  const problem = inspect(disk, path, kind, { installId, ...how })
  if (problem === undefined && condemned.includes(kind.name)) return 'damaged'
  if (problem !== 'future') return problem
  throw new AppError('store/from-the-future', { params: { file: kind.name, supported: newestOf(kind.migrations) } })
}

/** Records that the files are open. A full disk may have no space for it; then it is retried at the next checkpoint. */
function marker(start: Start): () => void {
  let isMarked = false
  return () => {
    if (isMarked) return
    ifRoom(start, () => {
      start.disk.write(start.markerPath, '')
      isMarked = true
    })
  }
}

/** Skips `work` on a full disk. */
function ifRoom({ folder, logger: log }: Start, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    const error = asDiskError(thrown, folder)
    if (!(error instanceof AppError) || error.code !== 'disk/full') throw error
    log.warn('left-undone', { code: error.code })
  }
}

type OpenedCache = { readonly store: Store; readonly problem: FileProblem | undefined }

/** A page that only the first write reads may turn out damaged here: then it is handled like any damaged cache. */
function openCache(
  start: Start,
  installId: string,
  problem: FileProblem | undefined,
  wasChecked: boolean,
): OpenedCache {
  const { disk, cachePath, clock } = start
  if (problem !== undefined && problem !== 'missing') quarantine(disk, cachePath, clock.now(), { maxCopies: 2 })
  try {
    const raw = prepare(disk, cachePath, CACHE_FILE, installId, clock.now(), (fresh) => {
      if (wasChecked || problem !== undefined) putMeta(fresh, 'checked-at', String(clock.now()))
    })
    const onDamage = (): void => start.condemn('cache.db')
    return {
      store: createStore({ ...start, raw, path: cachePath, log: logger('cache', start.log), onDamage }),
      problem,
    }
  } catch (error) {
    if (problem !== undefined || !isDamage(error)) throw error
    return openCache(start, installId, 'damaged', wasChecked)
  }
}

/** No file and no install id: the first start. Any other missing or invalid file is reported to the user. */
const isFirstStart = (options: StoreOptions, problem: FileProblem | undefined): boolean =>
  options.installId === undefined && (problem === 'missing' || problem === 'empty')

function describeCache(
  options: StoreOptions,
  problem: FileProblem | undefined,
  wasCleared: boolean,
): StoreReport['cache'] {
  if (problem === undefined) return { state: 'ok' }
  const isExpected = isFirstStart(options, problem) || (problem === 'missing' && wasCleared)
  return isExpected ? { state: 'created' } : { state: 'rebuilt', problem }
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

function endings(start: Start, stores: readonly Store[], mark: () => void): Pick<Stores, 'checkpoint' | 'close'> {
  const checkpoint = () => {
    mark()
    return stores.map((store) => emptyLog(store)).every((isEmpty) => isEmpty)
  }
  return {
    checkpoint,
    close() {
      let isClean = true
      try {
        checkpoint()
      } catch (error) {
        // The marker remains: the next start checks the WALs.
        isClean = false
        start.logger.warn('unclean-end', { error: codeOf(error) })
      }
      for (const store of stores) store.reader.db.raw.close()
      if (isClean && start.disk.exists(start.markerPath) && start.disk.size(start.markerPath) === 0)
        start.disk.remove(start.markerPath)
    },
  }
}

/** Waits only briefly for readers: the user interface must not wait for this. */
function emptyLog({ reader: { db } }: Store): boolean {
  db.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`)
  try {
    // The first of its three result values: whether it was blocked.
    return db.pragma('wal_checkpoint(TRUNCATE)') === 0
  } finally {
    db.pragma(`busy_timeout = ${BUSY_MS}`)
  }
}
