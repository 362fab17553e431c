import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const REVIEW = readFileSync(join(ROOT, 'docs/security-review.md'), 'utf8')

/** The review list of the threat model. */
const ITEMS = [
  '1.2.2 1.2.4 1.2.9 1.3.3 1.3.4 1.3.5 1.3.6 1.3.12 1.5.2',
  '3.2.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.5.1 3.5.2 3.5.3 3.5.4 3.5.5',
  '4.4.1 4.4.2 4.4.3 4.4.4',
  '5.1.1 5.2.1 5.2.2 5.2.3 5.2.4 5.2.5 5.2.6 5.3.2 5.4.1 5.4.2',
  '9.1.1 9.1.2 9.1.3 9.2.1 9.2.2 9.2.3 9.2.4',
  '16.2.5 16.4.1 16.5.1 16.5.2 16.5.3 16.5.4',
].flatMap((chapter) => chapter.split(' '))

type Row = { readonly item: string; readonly ids: readonly string[] }
const rows: readonly Row[] = REVIEW.split('\n').flatMap((line) => {
  const cells = line.split('|').map((cell) => cell.trim())
  const [, item = '', , , tests = ''] = cells
  return /^\d+\.\d+\.\d+$/.test(item) ? [{ item, ids: tests.match(/SRV-\d+/g) ?? [] }] : []
})

/** Every id that begins the name of a test. */
const named = new Set(
  ['tests', 'main/server'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .flatMap((path) =>
        [...readFileSync(join(ROOT, folder, path), 'utf8').matchAll(/[(`'"]\s*(SRV-\d+) /g)].map((match) => match[1]),
      ),
  ),
)

test('every item of the review has exactly one row', () => {
  expect(rows.map(({ item }) => item)).toEqual(ITEMS)
})

test('every id of the review begins the name of a test', () => {
  const citedIds = rows.flatMap(({ ids }) => ids)
  expect(citedIds.filter((id) => !named.has(id))).toEqual([])
  expect(citedIds.length).toBeGreaterThan(60)
})

test('an item without a test is argued as an exception', () => {
  const [, exceptions = ''] = REVIEW.split('## Exceptions')
  const silent = rows.filter(({ ids }) => ids.length === 0).map(({ item }) => item)
  expect(silent.filter((item) => !exceptions.includes(`**${item},`))).toEqual([])
  expect(silent).toHaveLength(3)
})
