import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { fromJson, toJson } from '#main/cache/json.ts'
import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

/**
 * Shares that someone stopped and the server does not know of yet, with when (its clock). In `outbox.db`: who says stop
 * and closes the program must not be seen any longer than it takes to tell the server at the next start.
 */
const KEY = 'stopped-shares'

type Stored = Readonly<Record<string, number>>

export function keptStops(reader: Reader): readonly (readonly [MessageId, number])[] {
  const text = meta.get(reader, KEY)
  if (text === undefined) return []
  return Object.entries(fromJson<Stored>(reader.db, text)).map(([id, at]) => [asMessageId(id), at])
}

export function keepStop(tx: Tx, messageId: MessageId, at: number): void {
  meta.set(tx, KEY, toJson(Object.fromEntries([...keptStops(tx), [messageId, at]])))
}

/** The server knows, or the share is over there anyway. */
export function forgetStop(tx: Tx, messageId: MessageId): void {
  const left = keptStops(tx).filter(([id]) => id !== messageId)
  meta.set(tx, KEY, toJson(Object.fromEntries(left)))
}
