import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, withChannel } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const BAD = { id: 7, text: 'no message' }

test('a malformed message removes no other one', async () => {
  const lone = await reading([aWireMessage('m1', 1), aWireMessage('m2', 2)])
  await lone.offline()
  withChannel(lone.api, [aWireMessage('m1', 1), BAD])
  await lone.online()
  expect(lone.replica.texts(CID)).toEqual(['m1', 'm2'])
})

test('a page with malformed messages is still a full page: there may be older ones', async () => {
  const page = Array.from({ length: 100 }, (_, index) => (index < 2 ? BAD : aWireMessage(`m${index}`, index)))
  const lone = await reading(page)
  expect(lone.replica.windows.get(`timeline:${CID}`)).toMatchObject({ hasPrev: true, hasNext: false })
})

test('a malformed reply removes no other one', async () => {
  const reply = (id: string, ms: number) => aWireMessage(id, ms, { type: 'reply', parent_id: 'm1' })
  const lone = await reading([aWireMessage('m1', 1, { reply_count: 2 })])
  const thread = { cid: cid, parentId: asMessageId('m1'), around: undefined }
  lone.api.on('GetReplies', () => ({ messages: [reply('r1', 2), reply('r2', 3)] }))
  await lone.engine.handlers.threads.open(thread, lone.client)
  await lone.clock.settle()
  lone.api.on('GetReplies', () => ({ messages: [reply('r1', 2), BAD] }))
  await lone.offline()
  await lone.online()
  expect(lone.replica.windows.get('thread:m1')?.ids).toEqual(['r1', 'r2'])
})

test('a malformed channel stays: only channels that the server leaves out are removed', async () => {
  const lone = await reading()
  await lone.offline()
  lone.api.on('QueryChannels', () => ({ channels: [{ channel: { cid: CID } }] }))
  lone.api.on('GetOrCreateChannel', () => aWireChannelState())
  await lone.online()
  expect(lone.replica.windows.get('channels')?.ids).toEqual([CID])
})

test('a page around a message, which lists one member and the viewer once more, removes no other members', async () => {
  const lone = await reading([aWireMessage('m9', 9)])
  expect(lone.replica.tables.channels?.[CID]?.faceIds).toEqual(['ana', 'me'])
  const me = { user_id: 'me', user: aWireUser('me') }
  lone.api.on('GetMessage', () => ({ message: aWireMessage('m1', 1) }))
  lone.api.on('GetOrCreateChannel', () => aWireChannelState([aWireMessage('m1', 1)], { members: [me] }))
  await lone.engine.handlers.channels.open({ cid, around: asMessageId('m1') }, lone.client)
  await lone.clock.settle()
  expect(lone.api.to('GetOrCreateChannel').at(-1)?.body).toMatchObject({ members: { limit: 1 } })
  expect(lone.replica.tables.channels?.[CID]?.faceIds).toEqual(['ana', 'me'])
})

test('in a new channel nothing is missing when the response to an own message arrives before an older message of another user', async () => {
  const lone = await reading([])
  await send(lone, 'mine')
  await lone.clock.advance(2_000)
  await lone.hear({ type: 'message.new', cid: CID, created_at: at(9_000), message: aWireMessage('earlier', 9_000) })
  const { ids, gapsBefore, hasPrev } = lone.replica.windows.get(`timeline:${CID}`) ?? {}
  expect(ids?.length).toBe(2)
  expect(ids?.[0]).toBe('earlier')
  expect(gapsBefore).toEqual([])
  expect(hasPrev).toBe(false)
})
