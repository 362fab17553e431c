import { expect, test } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aChannelRow, aMemberRow, aMessageRow } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import * as channels from '../channels/channels.ts'
import * as members from '../channels/members.ts'
import * as messages from '../messages/messages.ts'
import * as ranges from '../messages/ranges.ts'
import * as blocks from './blocks.ts'

test('the end of a block forgets how far the threads of shared channels are known, and those alone', () => {
  const { cache } = openTestStores()
  const [shared, other] = [asCid('team:shared'), asCid('team:other')]
  cache.transaction((tx) => {
    for (const cid of [shared, other]) {
      channels.put(tx, aChannelRow({ cid, memberCount: 1 }))
      messages.put(tx, aMessageRow({ id: asMessageId(`root of ${cid}`), cid }))
      const reply = { createdAt: 2_000, id: 'reply' }
      ranges.merge(tx, `thread:root of ${cid}`, { kind: 'newest' }, [reply], 3)
    }
    members.put(tx, aMemberRow({ cid: shared, userId: asUserId('bo') }))
    members.put(tx, aMemberRow({ cid: other, userId: asUserId('ana') }))
  })
  cache.transaction((tx) => blocks.changed(tx, new Set(['bo'])))
  expect(ranges.of(cache.reader, `thread:root of ${shared}`)).toEqual([])
  expect(ranges.of(cache.reader, `thread:root of ${other}`)).toHaveLength(1)
})
