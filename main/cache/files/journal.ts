import { composerKey } from '#shared/domain/draft.ts'
import type { Logger } from '#main/lib/logger.ts'
import { crc32 } from './crc.ts'
import type { Disk } from './disk.ts'
import type { Ledger } from './ledger.ts'
import type { DraftRow, IntentRow, ReminderNote, UploadRow } from '../rows.ts'
import type { KeptRead } from '../outbox/local-reads.ts'
import type { ThreadFollow } from '../outbox/thread-follows.ts'

/**
 * The outbox's second copy: one line per written or removed row, each with its own checksum, so that one damaged page of
 * the database or one damaged line of the journal never takes a row away. Rewritten from the database at every start,
 * after both were compared.
 *
 *   <crc32 of the rest, 8 hex digits> {"n":2,"c":7,"t":"whole","k":""}                   begun again, with the two that follow
 *   <crc32 of the rest, 8 hex digits> {"n":3,"c":8,"t":"intents","k":"<id>","row":{…}}   written
 *   <crc32 of the rest, 8 hex digits> {"n":2,"c":9,"t":"intents","k":"<id>"}             removed
 *
 * `n` counts the rows that live after this line; `c` is the commit it belongs to, as the database counts them (`Ledger`).
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

/** The last that a journal says of a row: as it was written, or that it was removed. */
export type Noted = { readonly entry: JournalEntry; readonly commit: number }

export type JournalContent = {
  /** By `table/key`. */
  readonly noted: ReadonlyMap<string, Noted>
  /** Rows that lived after the last readable line. */
  readonly expected: number
  /** The newest commit of which a line can be read; 0 when there is none. */
  readonly commit: number
  /** All that lived at this commit can be read; 0 when that cannot be said. */
  readonly wholeAt: number
  /** Lines that cannot be read. */
  readonly damaged: number
}

export type Journal = {
  /** Appends the entries of one commit. A failure is logged and makes the next call rewrite the file. */
  append(entries: readonly JournalEntry[], at: Ledger): void
  rewrite(): void
}

/** Larger than this and the next commit rewrites it from the rows that live. */
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
      // The commit itself stands: only the second copy is behind, until the next call writes it whole.
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

/** Reads what is readable; a missing file is an empty journal. */
export function readJournal(disk: Disk, path: string): JournalContent {
  const noted = new Map<string, Noted>()
  const text = disk.exists(path) ? disk.read(path).toString('utf8') : ''
  let [expected, newest, wholeAt, damaged] = [0, 0, 0, 0]
  /** Lines of a whole that are still to come. */
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
