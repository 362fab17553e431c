import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/store.ts'
import { asList, asWire, eachOf } from '../../decode/read.ts'

/** Characters of one list; further rows are not stored. */
const LIMIT = 1_000_000

/**
 * A list as the server gave it last, to be read without a connection. Rows are stored as they came and decoded when they
 * are read: what is stored is checked like an answer, and its form never becomes old.
 */
export function createStoredList<Row extends { readonly id: string }>(
  name: string,
  readRow: (value: unknown) => Row | undefined,
) {
  const key = `listed ${name}`
  const stored = (reader: Reader) => {
    const value = asWire(parsed(meta.get(reader, key)))
    const at = value?.['at']
    return typeof at === 'number' ? { at, values: asList(value?.['rows']) } : undefined
  }
  return {
    /** `at`: when it was listed. `undefined`: never. */
    read(reader: Reader): { readonly at: number; readonly rows: readonly Row[] } | undefined {
      const known = stored(reader)
      return known && { at: known.at, rows: eachOf(known.values, readRow) }
    },
    /** A page of the list; the first one replaces what was stored. */
    write(tx: Tx, page: readonly unknown[], at: number, isFirst: boolean): void {
      const before = isFirst ? [] : (stored(tx)?.values ?? [])
      const byId = new Map([...before, ...page].map((value) => [readRow(value)?.id, value]))
      byId.delete(undefined)
      let left = LIMIT
      const rows = [...byId.values()].filter((value) => (left -= JSON.stringify(value).length) >= 0)
      meta.set(tx, key, JSON.stringify({ at, rows }))
    },
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // Damaged: as if it had never been listed.
    return undefined
  }
}
