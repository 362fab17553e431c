import { asUserId } from '#shared/lib/brand.ts'
import { logger, type Logger } from '#main/lib/logger.ts'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { newestOf, versionOf } from '#main/lib/sqlite/migrate.ts'
import { prepare, type FileProblem, OUTBOX_FILE } from './database-file.ts'
import {
  openJournal,
  readJournal,
  type Journal,
  type JournalEntry,
  readLedger,
  writeLedger,
  type Ledger,
} from './journal.ts'
import type { Start, Store } from './open.ts'
import { quarantine, combine, NOTHING_FOUND, readDamaged, readSound, type Found, type Salvage } from './salvage.ts'
import { openCacheSql, createStore, type Reader, type Touched, type Tx } from '../store.ts'
import * as meta from '../meta.ts'
import * as drafts from '../outbox/drafts.ts'
import * as intents from '../outbox/intents.ts'
import * as localReads from '../outbox/local-reads.ts'
import * as notes from '../outbox/reminder-notes.ts'
import * as follows from '../outbox/thread-follows.ts'
import * as uploads from '../outbox/uploads.ts'

/** The result of inspecting the outbox before it is opened. */
type Look = {
  readonly problem: FileProblem | undefined
  /** Its content, if the file is valid but not trusted: its WAL lost commits that the journal has. */
  readonly found: Found | undefined
  /** The WAL before anything was opened: SQLite discards an unusable one. */
  readonly log: Buffer | undefined
}

/** Maximum size of a WAL that is preserved for later analysis. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024

/**
 * Inspects the outbox: pages, schema, every row by its checksum, and whether the journal has commits that the database
 * lacks.
 *
 * @param inspect checks the file, and calls `proof` if it is otherwise good
 */
export function lookAtOutbox(start: Start, inspect: (proof: (raw: Raw) => boolean) => FileProblem | undefined): Look {
  const { disk, outboxPath, journalPath, clock } = start
  const side = `${outboxPath}-wal`
  const log = disk.exists(side) && disk.size(side) <= LOG_KEPT_BYTES ? disk.read(side) : undefined
  let found: Found | undefined
  const problem = inspect((raw) => {
    // Rows of an older schema have no checksums; each is checked when it is read.
    if (versionOf(raw) < newestOf(OUTBOX_FILE.migrations)) return true
    const quiet = logger('outbox-look', () => undefined)
    const sound = readSound({ db: openCacheSql(raw, clock, quiet), viewerId: asUserId('') })
    // A file without a commit number is trusted only if the journal has none either: written by a version that counted
    // none.
    if ((sound.ledger?.commit ?? 0) >= readJournal(disk, journalPath).commit) return true
    found = sound
    return false
  })
  return { problem, found, log }
}

/**
 * Opens the outbox. A broken one is never reset: its rows and those of the journal are combined, row by row, into a new
 * file, and the old one is preserved.
 */
export function openOutbox(
  start: Start,
  installId: string,
  look: Look,
): { readonly store: Store; readonly salvage: Salvage | undefined } {
  const { disk, outboxPath, journalPath, clock } = start
  const log = logger('outbox-store', start.log)
  // A file of another install is valid too (a restored backup): it is used and only reported.
  const isUsable = look.problem === undefined || look.problem === 'other-install'
  const salvage = isUsable ? undefined : rescue(start, look, log)
  const raw = prepare(disk, outboxPath, OUTBOX_FILE, installId, clock.now(), (fresh) => {
    // In the same commit as the tables: otherwise the next start would trust a valid but empty outbox.
    if (salvage) restore(silentTx(start, fresh, log), salvage)
  })
  let journal: Journal | undefined
  let ledger: Ledger | undefined
  let next: Ledger = { commit: 0, live: 0 }
  const store = createStore({
    ...start,
    raw,
    path: outboxPath,
    log,
    refusal: start.outboxRefusal,
    beforeCommit: (tx) => void (next = writeLedger(tx, (ledger?.commit ?? 0) + 1)),
    afterCommit(touched) {
      ledger = next
      journal?.append(entriesOf(store.reader, touched), next)
    },
    onDamage: () => start.condemn('outbox.db'),
  })
  try {
    ledger = readLedger(store.reader)
    journal = openJournal(disk, journalPath, log, () => ({
      rows: readSound(store.reader).rows,
      commit: ledger?.commit ?? 0,
    }))
    journal.rewrite()
  } catch (error) {
    raw.close()
    throw error
  }
  return { store, salvage }
}

/** Combines what is readable, and moves the broken file to the quarantine. */
function rescue(start: Start, look: Look, log: Logger): Salvage {
  const { disk, outboxPath, journalPath, clock } = start
  const journal = readJournal(disk, journalPath)
  const isReadable = look.problem === 'damaged'
  const found =
    look.found ?? (isReadable ? readDamaged(disk, outboxPath, `${outboxPath}.scratch`, clock, log) : NOTHING_FOUND)
  if (look.problem !== 'missing') {
    const quarantined = quarantine(disk, outboxPath, clock.now(), { maxCopies: 10, copyAlso: journalPath })
    if (look.log) disk.write(`${quarantined}-wal`, look.log)
  }
  const salvage = combine(journal, found)
  const { recovered, missing } = salvage
  log.warn('salvaged', { problem: look.problem, recovered, missing, lines: journal.damaged })
  return salvage
}

/** A transaction without listeners. */
const silentTx = ({ viewerId, clock }: Start, raw: Raw, log: Logger): Tx => ({
  db: openCacheSql(raw, clock, log),
  viewerId,
  touch: () => undefined,
  touchWindow: () => undefined,
  write: (_row, write) => write(),
})

function restore(tx: Tx, { rows, versions, marks, commit }: Salvage): void {
  for (const row of rows.intents) intents.restore(tx, row)
  for (const row of rows.drafts) drafts.put(tx, row)
  for (const row of rows.uploads) uploads.put(tx, row)
  for (const row of rows.notes) notes.put(tx, row)
  for (const row of rows.follows) follows.put(tx, row)
  for (const row of rows.reads) localReads.put(tx, row)
  for (const row of versions) drafts.restoreVersion(tx, row)
  // Values written by this start are newer.
  for (const { key, value } of marks) if (meta.byKey(tx, key) === undefined) meta.set(tx, key, value)
  writeLedger(tx, commit + 1)
}

/** The current rows of the keys touched by a commit. */
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
    // A choice is never removed, only changed; most touched messages are not followed threads.
    ...keys('messages').flatMap((k) => {
      const row = followed.get(k)
      return row ? [{ t: 'follows' as const, k, row }] : []
    }),
    ...keys('reads').flatMap((cid) =>
      [...localReads.all(reader)].flatMap(([k, row]) => (row.cid === cid ? [{ t: 'reads' as const, k, row }] : [])),
    ),
  ]
}
