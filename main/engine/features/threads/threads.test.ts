import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireMessage, aWireUser, CID, refused } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const cid = asCid(CID)
const parentId = asMessageId('m1')
const parentOf = (user: string) => aWireMessage('m1', 1, { user: aWireUser(user), reply_count: 1 })
const reply = (id: string, ms: number) => aWireMessage(id, ms, { type: 'reply', parent_id: 'm1' })
const replyEvent = (id: string, ms: number, type = 'message.new') => ({
  type,
  cid: CID,
  created_at: at(ms),
  user: aWireUser('ana'),
  message: reply(id, ms),
  thread_id: 'm1',
  channel: { id: 'general', type: 'team', cid: CID },
})
const unreadOf = (lone: Lone) => lone.replica.tables.messages?.['m1']?.thread?.unread

test('a reply to an own message is unread until the thread is read, also while offline', async () => {
  const lone = await reading([parentOf('me')])
  await lone.hear(replyEvent('r1', 2_000), replyEvent('r2', 3_000))
  expect(unreadOf(lone)).toBe(2)
  await lone.offline()
  await lone.engine.handlers.threads.markRead({ cid, parentId }, lone.client)
  await lone.clock.settle()
  expect(unreadOf(lone)).toBe(0)
  lone.api.on('MarkRead', () => ({ event: { type: 'message.read', created_at: at(4_000) } }))
  await lone.online()
  expect(unreadOf(lone)).toBe(0)
  expect(lone.api.to('MarkRead')[0]?.body).toEqual({ thread_id: 'm1' })
})

test('a thread of others is followed only once the server says that the viewer participates', async () => {
  const lone = await reading([parentOf('ana')])
  await lone.hear(replyEvent('r1', 2_000))
  expect(unreadOf(lone)).toBe(0)
  await lone.hear(replyEvent('r2', 3_000), replyEvent('r2', 3_000, 'notification.thread_message_new'))
  expect(unreadOf(lone)).toBe(1)
})

test('a thread read on another device is read here', async () => {
  const lone = await reading([parentOf('me')])
  await lone.hear(replyEvent('r1', 2_000))
  await lone.hear({ type: 'notification.mark_read', cid: CID, created_at: at(5_000), thread_id: 'm1' })
  expect(unreadOf(lone)).toBe(0)
})

test('AGR-69 the state of another thread than the requested one is an error, and is not stored', async () => {
  const lone = await reading([parentOf('me')])
  const other = { channel_cid: CID, title: 'Other', latest_replies: [reply('r9', 9_000)] }
  lone.api.on('GetThread', () => ({ thread: { ...other, parent_message_id: 'm2' } }))
  lone.api.on('GetReplies', () => ({ messages: [] }))
  await lone.engine.handlers.threads.open({ cid, parentId }, lone.client)
  await lone.clock.settle()
  expect(lone.log.filter(({ event }) => event === 'thread-state').map(({ fields }) => fields)).toEqual([
    { code: 'server/unavailable' },
  ])
  expect(lone.replica.messages('thread:m1').map(({ id }) => id)).not.toContain('r9')
})

test('AGR-48 a thread whose channel is no longer watched is outdated: on a screen it is reloaded, otherwise when it is opened', async () => {
  const lone = await reading([parentOf('me')])
  lone.api.on('GetThread', () => ({ thread: { parent_message_id: 'm1' } }))
  lone.api.on('GetReplies', () => ({ messages: [reply('r1', 2_000)] }))
  await lone.engine.handlers.threads.open({ cid, parentId }, lone.client)
  await lone.clock.settle()
  lone.api.on('GetReplies', () => ({ messages: [reply('r1', 2_000), reply('r2', 3_000)] }))
  const stop = (user: string) => ({
    type: 'user.watching.stop',
    cid: CID,
    created_at: at(4_000),
    user: aWireUser(user),
    watcher_count: 1,
  })
  const shown = () => lone.replica.messages('thread:m1').map(({ id }) => id)
  await lone.hear(stop('ana'))
  expect(shown()).toEqual(['r1'])
  const requestCount = () => lone.api.to('GetOrCreateChannel').length
  const before = requestCount()
  await lone.hear(stop('me'))
  expect(shown()).toEqual(['r1', 'r2'])
  expect(requestCount()).toEqual(before + 1)
})

test('its queued mark survives the channel being marked unread', async () => {
  const lone = await reading([parentOf('me')])
  await lone.hear(replyEvent('r1', 2_000))
  lone.api.on('MarkRead', () => {
    throw refused(500, -1)
  })
  lone.api.on('MarkUnread', () => ({}))
  await lone.engine.handlers.threads.markRead({ cid, parentId }, lone.client)
  await lone.clock.advance(500)
  expect(unreadOf(lone)).toBe(0)
  await lone.engine.handlers.channels.markUnread({ cid, messageId: parentId }, lone.client)
  await lone.clock.settle()
  expect(unreadOf(lone)).toBe(0)
})
