import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMessageRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { MessageRow } from '../rows.ts'
import type { Touched, Tx } from '../store.ts'
import * as messages from './messages.ts'
import { mergeMessage } from './messages.ts'
import * as removal from './removal.ts'

test('a message is read back as it was written', () => {
  const { cache } = openTestStores()
  const row = aMessageRow({
    parentId: asMessageId('p1'),
    quotedId: asMessageId('q1'),
    quoted: { id: asMessageId('q1'), userId: asUserId('bo'), text: 'words', deleted: false, attachments: [] },
    attachments: [{ kind: 'image', url: 'https://cdn.example/1.png', raw: { type: 'image' } }],
    mentionedUserIds: [asUserId('me')],
    reactionGroups: [{ type: 'like', count: 2, sumScores: 2, firstAt: 1, lastAt: 2 }],
    ownReactions: ['like'],
    pinned: true,
    pinnedAt: 1_500.25,
    createdAt: 1_000.123_456,
    custom: { mood: 'calm' },
  })
  cache.transaction((tx) => messages.put(tx, row))
  expect(messages.byId(cache.reader, 'm1')).toEqual(row)
})

test('an older copy of a message changes nothing and reports no change', () => {
  const touched: Touched[] = []
  const { cache } = openTestStores({ onCommit: (one) => touched.push(one) })
  const newer = aMessageRow({ text: 'second', updatedAt: 2_000, asOf: 2_000 })
  cache.transaction((tx) => messages.put(tx, newer))
  touched.length = 0
  cache.transaction((tx) => messages.put(tx, aMessageRow({ text: 'first', updatedAt: 1_000, asOf: 1_000 })))
  expect(messages.byId(cache.reader, 'm1')).toEqual(newer)
  expect(touched).toEqual([])
})

test('an equal copy of a later time is stored without reporting a change', () => {
  const touched: Touched[] = []
  const { cache } = openTestStores({ onCommit: (one) => touched.push(one) })
  cache.transaction((tx) => messages.put(tx, aMessageRow()))
  touched.length = 0
  cache.transaction((tx) => messages.put(tx, aMessageRow({ asOf: 9_000 })))
  expect(touched).toEqual([])
  expect(messages.byId(cache.reader, 'm1')?.asOf).toBe(9_000)
})

test('reactions follow the later server time even if the text is older', () => {
  const stored = aMessageRow({ text: 'edited', updatedAt: 5_000, asOf: 5_000 })
  const groups = [{ type: 'like', count: 1, sumScores: 1, firstAt: 6_000, lastAt: 6_000 }]
  const event = aMessageRow({ text: 'first', updatedAt: 1_000, reactionGroups: groups, asOf: 6_000 })
  expect(mergeMessage(stored, event)).toEqual({ ...stored, reactionGroups: groups, asOf: 6_000 })
})

test('own reactions are preserved if a broadcast has none', () => {
  const stored = aMessageRow({ ownReactions: ['like'] })
  expect(mergeMessage(stored, aMessageRow({ asOf: 2_000 })).ownReactions).toEqual(['like'])
})

test('a response requested before an event, with a later reaction, is the newer copy', () => {
  const fromEvent = aMessageRow({ createdAt: 1_000, asOf: 1_000 })
  const group = { type: 'like', count: 1, sumScores: 1, firstAt: 1_030, lastAt: 1_030 }
  const fromAnswer = aMessageRow({ createdAt: 1_000, reactionGroups: [group], asOf: 990 })
  expect(mergeMessage(fromEvent, fromAnswer).reactionGroups).toEqual([group])
})

test('merging copies of one message gives the same row in any order and with repeats', () => {
  const copy = fc.nat(5).map((version): MessageRow =>
    aMessageRow({
      text: `text ${version}`,
      updatedAt: 1_000 + version,
      asOf: 1_000 + version,
      reactionGroups: [{ type: 'like', count: version + 1, sumScores: 1, firstAt: 1, lastAt: version }],
      ...(version === 5 ? { type: 'deleted' as const, deletedAt: 1_005, text: '' } : {}),
    }),
  )
  fc.assert(
    fc.property(fc.array(copy, { minLength: 1, maxLength: 8 }), (copies) => {
      const fold = (rows: readonly MessageRow[]) => rows.reduce((a, b) => mergeMessage(a, b))
      expect(fold(copies.toReversed())).toEqual(fold(copies))
      expect(fold([...copies, ...copies])).toEqual(fold(copies))
    }),
  )
})

test('a late copy does not restore a hard-deleted message', () => {
  const { cache } = openTestStores()
  const row = aMessageRow()
  cache.transaction((tx) => {
    messages.put(tx, row)
    removal.removeForGood(tx, row, 2_000)
    messages.put(tx, { ...row, updatedAt: 3_000, asOf: 3_000 })
  })
  expect(messages.byId(cache.reader, 'm1')).toBeUndefined()
})

test('a hard delete that arrives before its message still applies', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    removal.removeForGood(tx, aMessageRow(), 2_000)
    messages.put(tx, aMessageRow())
  })
  expect(messages.byId(cache.reader, 'm1')).toBeUndefined()
})

test('the messages that quote a message are touched when it changes', () => {
  const touched: Touched[] = []
  const { cache } = openTestStores({ onCommit: (one) => touched.push(one) })
  cache.transaction((tx) => {
    messages.put(tx, aMessageRow())
    messages.put(tx, aMessageRow({ id: asMessageId('m2'), quotedId: asMessageId('m1') }))
  })
  touched.length = 0
  cache.transaction((tx) => messages.put(tx, aMessageRow({ text: 'edited', updatedAt: 2_000 })))
  expect([...(touched[0]?.entities.get('messages') ?? [])]).toEqual(['m1', 'm2'])
})

test('a reply touches its parent, its thread, and the channel only if it is shown there', () => {
  const touched: Touched[] = []
  const { cache } = openTestStores({ onCommit: (one) => touched.push(one) })
  const reply = aMessageRow({ id: asMessageId('r1'), parentId: asMessageId('m1') })
  cache.transaction((tx) => messages.put(tx, reply))
  expect([...(touched[0]?.windows ?? [])]).toEqual([`pinned:${CID}`, 'thread:m1'])
  expect([...(touched[0]?.entities.get('messages') ?? [])]).toEqual(['r1', 'm1'])
  cache.transaction((tx) => messages.put(tx, { ...reply, id: asMessageId('r2'), showInChannel: true }))
  expect(touched[1]?.windows.has(`timeline:${CID}`)).toBe(true)
})

test('soft-deleting all messages of a person removes their attachments and affects no one else', () => {
  const { cache } = openTestStores()
  const mine = aMessageRow({ attachments: [{ kind: 'file', raw: {} }] })
  const other = aMessageRow({ id: asMessageId('m2'), userId: asUserId('bo') })
  cache.transaction((tx) => {
    messages.put(tx, mine)
    messages.put(tx, other)
    removal.deleteOfUser(tx, asUserId('ana'), { hard: false, at: 5_000 })
  })
  expect(messages.byIds(cache.reader, ['m1', 'm2'])).toEqual([
    { ...mine, type: 'deleted', attachments: [], deletedAt: 5_000 },
    other,
  ])
})

test('the messages that quote one of several are touched, also after a part of the transaction was undone', () => {
  const touched: string[] = []
  const { cache } = openTestStores({
    onCommit: ({ entities }) => touched.push(...(entities.get('messages') ?? [])),
  })
  const ids = ['a', 'b', 'c']
  cache.transaction((tx) => {
    for (const id of ids) {
      messages.put(tx, aMessageRow({ id: asMessageId(id) }))
      messages.put(tx, aMessageRow({ id: asMessageId(`of-${id}`), quotedId: asMessageId(id) }))
    }
  })
  touched.length = 0
  const edit = (tx: Tx, id: string): void =>
    void messages.put(tx, aMessageRow({ id: asMessageId(id), text: 'other words', updatedAt: 2_000 }))
  cache.transaction((tx) => {
    const undone = () =>
      cache.transaction((inner) => {
        edit(inner, 'a')
        throw new Error('undone')
      })
    expect(undone).toThrow('undone')
    edit(tx, 'b')
    edit(tx, 'c')
  })
  expect(touched).toEqual(expect.arrayContaining(['b', 'c', 'of-b', 'of-c']))
})

test('hard-deleting all messages of a person leaves only their positions, also inside quotes', () => {
  const { cache } = openTestStores()
  const quoted = { id: asMessageId('m1'), userId: asUserId('ana'), text: 'secret', deleted: false, attachments: [] }
  cache.transaction((tx) => {
    messages.put(tx, aMessageRow({ text: 'secret', mentionedUserIds: [asUserId('bo')], ownReactions: ['like'] }))
    messages.put(
      tx,
      aMessageRow({ id: asMessageId('m2'), userId: asUserId('bo'), quotedId: asMessageId('m1'), quoted }),
    )
    removal.deleteOfUser(tx, asUserId('ana'), { hard: true, at: 5_000 })
  })
  const [gone, quoting] = messages.byIds(cache.reader, ['m1', 'm2'])
  expect(gone).toMatchObject({ type: 'deleted', text: '', mentionedUserIds: [], ownReactions: [], createdAt: 1_000 })
  expect(quoting?.quoted).toMatchObject({ deleted: true, text: '' })
})

test('a truncation removes older messages and preserves the rest', () => {
  const { cache } = openTestStores()
  const at = (createdAt: number) => aMessageRow({ id: asMessageId(`m${createdAt}`), createdAt })
  cache.transaction((tx) => {
    for (const createdAt of [1, 2, 3, 4]) messages.put(tx, at(createdAt))
    removal.truncate(tx, CID, 3)
  })
  const left = messages.byIds(cache.reader, ['m1', 'm2', 'm3', 'm4'])
  expect(left.map((row) => row.id)).toEqual(['m3', 'm4'])
})

test('pins are listed newest first, without the deleted ones', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    messages.put(tx, aMessageRow({ id: asMessageId('a'), pinned: true, pinnedAt: 1 }))
    messages.put(tx, aMessageRow({ id: asMessageId('b'), pinned: true, pinnedAt: 3 }))
    messages.put(tx, aMessageRow({ id: asMessageId('c'), pinned: true, pinnedAt: 2, type: 'deleted', deletedAt: 4 }))
    messages.put(tx, aMessageRow({ id: asMessageId('d') }))
  })
  expect(messages.pinnedIds(cache.reader, CID)).toEqual(['b', 'a'])
  expect(messages.pinnedCount(cache.reader, CID)).toBe(2)
})

test('a failing transaction changes nothing, and a nested one is part of it', () => {
  const { cache } = openTestStores()
  const work = () =>
    cache.transaction((tx) => {
      cache.transaction((inner) => messages.put(inner, aMessageRow()))
      tx.touch('messages', 'm1')
      throw new Error('no')
    })
  expect(work).toThrow('no')
  expect(messages.byId(cache.reader, 'm1')).toBeUndefined()
})

test('several reads can share one snapshot, also inside a transaction', () => {
  const { cache } = openTestStores()
  const ids = () => cache.read((reader) => messages.byIds(reader, ['m1']).map((row) => row.id))
  const inside = cache.transaction((tx) => {
    messages.put(tx, aMessageRow())
    return ids()
  })
  expect(inside).toEqual(['m1'])
  expect(ids()).toEqual(['m1'])
})
