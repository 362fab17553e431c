import { crc32 } from 'node:zlib'
import * as meta from '../meta.ts'
import type { Reader, Tx } from '../tx.ts'

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
