import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMessageRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import { gapsBefore } from '#shared/rules/messages/message-ranges.ts'
import type { Store } from '../files/open.ts'
import type { MessageRow } from '../rows.ts'
import * as messages from './messages.ts'
import * as pages from './pages.ts'
import * as ranges from './ranges.ts'
import * as timeline from './timeline.ts'
import * as unread from '../channels/unread.ts'
import { newestReacted, REACTED } from './pages.ts'

const scope = `timeline:${CID}` as const
const key = (row: MessageRow): Placed => ({ createdAt: row.createdAt, id: row.id })
/** Three neighbors share each instant. */
const rowAt = (n: number, row: Partial<MessageRow> = {}): MessageRow =>
  aMessageRow({ id: asMessageId(`m${String(n).padStart(4, '0')}`), createdAt: 1_000 + Math.floor(n / 3) / 8, ...row })

function cacheWith(rows: readonly MessageRow[]): Store {
  const { cache } = openTestStores()
  cache.transaction((tx) => rows.forEach((row) => messages.put(tx, row)))
  return cache
}

test('a thousand messages of one millisecond are paged without loss or repetition', () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => rowAt(n, { createdAt: 5_000 }))
  const { reader } = cacheWith(rows.toReversed())
  const seen: Placed[] = [...pages.newest(reader, scope, 30)]
  for (let first = seen[0]; first;) {
    const older = pages.before(reader, scope, first, 30)
    seen.unshift(...older)
    first = older[0]
  }
  expect(seen).toEqual(rows.map(key))
})

test('pages before, after and around equal the sorted list', () => {
  const rows = Array.from({ length: 40 }, (_, n) => rowAt(n)).toSorted(comparePlaced)
  const { reader } = cacheWith(rows)
  const keys = rows.map(key)
  fc.assert(
    fc.property(fc.nat(39), fc.integer({ min: 2, max: 12 }), (n, limit) => {
      const at = keys[n] ?? { createdAt: 0, id: '' }
      expect(pages.before(reader, scope, at, limit)).toEqual(keys.slice(Math.max(0, n - limit), n))
      expect(pages.after(reader, scope, at, limit)).toEqual(keys.slice(n + 1, n + 1 + limit))
      const half = Math.floor(limit / 2)
      expect(pages.around(reader, scope, at, limit)).toEqual(keys.slice(Math.max(0, n - half), n + 1 + half))
    }),
    { numRuns: 60 },
  )
})

test('a page can be limited to a range', () => {
  const rows = Array.from({ length: 10 }, (_, n) => rowAt(n, { createdAt: n }))
  const { reader } = cacheWith(rows)
  const at = (n: number): Placed => key(rows[n] ?? rowAt(0))
  expect(pages.before(reader, scope, at(8), 9, at(5)).map((one) => one.createdAt)).toEqual([5, 6, 7])
  expect(pages.after(reader, scope, at(1), 9, at(3)).map((one) => one.createdAt)).toEqual([2, 3])
})

test('replies are in their thread, shown ones in both, shadowed ones only visible to their author', () => {
  const parentId = asMessageId('m0000')
  const { reader } = cacheWith([
    rowAt(0),
    rowAt(3, { parentId }),
    rowAt(6, { parentId, showInChannel: true }),
    rowAt(9, { shadowed: true }),
    rowAt(12, { shadowed: true, userId: asUserId('me') }),
  ])
  expect(pages.newest(reader, scope, 9).map((one) => one.id)).toEqual(['m0000', 'm0006', 'm0012'])
  expect(pages.newest(reader, `thread:${parentId}`, 9).map((one) => one.id)).toEqual(['m0003', 'm0006'])
})

test('a loaded page removes cached messages missing in it, except newer ones', () => {
  const cache = cacheWith([rowAt(0), rowAt(3), rowAt(6), rowAt(9, { asOf: 9_000 })])
  const page = { scope, query: { kind: 'newest' } as const, requested: 10, asOf: 5_000 }
  cache.transaction((tx) => timeline.applyPage(tx, { ...page, rows: [rowAt(0), rowAt(6)] }))
  expect(pages.newest(cache.reader, scope, 9).map((one) => one.id)).toEqual(['m0000', 'm0006', 'm0009'])
})

test('an older page does not affect messages before it', () => {
  const cache = cacheWith([rowAt(0), rowAt(3), rowAt(6), rowAt(9)])
  const query = { kind: 'older', cursor: key(rowAt(9)) } as const
  cache.transaction((tx) => timeline.applyPage(tx, { scope, query, requested: 1, asOf: 5_000, rows: [rowAt(6)] }))
  expect(pages.newest(cache.reader, scope, 9)).toHaveLength(4)
  expect(ranges.of(cache.reader, scope)).toEqual([
    { first: key(rowAt(6)), last: key(rowAt(9)), hasPrev: true, hasNext: true },
  ])
})

test('a page with an unusable message counts as full, and removes nothing', () => {
  const cache = cacheWith([rowAt(0), rowAt(3)])
  const page = { scope, query: { kind: 'newest' } as const, requested: 2, asOf: 5_000 }
  cache.transaction((tx) => timeline.applyPage(tx, { ...page, rows: [rowAt(3)], returned: 2 }))
  expect(ranges.of(cache.reader, scope)).toMatchObject([{ hasPrev: true, hasNext: false }])
  expect(pages.newest(cache.reader, scope, 9)).toHaveLength(2)
})

test('a lost connection leaves a gap that the next newest page closes', () => {
  const cache = cacheWith([])
  const newest = (rows: readonly MessageRow[]) =>
    cache.transaction((tx) =>
      timeline.applyPage(tx, { scope, query: { kind: 'newest' }, requested: rows.length, asOf: 5_000, rows }),
    )
  newest([rowAt(0), rowAt(3)])
  cache.transaction((tx) => ranges.markOpenEnded(tx))
  cache.transaction((tx) => timeline.receive(tx, rowAt(30), true))
  const shown = () => gapsBefore(pages.newest(cache.reader, scope, 9), ranges.of(cache.reader, scope))
  expect(shown()).toEqual(['m0030'])
  newest([rowAt(3), rowAt(15), rowAt(30)])
  expect(shown()).toEqual([])
})

test.each([
  ['newest page', pages.TIMELINE_NEWEST, [CID, 1], 'messages_timeline'],
  ['page before', pages.TIMELINE_BEFORE, [CID, 1, 'a', 0, 'a', 1], 'messages_timeline'],
  ['page after', pages.TIMELINE_AFTER, [CID, 1, 'a', 9, 'a', 1], 'messages_timeline'],
  ['number in a period', pages.TIMELINE_COUNT, [CID, 1, '', 9, ''], 'messages_timeline'],
  ['keys between', pages.TIMELINE_BETWEEN, [CID, 1, 'a', 9, 'a'], 'messages_timeline'],
  ['newest replies', pages.THREAD_NEWEST, ['p', 1], 'messages_thread'],
  ['replies before', pages.THREAD_BEFORE, ['p', 1, 'a', 0, 'a', 1], 'messages_thread'],
  ['replies after', pages.THREAD_AFTER, ['p', 1, 'a', 9, 'a', 1], 'messages_thread'],
  ['replies between', pages.THREAD_BETWEEN, ['p', 1, 'a', 9, 'a'], 'messages_thread'],
  ['unread count', unread.COUNT, [CID, 1, 'me', 0, 0], 'messages_timeline'],
  ['first unread', unread.FIRST, [CID, 1, 'me', 0, 0], 'messages_timeline'],
  ['first unread reply', unread.THREAD_FIRST, ['p', 1, 'me', 0, 0], 'messages_thread'],
  ['unread replies', unread.THREAD_COUNT, ['p', 1, 'me', 0, 0], 'messages_thread'],
])('the %s uses its index and sorts nothing', (_name, statement, binds, index) => {
  const { reader } = openTestStores().cache
  const plan = reader.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...binds).map((row) => row.detail)
  expect(plan[0]).toContain(`USING ${plan[0]?.includes('COVERING') ? 'COVERING ' : ''}INDEX ${index}`)
  expect(plan[0]).toContain('SEARCH')
  expect(plan.join()).not.toContain('TEMP B-TREE')
})

const ME = asUserId('me')
const given = (at: number) => ({
  reactionGroups: [{ type: 'heart', count: 1, sumScores: 1, firstAt: at, lastAt: at }],
  latestReactions: [{ type: 'heart', userId: asUserId('bob'), score: 1, createdAt: at }],
})

test('own messages are sorted by their newest reaction and paged; others’ and those without reactions are not listed', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    for (const at of [30, 10, 20]) {
      messages.put(tx, aMessageRow({ id: asMessageId(`m${at}`), userId: tx.viewerId, ...given(at) }))
    }
    messages.put(tx, aMessageRow({ id: asMessageId('plain'), userId: tx.viewerId }))
    messages.put(tx, aMessageRow({ id: asMessageId('his'), userId: asUserId('bob'), ...given(40) }))
    messages.put(tx, aMessageRow({ id: asMessageId('gone'), userId: tx.viewerId, type: 'deleted', ...given(50) }))
  })
  const first = newestReacted(cache.reader, 1_000, 2)
  expect(first.map(({ id }) => id)).toEqual(['m30', 'm20'])
  expect(newestReacted(cache.reader, 20, 2).map(({ id }) => id)).toEqual(['m10'])
})

test('the query uses its index without sorting', () => {
  const { reader } = openTestStores().cache
  const plan = reader.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${REACTED}`, ME, 1, 1)
  expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX messages_reacted')
  expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
})
