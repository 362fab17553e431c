import { composerKey } from '#shared/domain/draft.ts'
import type { Logger } from '#main/lib/logger.ts'
import { crc32 } from 'node:zlib'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { DraftRow, IntentRow, ReminderNote, UploadRow } from '../rows.ts'
import type { LocalRead } from '../outbox/local-reads.ts'
import type { ThreadFollow } from '../outbox/thread-follows.ts'
import * as meta from '../meta.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * The outbox's second copy: one line per written or removed row, each with its own checksum, so that one damaged page of
 * the database or one damaged line of the journal never loses a row. Rewritten from the database at every start, after
 * both were compared.
 *
 *   <crc32 of the rest, 8 hex digits> {"n":2,"c":7,"t":"whole","k":""}                   rewritten, followed by two rows
 *   <crc32 of the rest, 8 hex digits> {"n":3,"c":8,"t":"intents","k":"<id>","row":{…}}   written
 *   <crc32 of the rest, 8 hex digits> {"n":2,"c":9,"t":"intents","k":"<id>"}             removed
 *
 * `n` is the number of existing rows after this line; `c` is the commit it belongs to, as counted by the database (`Ledger`).
 */
type Rows = {
  readonly intents: IntentRow
  readonly drafts: DraftRow
  readonly uploads: UploadRow
  /** Alarms and completion of reminders. */
  readonly notes: ReminderNote
  readonly follows: ThreadFollow
  readonly reads: LocalRead
}

export type OutboxTable = keyof Rows
export type OutboxRows = { readonly [Table in OutboxTable]: readonly Rows[Table][] }

export type JournalEntry = {
  [Table in OutboxTable]: { readonly t: Table; readonly k: string; readonly row?: Rows[Table] }
}[OutboxTable]

/** The last journal entry of a row: its content, or its removal. */
export type Noted = { readonly entry: JournalEntry; readonly commit: number }

export type JournalContent = {
  /** By `table/key`. */
  readonly noted: ReadonlyMap<string, Noted>
  /** Rows that lived after the last readable line. */
  readonly expected: number
  /** The newest commit with a readable line; 0 if there is none. */
  readonly commit: number
  /** Every row that existed at this commit is readable; 0 if unknown. */
  readonly wholeAt: number
  /** Unreadable lines. */
  readonly damaged: number
}

export type Journal = {
  /** Appends the entries of one commit. A failure is logged and makes the next call rewrite the file. */
  append(entries: readonly JournalEntry[], at: Ledger): void
  rewrite(): void
}

/** Above this size the next commit rewrites it from the existing rows. */
const REWRITE_AT_BYTES = 4 * 1024 * 1024

export function openJournal(
  disk: Disk,
  path: string,
  log: Logger,
  now: () => { readonly rows: OutboxRows; readonly commit: number },
): Journal {
  let bytes = 0
  let isStale = true

  function rewrite(): void {
    const { rows, commit } = now()
    const entries = entriesOf(rows)
    const lines = entries.map((entry, index) => lineOf(entry, { live: index + 1, commit }))
    const text = [lineOf({ t: WHOLE, k: '' }, { live: entries.length, commit }), ...lines].join('')
    disk.write(`${path}.new`, text)
    disk.rename(`${path}.new`, path)
    bytes = text.length
    isStale = false
  }

  function guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The commit itself succeeded: only the copy is outdated, until the next call rewrites it.
      isStale = true
      log.error('journal', { reason: error instanceof Error ? error.name : 'unknown' })
    }
  }

  return {
    rewrite: () => guarded(rewrite),
    append(entries, at) {
      guarded(() => {
        if (isStale || bytes > REWRITE_AT_BYTES) return rewrite()
        const text = entries.map((entry) => lineOf(entry, at)).join('')
        disk.append(path, text)
        bytes += text.length
      })
    },
  }
}

/** Reads all readable lines; a missing file is an empty journal. */
export function readJournal(disk: Disk, path: string): JournalContent {
  const noted = new Map<string, Noted>()
  const text = disk.exists(path) ? disk.read(path).toString('utf8') : ''
  let [expected, newest, wholeAt, damaged] = [0, 0, 0, 0]
  /** Remaining lines of a complete snapshot. */
  let left = 0
  for (const text_ of text.split('\n')) {
    if (text_ === '') continue
    const line = parseLine(text_)
    if (!line) {
      damaged += 1
      if (left > 0) wholeAt = 0
      continue
    }
    const { n, c = 0, ...entry } = line
    left = Math.max(0, left - 1)
    newest = Math.max(newest, c)
    expected = n
    if (entry.t === WHOLE) [wholeAt, left] = [c, n]
    else noted.set(`${entry.t}/${entry.k}`, { entry, commit: c })
  }
  return { noted, expected, commit: newest, wholeAt: left > 0 ? 0 : wholeAt, damaged }
}

const WHOLE = 'whole'
type Line = (JournalEntry | { readonly t: typeof WHOLE; readonly k: string }) & {
  readonly n: number
  readonly c?: number
}

function lineOf(entry: JournalEntry | { readonly t: typeof WHOLE; readonly k: string }, at: Ledger): string {
  const body = JSON.stringify({ n: at.live, c: at.commit, ...entry })
  return `${crc32(body).toString(16).padStart(8, '0')} ${body}\n`
}

function parseLine(line: string): Line | undefined {
  const body = line.slice(9)
  if (line[8] !== ' ' || Number.parseInt(line.slice(0, 8), 16) !== crc32(body)) return undefined
  try {
    return JSON.parse(body) as Line
  } catch {
    return undefined
  }
}

function entriesOf(rows: OutboxRows): readonly JournalEntry[] {
  return [
    ...rows.intents.map((row) => ({ t: 'intents' as const, k: row.id, row })),
    ...rows.drafts.map((row) => ({ t: 'drafts' as const, k: row.key, row })),
    ...rows.uploads.map((row) => ({ t: 'uploads' as const, k: row.id, row })),
    ...rows.notes.map((row) => ({ t: 'notes' as const, k: row.messageId, row })),
    ...rows.follows.map((row) => ({ t: 'follows' as const, k: row.parentId, row })),
    ...rows.reads.map((row) => ({ t: 'reads' as const, k: composerKey(row.cid, row.threadId), row })),
  ]
}

/**
 * The progress of `outbox.db`: a number that increases with every commit, and the number of existing rows. It is part
 * of the commit itself and of each journal line, so that comparing them shows which of the two is behind.
 */
export type Ledger = { readonly commit: number; readonly live: number }

const KEY = 'ledger'
const LIVE = `SELECT (SELECT count(*) FROM intents) + (SELECT count(*) FROM drafts) + (SELECT count(*) FROM uploads) +
  (SELECT count(*) FROM reminder_notes) + (SELECT count(*) FROM thread_follows) + (SELECT count(*) FROM kept_reads) AS n`

/** Absent in a file of a version that did not count commits. Throws `store/damaged`. */
export function readLedger(reader: Reader): Ledger | undefined {
  const text = meta.byKey(reader, KEY)?.value
  if (text === undefined) return undefined
  const [commit = '', live = '', sum] = text.split(' ')
  if (Number(sum) !== crc32(`${commit} ${live}`)) throw reader.db.damaged()
  return { commit: Number(commit), live: Number(live) }
}

/** Counts the rows, and records commit number `commit`. */
export function writeLedger(tx: Tx, commit: number): Ledger {
  const live = tx.db.get<{ n: number }>(LIVE)?.n ?? 0
  // Versions without checksums of this table look for one here.
  meta.set(tx, KEY, `${commit} ${live} ${crc32(`${commit} ${live}`)}`)
  return { commit, live }
}
