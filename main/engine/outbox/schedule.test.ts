import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aWireMessage, aWireUser, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading, send, type Lone, type SentBody } from '#kit/lone-talk.ts'

const HOUR = 3_600_000
const sentTexts = (lone: Lone) => lone.api.to('SendMessage').map((request) => (request.body as SentBody).message.text)
const timeline = (lone: Lone) => lone.replica.windows.get(`timeline:${CID}`)?.ids ?? []
const items = (lone: Lone) => Object.values(lone.replica.tables.outbox ?? {})
const later = (lone: Lone, text: string, inMs: number) => send(lone, text, { sendAt: lone.clock.now() + inMs })
const remove = async (lone: Lone, messageId: string, undoForMs?: number) => {
  await lone.engine.handlers.messages.delete({ messageId: asMessageId(messageId), undoForMs }, lone.client)
  await lone.clock.settle()
}

test('a scheduled message is in no timeline and blocks nothing until its time', async () => {
  const lone = await reading()
  await later(lone, 'tomorrow', HOUR)
  await send(lone, 'now')
  await lone.clock.advance(HOUR - 1_000)
  expect(sentTexts(lone)).toEqual(['now'])
  expect(timeline(lone).length).toBe(2)
  expect(items(lone)).toMatchObject([{ state: 'scheduled', summary: 'tomorrow' }])
  await lone.clock.advance(2_000)
  expect(sentTexts(lone)).toEqual(['now', 'tomorrow'])
  expect(timeline(lone).length).toBe(3)
  expect(items(lone)).toEqual([])
})

test('scheduled messages are sent in the order of their times, behind the queue', async () => {
  const lone = await reading()
  await later(lone, 'second', 2_000)
  await later(lone, 'first', 1_000)
  await lone.offline()
  await send(lone, 'written offline')
  await lone.clock.advance(5_000)
  await lone.online()
  await lone.clock.advance(5_000)
  expect(sentTexts(lone)).toEqual(['written offline', 'first', 'second'])
})

test('the time can be changed, and sending now is possible', async () => {
  const lone = await reading()
  const id = await later(lone, 'moved', 1_000)
  await lone.engine.handlers.outbox.schedule({ id, at: lone.clock.now() + HOUR }, lone.client)
  await lone.clock.advance(60_000)
  expect(sentTexts(lone)).toEqual([])
  expect(items(lone)[0]?.sendAt).toEqual(expect.any(Number))
  await lone.engine.handlers.outbox.schedule({ id, at: undefined }, lone.client)
  await lone.clock.advance(10)
  expect(sentTexts(lone)).toEqual(['moved'])
})

test('a scheduled message that is canceled is a draft again, and is never sent', async () => {
  const lone = await reading()
  const id = await later(lone, 'not yet', 1_000)
  await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
  await lone.clock.advance(10_000)
  expect(sentTexts(lone)).toEqual([])
  expect(items(lone)).toEqual([])
  expect(Object.values(lone.replica.tables.drafts ?? {})).toMatchObject([{ text: 'not yet' }])
})

test('a message that can be undone is shown at once and sent when its seconds have passed', async () => {
  const lone = await reading()
  const id = await send(lone, 'oops', { undoForMs: 5_000 })
  expect(lone.replica.tables.messages?.[id]).toMatchObject({ text: 'oops', undoUntil: lone.clock.now() + 5_000 })
  await lone.clock.advance(4_900)
  expect(sentTexts(lone)).toEqual([])
  await lone.clock.advance(200)
  expect(sentTexts(lone)).toEqual(['oops'])
  expect(lone.replica.tables.messages?.[id]?.undoUntil).toBeUndefined()
})

const own = aWireMessage('m1', 1, { user: aWireUser('me'), text: 'mine' })
const readingOwn = () =>
  reading(
    [own],
    withChannel(new FakeApi(), [own]).on('DeleteMessage', () => ({ message: { ...own, type: 'deleted' } })),
  )

test('a deletion shows at once and can be undone for its seconds; then it is sent', async () => {
  const lone = await readingOwn()
  await remove(lone, 'm1', 8_000)
  expect(lone.replica.tables.messages?.['m1']).toMatchObject({ type: 'deleted', undoUntil: expect.any(Number) })
  await lone.engine.handlers.messages.undelete({ messageId: asMessageId('m1') }, lone.client)
  await lone.clock.advance(10_000)
  expect(lone.api.to('DeleteMessage').length).toBe(0)
  expect(lone.replica.tables.messages?.['m1']?.text).toBe('mine')
  await remove(lone, 'm1', 8_000)
  await lone.clock.advance(9_000)
  expect(lone.api.to('DeleteMessage')).toHaveLength(1)
})

test('a deletion that was sent cannot be undone, and reports that', async () => {
  const lone = await readingOwn()
  await remove(lone, 'm1')
  const undo = () => lone.engine.handlers.messages.undelete({ messageId: asMessageId('m1') }, lone.client)
  expect(undo).toThrow(expect.objectContaining({ code: 'message/deletion-done' }))
})

test('a message deleted before it was sent is held and never sent; once undone, it is sent', async () => {
  const lone = await reading()
  await lone.offline()
  const removed = await send(lone, 'never')
  const back = await send(lone, 'after all')
  await remove(lone, removed, 8_000)
  await remove(lone, back, 8_000)
  await lone.online()
  await lone.clock.advance(4_000)
  expect(sentTexts(lone)).toEqual([])
  await lone.engine.handlers.messages.undelete({ messageId: back }, lone.client)
  await lone.clock.advance(10_000)
  expect(sentTexts(lone)).toEqual(['after all'])
  expect(lone.api.to('DeleteMessage')).toEqual([])
})
