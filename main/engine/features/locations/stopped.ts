import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { fromJson, toJson } from '#main/cache/json.ts'
import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

/**
 * Shares that the user stopped and the server does not know of yet, with the time of the stop (server clock). In
 * `outbox.db`: if the user stops a share and quits, the stop is sent at the next start.
 */
const KEY = 'stopped-shares'

type Stored = Readonly<Record<string, number>>

export function pendingStops(reader: Reader): readonly (readonly [MessageId, number])[] {
  const text = meta.get(reader, KEY)
  if (text === undefined) return []
  return Object.entries(fromJson<Stored>(reader.db, text)).map(([id, at]) => [asMessageId(id), at])
}

export function storeStop(tx: Tx, messageId: MessageId, at: number): void {
  meta.set(tx, KEY, toJson(Object.fromEntries([...pendingStops(tx), [messageId, at]])))
}

/** The server knows, or the share has ended there anyway. */
export function forgetStop(tx: Tx, messageId: MessageId): void {
  const left = pendingStops(tx).filter(([id]) => id !== messageId)
  meta.set(tx, KEY, toJson(Object.fromEntries(left)))
}
