import type { WindowKey } from '#shared/domain/changes.ts'
import type { Reader, Tx } from './store.ts'
import * as meta from './meta.ts'

/**
 * Records which complete lists the server has returned since this file was created. Without that, an empty list may
 * simply not be loaded. For messages the ranges provide this.
 */
const nameOf = (key: WindowKey): string => `answered ${key}`

export const has = (reader: Reader, key: WindowKey): boolean => meta.get(reader, nameOf(key)) !== undefined

export function note(tx: Tx, key: WindowKey): void {
  if (has(tx, key)) return
  meta.set(tx, nameOf(key), '1')
  tx.touchWindow(key)
}
