import { isSqliteError, SIDES } from './connection.ts'
import type { Disk } from './disk.ts'

/**
 * Reads a damaged table as far as its pages are readable, in each way in turn: one way ends at a bad page, and another
 * one from the other end reaches the rows behind it. Rows may come more than once. What `take` throws is thrown.
 *
 * @param ways queries of the same rows in different orders
 */
export function readEachWay<Row>(ways: readonly (() => Iterable<Row>)[], take: (row: Row) => void): void {
  for (const way of ways) {
    const rows = unlessUnreadable(() => way()[Symbol.iterator]())
    if (rows === undefined) continue
    try {
      for (let next = step(rows); next !== undefined; next = step(rows)) take(next.value)
    } finally {
      rows.return?.()
    }
  }
}

function step<Row>(rows: Iterator<Row>): { readonly value: Row } | undefined {
  const next = unlessUnreadable(() => rows.next())
  return next === undefined || next.done === true ? undefined : { value: next.value }
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isSqliteError(error)) throw error
    return undefined
  }
}

/** Moves a database with its side files. */
export function moveDatabase(disk: Disk, from: string, to: string): void {
  for (const side of SIDES) if (disk.exists(from + side)) disk.rename(from + side, to + side)
}

export function removeDatabase(disk: Disk, path: string): void {
  for (const side of SIDES) disk.remove(path + side)
}
