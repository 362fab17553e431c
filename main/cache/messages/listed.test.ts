import { expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannelRow, aMemberRow } from '#kit/rows.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import type { Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as members from '../channels/members.ts'

const me = asUserId('me')
const cidOf = (n: number) => asCid(`team:room-${n}`)
const ROOMS = 12

/** Changes to channel lists at time `at`. */
const STEPS: readonly ((tx: Tx, n: number, at: number) => void)[] = [
  (tx, n, at) => channels.sawMessage(tx, cidOf(n), at),
  (tx, n, at) => channels.sawMessage(tx, cidOf(n), at - 5),
  (tx, n, at) => channels.patch(tx, cidOf(n), { hidden: at % 2 === 0 }),
  (tx, n, at) => void channels.put(tx, aChannelRow({ cid: cidOf(n), lastMessageAt: at - 3, asOf: at })),
  (tx, n, at) => members.put(tx, aMemberRow({ cid: cidOf(n), userId: me, asOf: at })),
  (tx, n) => members.remove(tx, cidOf(n), me),
  (tx, n, at) => (at % 5 === 0 ? channels.remove(tx, cidOf(n)) : undefined),
]

test('the remembered order of channels equals the computed one after any change', () => {
  const { cache } = openTestStores()
  const ids = seededIds(8)
  const pick = (count: number): number => Math.floor(ids.random() * count)
  for (let at = 1; at < 600; at += 1) {
    cache.transaction((tx) => {
      for (let count = 1 + pick(5); count > 0; count -= 1) STEPS[pick(STEPS.length)]?.(tx, pick(ROOMS), at + count)
      if (pick(2) === 0) channels.listedCids(tx)
    })
    const cids = channels.listedCids(cache.reader)
    cache.reader.db.memo.clear()
    expect(cids).toEqual(channels.listedCids(cache.reader))
    expect(cids.filter((cid) => !channels.isListed(cache.reader, cid))).toEqual([])
  }
})

test('the list contains channels the viewer is a member of and has not hidden, newest first', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    for (let n = 0; n < 4; n += 1) {
      channels.put(tx, aChannelRow({ cid: cidOf(n), lastMessageAt: n, hidden: n === 2 }))
      if (n !== 1) members.put(tx, aMemberRow({ cid: cidOf(n), userId: me }))
    }
    channels.sawMessage(tx, cidOf(0), 9)
  })
  expect(channels.listedCids(cache.reader)).toEqual([cidOf(0), cidOf(3)])
})
