import type { WindowKey } from '#shared/domain/changes.ts'
import type { Reader, Tx } from './tx.ts'
import * as meta from './meta.ts'

/**
 * Which whole lists a server has answered at least once since this file was made. Without that an empty list says
 * nothing. For messages the ranges say it.
 */
const nameOf = (key: WindowKey): string => `answered ${key}`

export const has = (reader: Reader, key: WindowKey): boolean => meta.get(reader, nameOf(key)) !== undefined

export function note(tx: Tx, key: WindowKey): void {
  if (has(tx, key)) return
  meta.set(tx, nameOf(key), '1')
  tx.touchWindow(key)
}
