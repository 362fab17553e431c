import { expect, test } from 'vitest'
import { aChannelRow, aMessageRow, aReadRow, CID } from '#kit/rows.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { Tx } from '../store.ts'
import * as channels from './channels.ts'
import * as messages from '../messages/messages.ts'
import * as mutes from '../people/mutes.ts'
import * as reads from './reads.ts'
import * as removal from '../messages/removal.ts'
import * as unread from './unread.ts'

const HELD = 120
const me = asUserId('me')
const idOf = (n: number) => asMessageId(`m${n}`)
const people = ['ana', 'bo', 'me'].map(asUserId)

/** Changes to messages; `n` selects a message, `at` is a new time. */
const STEPS: readonly ((tx: Tx, n: number, at: number) => void)[] = [
  (tx, n, at) => messages.put(tx, aMessageRow({ id: idOf(at), userId: people[n % 3] ?? me, createdAt: at })),
  (tx, n, at) => messages.put(tx, aMessageRow({ id: idOf(at), createdAt: n, mentionedUserIds: [me] })),
  (tx, n, at) => messages.put(tx, aMessageRow({ id: idOf(n), createdAt: n, text: 'edited', updatedAt: at, asOf: at })),
  (tx, n, at) => messages.put(tx, aMessageRow({ id: idOf(n), createdAt: n, type: 'deleted', deletedAt: at, asOf: at })),
  (tx, n) => removal.drop(tx, idOf(n)),
  (tx, n, at) => reads.put(tx, aReadRow({ lastReadAt: n % 40, unread: 90, countedAt: HELD, asOf: at })),
  (tx, n) => mutes.set(tx, 'user', 'ana', n % 2 === 0),
  (tx, n, at) => void channels.put(tx, aChannelRow({ hideBefore: n % 30, asOf: at })),
]

const FRESH = Math.floor(Math.random() * 1e6)

test.each([12, 13, 14, FRESH])('a remembered count equals a full one, whatever happened since (seed %d)', (seed) => {
  const { cache } = openTestStores()
  const ids = seededIds(seed)
  const pick = (count: number): number => Math.floor(ids.random() * count)
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow({}))
    for (let n = 1; n <= HELD; n += 1) messages.put(tx, aMessageRow({ id: idOf(n), createdAt: n }))
    reads.put(tx, aReadRow({ lastReadAt: 1, unread: 100, countedAt: HELD }))
  })
  for (let at = 1_000; at < 1_500; at += 1) {
    cache.transaction((tx) => STEPS[pick(STEPS.length)]?.(tx, 1 + pick(HELD), at))
    const remembered = unread.ofChannel(cache.reader, CID, 0)
    const { memo } = cache.reader.db
    const stored = memo.peek(`unread ${CID}`)
    memo.forget(`unread ${CID}`)
    expect(remembered).toEqual(unread.ofChannel(cache.reader, CID, 0))
    memo.put(`unread ${CID}`, stored)
  }
})

test('the first unread message is found once, and again when it is read, deleted or joined by an earlier one', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow({}))
    for (const n of [10, 20, 30]) messages.put(tx, aMessageRow({ id: idOf(n), createdAt: n }))
    reads.put(tx, aReadRow({ lastReadAt: 5 }))
  })
  const first = () => unread.ofChannel(cache.reader, CID, 0).firstId
  expect(first()).toBe('m10')
  cache.transaction((tx) => messages.put(tx, aMessageRow({ id: idOf(7), createdAt: 7 })))
  expect(first()).toBe('m7')
  cache.transaction((tx) => removal.drop(tx, idOf(7)))
  expect(first()).toBe('m10')
  cache.transaction((tx) => reads.put(tx, aReadRow({ lastReadAt: 10, asOf: 1 })))
  expect(first()).toBe('m20')
  // Changed without the cache noticing: a query would find the next one.
  cache.transaction((tx) => tx.db.run('UPDATE messages SET silent = 1 WHERE id = ?', idOf(20)))
  expect(first()).toBe('m20')
})

test('with many unread the next message counts only itself', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow({}))
    for (let n = 1; n <= HELD; n += 1) messages.put(tx, aMessageRow({ id: idOf(n), createdAt: n }))
    reads.put(tx, aReadRow({ lastReadAt: 0 }))
  })
  expect(unread.ofChannel(cache.reader, CID, 0).unread).toBe(HELD)
  cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('new'), createdAt: HELD + 1 })))
  // Changed without the cache noticing: a full count would not include it.
  cache.transaction((tx) => tx.db.run('UPDATE messages SET silent = 1 WHERE id = ?', idOf(5)))
  expect(unread.ofChannel(cache.reader, CID, 0).unread).toBe(HELD + 1)
})
