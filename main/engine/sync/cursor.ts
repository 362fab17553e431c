import type { Reader, Tx } from '#main/cache/tx.ts'
import * as meta from '#main/cache/tables/meta.ts'

/**
 * Up to when every event is known, by the server's clock. Only what came over an unbroken, caught-up connection, or a
 * synchronisation that ended well, moves it: an answer over HTTP may be ahead of events that never came.
 * Source: reliability paper, D11.
 */
const KEY = 'heard-until'

/** Where to ask from: a little earlier, because events of one moment may have been on their way. Absent at first. */
export function readCursor(reader: Reader): number | undefined {
  const value = meta.get(reader, KEY)
  return value === undefined ? undefined : Number(value) - meta.CURSOR_OVERLAP_MS
}

export function heardUntil(tx: Tx, time: number): void {
  if (time > Number(meta.get(tx, KEY) ?? 0)) meta.set(tx, KEY, String(time))
}
