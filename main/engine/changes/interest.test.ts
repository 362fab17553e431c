import { expect, test } from 'vitest'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { asCid, asMessageId, type Cid } from '#shared/lib/brand.ts'
import { at, aWireMessage, aWireUser, CID } from '#kit/lone-engine.ts'
import { CACHED_LISTS } from './interest.ts'
import { open, reading, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const heldMessages = (lone: Lone) => Object.keys(lone.replica.tables.messages ?? {}).toSorted()

const poll = { id: 'p1', name: 'Where?', options: [{ id: 'o1', text: 'Here' }], created_by: aWireUser('ana') }

const close = async (lone: Lone) => {
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
}

const rests = (lone: Lone): boolean => lone.replica.windows.has(`timeline:${CID}`)

test('a closed channel keeps its rows for reopening, which then sends none again', async () => {
  const lone = await reading([aWireMessage('m1', 1, { poll_id: 'p1', poll }), aWireMessage('m2', 2)])
  await close(lone)
  expect(heldMessages(lone)).toEqual(['m1', 'm2'])
  expect(rests(lone)).toBe(true)
  const notified: ChangeSet[] = []
  lone.engine.onCommitted(({ changes }) => notified.push(...changes.values()))
  await open(lone)
  expect(notified.flatMap(({ put }) => Object.keys(put.messages ?? {}))).toEqual([])
  expect(lone.replica.texts(CID)).toHaveLength(2)
})

test('an open channel has the rows of its messages, whether one comes last or before others, and none of a removed one', async () => {
  const lone = await reading([aWireMessage('m1', 1_000), aWireMessage('m3', 3_000)])
  const arrives = (id: string, ms: number) =>
    lone.hear({ type: 'message.new', cid: CID, created_at: at(ms), user: by, message: aWireMessage(id, ms) })
  const shown = () => lone.replica.windows.get(`timeline:${CID}`)?.ids
  await arrives('m4', 4_000)
  expect(shown()).toEqual(['m1', 'm3', 'm4'])
  expect(heldMessages(lone)).toEqual(['m1', 'm3', 'm4'])
  await arrives('m2', 2_000)
  expect(shown()).toEqual(['m1', 'm2', 'm3', 'm4'])
  expect(heldMessages(lone)).toEqual(['m1', 'm2', 'm3', 'm4'])
  await lone.hear({
    type: 'message.deleted',
    cid: CID,
    created_at: at(5_000),
    hard_delete: true,
    message: aWireMessage('m4', 4_000),
  })
  expect(shown()).toEqual(['m1', 'm2', 'm3'])
  expect(heldMessages(lone)).toEqual(['m1', 'm2', 'm3'])
})

test('of a list that only grew, a window is told what was added, and of any other all of it', async () => {
  const lone = await reading([aWireMessage('m1', 1_000), aWireMessage('m3', 3_000)])
  const told: ChangeSet[] = []
  lone.engine.onCommitted(({ changes }) => told.push(...changes.values()))
  const arrives = (id: string, ms: number) =>
    lone.hear({ type: 'message.new', cid: CID, created_at: at(ms), user: by, message: aWireMessage(id, ms) })
  const lists = () =>
    told
      .splice(0)
      .flatMap(({ windows, grown = [] }) => [
        ...windows.filter(({ key }) => key === `timeline:${CID}`).map(({ ids }) => ids),
        ...grown.map(({ more }) => ({ more })),
      ])
  await arrives('m4', 4_000)
  expect(lists()).toEqual([{ more: ['m4'] }])
  await arrives('m2', 2_000)
  expect(lists()).toEqual([['m1', 'm2', 'm3', 'm4']])
})

const by = aWireUser('ana')
const REACTION = { message_id: 'm1', user_id: 'ana', user: by, type: 'like', score: 1 }

test.each([
  ['a new message', { type: 'message.new', message: aWireMessage('m9', 9_000) }],
  ['an edit', { type: 'message.updated', message: aWireMessage('m1', 1, { text: 'Not so', updated_at: 9_000 }) }],
  ['a deletion', { type: 'message.deleted', message: aWireMessage('m1', 1, { type: 'deleted', deleted_at: 9_000 }) }],
  [
    'a reaction',
    { type: 'reaction.new', reaction: REACTION, message: aWireMessage('m1', 1, { reaction_counts: { like: 1 } }) },
  ],
  ['someone’s reading', { type: 'message.read', user: by }],
  ['a vote', { type: 'poll.vote_casted', poll: { ...poll, vote_count: 1 }, poll_vote: { id: 'v1', option_id: 'o1' } }],
  ['an import into its history', { type: 'channel.updated', channel: { cid: CID }, history_changed: true }],
  ['the end of its history', { type: 'channel.truncated', channel: { cid: CID, truncated_at: at(9_000) } }],
])('%s in a channel that was left takes its rows out of the window, all at once', async (_what, event) => {
  const lone = await reading([aWireMessage('m1', 1, { poll_id: 'p1', poll }), aWireMessage('m2', 2)])
  await close(lone)
  await lone.hear({ cid: CID, created_at: new Date(9_000).toISOString(), user: by, ...event })
  const { messages, polls, reads } = lone.replica.tables
  expect(messages).toEqual({})
  expect(polls).toEqual({})
  expect(reads).toEqual({})
  expect(rests(lone)).toBe(false)
})

test('of the closed channels, the last ten are cached', async () => {
  const lone = await reading()
  const others = Array.from({ length: CACHED_LISTS }, (_, index) => asCid(`messaging:other-${index}`))
  await close(lone)
  for (const other of others.slice(0, -1)) await visit(lone, other)
  expect(rests(lone)).toBe(true)
  for (const other of others.slice(-1)) await visit(lone, other)
  expect(rests(lone)).toBe(false)
  expect(heldMessages(lone)).toEqual([])
})

async function visit(lone: Lone, other: Cid): Promise<void> {
  await lone.engine.handlers.channels.open({ cid: other, around: undefined }, lone.client)
  await lone.clock.settle()
  await lone.engine.handlers.channels.close({ cid: other }, lone.client)
  await lone.clock.settle()
}

test('a message that another list still shows stays when the closed list is dropped', async () => {
  const reply = aWireMessage('r1', 3, { type: 'reply', parent_id: 'm1' })
  const lone = await reading([aWireMessage('m1', 1, { reply_count: 1 }), aWireMessage('m2', 2)])
  lone.api.on('GetReplies', () => ({ messages: [reply] }))
  const parentId = asMessageId('m1')
  await lone.engine.handlers.threads.open({ cid, parentId, around: undefined }, lone.client)
  await lone.clock.settle()
  await close(lone)
  await lone.hear({ type: 'message.updated', cid: CID, user: by, message: aWireMessage('m2', 2, { text: 'No' }) })
  expect(heldMessages(lone)).toEqual(['m1', 'r1'])
})

test('what happens in a closed channel no longer reaches the window', async () => {
  const lone = await reading()
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  const message = aWireMessage('m9', 9_000)
  await lone.hear({ type: 'message.new', cid: CID, created_at: message['created_at'], user: aWireUser('ana'), message })
  expect(heldMessages(lone)).toEqual([])
  expect(lone.replica.tables.channels?.[CID]?.unread).toBe(2)
  await open(lone)
  expect(heldMessages(lone)).toEqual(['m1', 'm9'])
})
