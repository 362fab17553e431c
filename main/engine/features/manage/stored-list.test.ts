import { expect, test } from 'vitest'
import { openTestStores } from '#kit/stores.ts'
import * as meta from '#main/cache/meta.ts'
import { createStoredList } from './stored-list.ts'

type Row = { readonly id: string; readonly size: number }
const list = createStoredList('rows', (value): Row | undefined => {
  const row = value as Partial<Row> | null
  return typeof row?.id === 'string' ? { id: row.id, size: row.size ?? 0 } : undefined
})
const stored = () => openTestStores().cache

test('a list is read as it was given, decoded again, with when that was; what cannot be decoded is left out', () => {
  const cache = stored()
  expect(list.read(cache.reader)).toBeUndefined()
  cache.transaction((tx) => list.write(tx, [{ id: 'a', size: 3, more: true }, null, 7, { id: 5 }], 1_000, true))
  expect(list.read(cache.reader)).toEqual({ at: 1_000, rows: [{ id: 'a', size: 3 }] })
})

test('a further page is added and what it repeats is replaced; the first page begins the list anew', () => {
  const cache = stored()
  cache.transaction((tx) => list.write(tx, [{ id: 'a', size: 1 }, { id: 'b' }], 1, true))
  cache.transaction((tx) => list.write(tx, [{ id: 'a', size: 2 }, { id: 'c' }], 2, false))
  expect(list.read(cache.reader)).toEqual({
    at: 2,
    rows: [
      { id: 'a', size: 2 },
      { id: 'b', size: 0 },
      { id: 'c', size: 0 },
    ],
  })
  cache.transaction((tx) => list.write(tx, [{ id: 'd' }], 3, true))
  expect(list.read(cache.reader)?.rows).toEqual([{ id: 'd', size: 0 }])
})

test('a list that is too long is stored up to its limit', () => {
  const cache = stored()
  const page = Array.from({ length: 20 }, (_none, at) => ({ id: `${at}`, text: 'x'.repeat(99_000) }))
  cache.transaction((tx) => list.write(tx, page, 1, true))
  expect(list.read(cache.reader)?.rows).toHaveLength(10)
})

test.each(['{', '[]', '{"at":"soon","rows":[]}', 'null'])('damaged, as %s, it was never listed', (text) => {
  const cache = stored()
  cache.transaction((tx) => meta.set(tx, 'listed rows', text))
  expect(list.read(cache.reader)).toBeUndefined()
})
