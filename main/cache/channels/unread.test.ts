import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aChannelRow, aMessageRow, aReadRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { countsAsUnread } from '#shared/rules/channels/unread.ts'
import type { Store } from '../files/open.ts'
import type { MessageRow, ReadRow } from '../rows.ts'
import * as channels from './channels.ts'
import * as messages from '../messages/messages.ts'
import * as mutes from '../people/mutes.ts'
import * as reads from './reads.ts'
import * as removal from '../messages/removal.ts'
import * as timeline from '../messages/timeline.ts'
import * as unread from './unread.ts'

const scope = `timeline:${CID}` as const
const NOW = 50_000

const anyMessage = fc
  .record({
    userId: fc.constantFrom('me', 'ana', 'bo', 'muted').map(asUserId),
    type: fc.constantFrom('regular', 'reply', 'system', 'ephemeral', 'error', 'deleted'),
    parentId: fc.constantFrom(undefined, asMessageId('parent')),
    showInChannel: fc.boolean(),
    silent: fc.boolean(),
    shadowed: fc.boolean(),
    createdAt: fc.integer({ min: 1, max: 12 }),
    mentionedUserIds: fc.constantFrom([], [asUserId('me')]),
  })
  .map((row) => ({ ...row, deletedAt: row.type === 'deleted' ? 20 : undefined }))

test('the query counts exactly what the rule counts', () => {
  const { cache } = openTestStores()
  fc.assert(
    fc.property(
      fc.array(anyMessage, { maxLength: 20 }),
      fc.nat(13),
      fc.constantFrom(undefined, 4),
      (found, lastReadAt, hideBefore) => {
        const rows = found.map((row, n) => aMessageRow({ ...row, id: asMessageId(`m${n}`) }))
        cache.transaction((tx) => {
          channels.remove(tx, CID)
          channels.put(tx, aChannelRow({ hideBefore }))
          mutes.replace(tx, 'user', [{ target: 'muted' }, { target: 'bo', expiresAt: NOW - 1 }])
          for (const row of rows) messages.put(tx, row)
          reads.put(tx, aReadRow({ lastReadAt }))
        })
        const context = { viewerId: 'me', lastReadAt, hideBefore, mutedUserIds: new Set(['muted']) }
        const expected = rows.filter((row) => countsAsUnread(row, context))
        const counted = unread.ofChannel(cache.reader, CID, NOW)
        expect(counted.unread).toBe(expected.length)
        expect(counted.mentions).toBe(expected.filter((row) => row.mentionedUserIds.length > 0).length)
        const first = expected.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))[0]
        expect(counted.firstId).toBe(first?.id)
      },
    ),
    { numRuns: 150 },
  )
})

describe('when messages since the mark are missing in the cache', () => {
  const row = (n: number, more: Partial<MessageRow> = {}) =>
    aMessageRow({ id: asMessageId(`m${n}`), createdAt: n, asOf: n, ...more })

  /** The newest two of a channel where the server counts 40 up to message 100, read up to message 10. */
  function fewOfMany(read: Partial<ReadRow> = {}): Store {
    const { cache } = openTestStores()
    cache.transaction((tx) => {
      channels.put(tx, aChannelRow())
      timeline.applyPage(tx, { scope, query: { kind: 'newest' }, requested: 2, asOf: 90, rows: [row(99), row(100)] })
      reads.put(tx, aReadRow({ lastReadAt: 10, unread: 40, countedAt: 100, asOf: 90, ...read }))
    })
    return cache
  }
  const count = (cache: Store, lastReadAt?: number) => unread.ofChannel(cache.reader, CID, NOW, lastReadAt).unread

  test('the server’s count applies', () => {
    expect(count(fewOfMany())).toBe(40)
  })

  test('later messages are added by query, each once', () => {
    const cache = fewOfMany()
    for (const _ of [1, 2]) cache.transaction((tx) => timeline.receive(tx, row(101), true))
    cache.transaction((tx) => timeline.receive(tx, row(102, { userId: asUserId('me') }), true))
    expect(count(cache)).toBe(41)
  })

  test('messages deleted since are subtracted, cached or not, after soft and hard deletions', () => {
    const cache = fewOfMany()
    cache.transaction((tx) => {
      messages.put(tx, row(100, { type: 'deleted', deletedAt: 110, text: '', asOf: 110 }))
      messages.put(tx, row(50, { type: 'deleted', deletedAt: 111, text: '', asOf: 111 }))
      removal.removeForGood(tx, row(51, { type: 'deleted', deletedAt: 112 }), 112)
    })
    expect(count(cache)).toBe(37)
  })

  test('the server’s count from before the history was cleared is ignored', () => {
    const cache = fewOfMany()
    cache.transaction((tx) => {
      channels.patch(tx, CID, { hideBefore: 200 })
      removal.truncate(tx, CID, 200)
      timeline.receive(tx, row(201), true)
    })
    expect(count(cache)).toBe(1)
  })

  test('the viewer’s own mark at the newest message reads everything before the server confirms it', () => {
    expect(count(fewOfMany(), 100)).toBe(0)
  })

  test('the viewer’s own mark further back counts at least the cached messages', () => {
    expect(count(fewOfMany({ lastReadAt: 100, unread: 0 }), 98)).toBe(2)
  })

  test('when the pages reach back to the mark, only the query counts', () => {
    const cache = fewOfMany({ unread: 39 })
    const older = Array.from({ length: 5 }, (_, n) => row(6 + n))
    const query = { kind: 'older', cursor: { createdAt: 99, id: 'm99' } } as const
    cache.transaction((tx) => timeline.applyPage(tx, { scope, query, requested: 5, asOf: 120, rows: older }))
    expect(unread.ofChannel(cache.reader, CID, NOW)).toMatchObject({ unread: 2, complete: true })
  })
})

test('a channel without the right to read marks counts nothing', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow({ capabilities: ['send-message'] }))
    messages.put(tx, aMessageRow())
    reads.put(tx, aReadRow())
  })
  expect(unread.ofChannel(cache.reader, CID, NOW)).toMatchObject({ unread: 0, mentions: 0 })
})

test('a thread counts its own replies, whether or not they are shown in the channel', () => {
  const { cache } = openTestStores()
  const parentId = asMessageId('p')
  const reply = (n: number, showInChannel: boolean) =>
    aMessageRow({ id: asMessageId(`r${n}`), parentId, showInChannel, createdAt: n })
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow())
    for (const row of [reply(1, false), reply(2, true), reply(3, false)]) messages.put(tx, row)
    reads.put(tx, aReadRow({ threadId: parentId, lastReadAt: 1, unread: 2, countedAt: 3 }))
  })
  expect(unread.ofThread(cache.reader, CID, parentId, NOW)).toBe(2)
  expect(unread.ofThread(cache.reader, CID, parentId, NOW, 2)).toBe(1)
})

describe('read marks', () => {
  const own = (cache: Store) => reads.own(cache.reader, CID)

  test('of others never go back', () => {
    const { cache } = openTestStores()
    const mark = aReadRow({ userId: asUserId('ana') })
    cache.transaction((tx) => {
      reads.put(tx, { ...mark, lastReadAt: 9, asOf: 9 })
      reads.put(tx, { ...mark, lastReadAt: 5, asOf: 10 })
    })
    expect(reads.others(cache.reader, CID).map((row) => row.lastReadAt)).toEqual([9])
  })

  test('of the viewer go back by a later copy of the server, and not by an older event', () => {
    const { cache } = openTestStores()
    cache.transaction((tx) => {
      reads.put(tx, aReadRow({ lastReadAt: 90, asOf: 90 }))
      reads.put(tx, aReadRow({ lastReadAt: 30, unread: 4, countedAt: 100, asOf: 100 }))
      reads.advance(tx, { cid: CID, userId: asUserId('me'), at: 95 })
      reads.put(tx, aReadRow({ lastReadAt: 90, asOf: 90 }))
    })
    expect(own(cache)).toMatchObject({ lastReadAt: 30, unread: 4 })
  })

  test('are all set when the server reports that nothing is unread', () => {
    const { cache } = openTestStores()
    cache.transaction((tx) => {
      channels.put(tx, aChannelRow())
      reads.put(tx, aReadRow({ lastReadAt: 3, unread: 7, asOf: 10 }))
      reads.allRead(tx, 20)
    })
    expect(own(cache)).toMatchObject({ lastReadAt: 20, unread: 0, countedAt: 20 })
  })
})
