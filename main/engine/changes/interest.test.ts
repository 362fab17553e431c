import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { aWireMessage, aWireUser, CID } from '#kit/lone-engine.ts'
import { open, reading, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const heldMessages = (lone: Lone) => Object.keys(lone.replica.tables.messages ?? {}).toSorted()

const poll = { id: 'p1', name: 'Where?', options: [{ id: 'o1', text: 'Here' }], created_by: aWireUser('ana') }

test('a closed channel takes its messages, polls and reads out of the window', async () => {
  const lone = await reading([aWireMessage('m1', 1, { poll_id: 'p1', poll }), aWireMessage('m2', 2)])
  expect([heldMessages(lone), Object.keys(lone.replica.tables.polls ?? {})]).toEqual([['m1', 'm2'], ['p1']])
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  const { messages, polls, reads } = lone.replica.tables
  expect([messages, polls, reads, lone.replica.windows.has(`timeline:${CID}`)]).toEqual([{}, {}, {}, false])
})

test('a message that another open list still shows stays until that one closes too', async () => {
  const reply = aWireMessage('r1', 3, { type: 'reply', parent_id: 'm1' })
  const lone = await reading([aWireMessage('m1', 1, { reply_count: 1 }), aWireMessage('m2', 2)])
  lone.api.on('GetReplies', () => ({ messages: [reply] }))
  const parentId = asMessageId('m1')
  await lone.engine.handlers.threads.open({ cid, parentId, around: undefined }, lone.client)
  await lone.clock.settle()
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  expect(heldMessages(lone)).toEqual(['m1', 'r1'])
  await lone.engine.handlers.threads.close({ parentId }, lone.client)
  await lone.clock.settle()
  expect(heldMessages(lone)).toEqual([])
})

test('what happens in a closed channel no longer reaches the window', async () => {
  const lone = await reading()
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  const message = aWireMessage('m9', 9_000)
  await lone.hear({ type: 'message.new', cid: CID, created_at: message['created_at'], user: aWireUser('ana'), message })
  expect([heldMessages(lone), lone.replica.tables.channels?.[CID]?.unread]).toEqual([[], 2])
  await open(lone)
  expect(heldMessages(lone)).toEqual(['m1', 'm9'])
})
