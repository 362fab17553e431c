import { composerKey } from '#shared/domain/draft.ts'
import type { Logger } from '#main/lib/logger.ts'
import { crc32 } from './crc.ts'
import type { Disk } from './disk.ts'
import type { DraftRow, IntentRow, ReminderNote, UploadRow } from './rows.ts'
import type { KeptRead } from './tables/kept-reads.ts'
import type { ThreadFollow } from './tables/thread-follows.ts'

/**
 * The outbox's second copy: one line per written or removed row, each with its own checksum, so that one damaged page of
 * the database or one damaged line of the journal never takes a row away. Rewritten from the database at every start.
 *
 *   <crc32 of the rest, 8 hex digits> {"n":3,"t":"intents","k":"<id>","row":{…}}     written
 *   <crc32 of the rest, 8 hex digits> {"n":2,"t":"intents","k":"<id>"}               removed
 *
 * `n` counts the rows that live after this line.
 */
type Kept = {
  readonly intents: IntentRow
  readonly drafts: DraftRow
  readonly uploads: UploadRow
  /** Which reminders rang, and which were ticked off. */
  readonly notes: ReminderNote
  readonly follows: ThreadFollow
  readonly reads: KeptRead
}

export type OutboxTable = keyof Kept
export type OutboxRows = { readonly [Table in OutboxTable]: readonly Kept[Table][] }

export type JournalEntry = {
  [Table in OutboxTable]: { readonly t: Table; readonly k: string; readonly row?: Kept[Table] | undefined }
}[OutboxTable]

export type JournalContent = {
  readonly rows: OutboxRows
  /** Keys the journal saw removed, as `table/key`. */
  readonly removed: ReadonlySet<string>
  /** Rows that lived after the last readable line. */
  readonly expected: number
}

export type Journal = {
  /** Appends the entries of one commit. A failure is logged and makes the next call rewrite the file. */
  append(entries: readonly JournalEntry[], live: number): void
  rewrite(rows: OutboxRows): void
}

/** Larger than this and the next commit rewrites it from the rows that live. */
const REWRITE_AT_BYTES = 4 * 1024 * 1024

export function openJournal(disk: Disk, path: string, log: Logger, liveRows: () => OutboxRows): Journal {
  let bytes = 0
  let isStale = true

  function rewrite(rows: OutboxRows): void {
    const text = entriesOf(rows)
      .map((entry, index) => lineOf(entry, index + 1))
      .join('')
    disk.write(`${path}.new`, text)
    disk.rename(`${path}.new`, path)
    bytes = text.length
    isStale = false
  }

  function guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The commit itself stands: only the second copy is behind, until the next call writes it whole.
      isStale = true
      log.error('journal', { reason: error instanceof Error ? error.name : 'unknown' })
    }
  }

  return {
    rewrite: (rows) => guarded(() => rewrite(rows)),
    append(entries, live) {
      guarded(() => {
        if (isStale || bytes > REWRITE_AT_BYTES) return rewrite(liveRows())
        const text = entries.map((entry) => lineOf(entry, live)).join('')
        disk.append(path, text)
        bytes += text.length
      })
    },
  }
}

/** Reads what is readable; a missing file is an empty journal. */
export function readJournal(disk: Disk, path: string): JournalContent {
  const live = new Map<string, JournalEntry>()
  const removed = new Set<string>()
  let expected = 0
  const text = disk.exists(path) ? disk.read(path).toString('utf8') : ''
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (!entry) continue
    const key = `${entry.t}/${entry.k}`
    expected = entry.n
    if (entry.row === undefined) {
      live.delete(key)
      removed.add(key)
    } else {
      live.set(key, entry)
      removed.delete(key)
    }
  }
  return { rows: rowsOf([...live.values()]), removed, expected }
}

function lineOf(entry: JournalEntry, n: number): string {
  const body = JSON.stringify({ n, ...entry })
  return `${crc32(body).toString(16).padStart(8, '0')} ${body}\n`
}

function parseLine(line: string): (JournalEntry & { n: number }) | undefined {
  const body = line.slice(9)
  if (line[8] !== ' ' || Number.parseInt(line.slice(0, 8), 16) !== crc32(body)) return undefined
  return JSON.parse(body) as JournalEntry & { n: number }
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

/** What a newer version noted of tables that this one does not know is left out. */
function rowsOf(entries: readonly JournalEntry[]): OutboxRows {
  const of = <Table extends OutboxTable>(table: Table): Kept[Table][] =>
    entries.flatMap(({ t, row }) => (t === table && row !== undefined ? [row as Kept[Table]] : []))
  return {
    intents: of('intents').toSorted((a, b) => a.seq - b.seq),
    drafts: of('drafts'),
    uploads: of('uploads'),
    notes: of('notes'),
    follows: of('follows'),
    reads: of('reads'),
  }
}
