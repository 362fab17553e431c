import type { Reader, Tx } from '#main/cache/tx.ts'
import * as meta from '#main/cache/meta.ts'

/**
 * Up to when every event is known, by the server's clock. Only what came over an unbroken, caught-up connection, or a
 * synchronisation that ended well, moves it: an answer over HTTP may be ahead of events that never came.
 */
const KEY = 'heard-until'

/** Where to ask from: a little earlier, because events of one moment may have been on their way. Absent at first. */
export function readCursor(reader: Reader): number | undefined {
  const value = meta.get(reader, KEY)
  return value === undefined ? undefined : Number(value) - meta.CURSOR_OVERLAP_MS
}

/** Up to when nothing was missed, whether there were events or not: noted when an unbroken connection ends. */
const IN_STEP = 'in-step-until'

export const inStepUntil = (tx: Tx, time: number): void => meta.set(tx, IN_STEP, String(time))

/** Up to when what is held is whole, for people to read: epoch milliseconds of the server. Absent at first. */
export function knownUntil(reader: Reader): number | undefined {
  const known = [KEY, IN_STEP].flatMap((key) => meta.get(reader, key) ?? []).map(Number)
  return known.length === 0 ? undefined : Math.max(...known)
}

export function heardUntil(tx: Tx, time: number): void {
  if (time > Number(meta.get(tx, KEY) ?? 0)) meta.set(tx, KEY, String(time))
}
