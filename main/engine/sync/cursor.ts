import type { Reader, Tx } from '#main/cache/tx.ts'
import * as meta from '#main/cache/meta.ts'

/**
 * Server time up to which every event is known. Only events of an unbroken, caught-up connection and completed
 * synchronizations move it: a response over HTTP may be ahead of events that were never received.
 */
const KEY = 'heard-until'

/**
 * Where to synchronize from: slightly earlier, because events of one moment may have been in flight. Absent at first.
 */
export function readCursor(reader: Reader): number | undefined {
  const value = meta.get(reader, KEY)
  return value === undefined ? undefined : Number(value) - meta.CURSOR_OVERLAP_MS
}

/** Up to when nothing was missed, whether there were events or not: stored when an unbroken connection ends. */
const IN_STEP = 'in-step-until'

export const inStepUntil = (tx: Tx, time: number): void => meta.set(tx, IN_STEP, String(time))

/** Up to when the cache is complete, for display: epoch milliseconds of the server. Absent at first. */
export function knownUntil(reader: Reader): number | undefined {
  const known = [KEY, IN_STEP].flatMap((key) => meta.get(reader, key) ?? []).map(Number)
  return known.length === 0 ? undefined : Math.max(...known)
}

export function receivedUntil(tx: Tx, time: number): void {
  if (time > Number(meta.get(tx, KEY) ?? 0)) meta.set(tx, KEY, String(time))
}
