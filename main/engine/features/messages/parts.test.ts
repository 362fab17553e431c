import { expect, test } from 'vitest'
import { DEFAULT_MESSAGE_LENGTH } from '#shared/constants.ts'
import { aWireMessage, aWireUser, CID, refused } from '#kit/lone-engine.ts'
import { reading, send, type Lone, type SentBody } from '#kit/lone-talk.ts'

/** Three paragraphs, of which no two fit into one message. */
const PARAGRAPHS = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(DEFAULT_MESSAGE_LENGTH / 2 - 100).trim())
const LONG = PARAGRAPHS.join('\n\n')

const sent = (lone: Lone) => lone.api.to('SendMessage').map(({ body }) => (body as SentBody).message.text)
const items = (lone: Lone) => Object.values(lone.replica.tables.outbox ?? {})
const takeBack = async (lone: Lone, id: string) => {
  const back = await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
  await lone.clock.settle()
  return back
}

test('a text too long for one message is sent as several, in order, each as a separate intent', async () => {
  const lone = await reading()
  await lone.offline()
  await send(lone, LONG, { split: true })
  await send(lone, 'and then')
  expect(items(lone)).toHaveLength(4)
  await lone.online()
  await lone.clock.advance(10_000)
  expect(sent(lone)).toEqual([...PARAGRAPHS, 'and then'])
  expect(lone.replica.texts(CID).slice(-4)).toEqual([...PARAGRAPHS, 'and then'])
})

test('without confirmation it is refused, and so is a text for too many messages', async () => {
  const lone = await reading()
  await expect(send(lone, LONG)).rejects.toMatchObject({ code: 'composer/too-long' })
  const flood = Array.from({ length: 21 }, () => PARAGRAPHS[0]).join('\n\n')
  await expect(send(lone, flood, { split: true })).rejects.toMatchObject({ code: 'composer/too-long' })
  expect(items(lone)).toEqual([])
})

test('while undo is possible any part restores the whole text exactly', async () => {
  const lone = await reading()
  await send(lone, LONG, { split: true, undoForMs: 5_000 })
  const back = await takeBack(lone, items(lone)[1]?.id ?? '')
  await lone.clock.advance(10_000)
  expect(back.text).toBe(LONG)
  expect(sent(lone)).toEqual([])
  expect(items(lone)).toEqual([])
  expect(Object.values(lone.replica.tables.drafts ?? {})).toMatchObject([{ text: LONG }])
})

test('a rejected part blocks the rest, and canceling returns only unsent parts', async () => {
  const lone = await reading()
  lone.api.on('SendMessage', ({ body }) => {
    const { id, text } = (body as SentBody).message
    if (text.startsWith('b')) throw refused(403, 17)
    return { message: aWireMessage(id, 100_000, { text, user: aWireUser('me') }) }
  })
  await send(lone, LONG, { split: true })
  await lone.clock.advance(10_000)
  expect(items(lone).map(({ state }) => state)).toEqual(['parked', 'ready'])
  const back = await takeBack(lone, items(lone)[0]?.id ?? '')
  expect(back.text).toEqual(PARAGRAPHS.slice(1).join('\n\n'))
  expect(items(lone)).toEqual([])
})

test('removing one part parks the rest until the user sends all of it or none', async () => {
  const lone = await reading()
  await lone.offline()
  await send(lone, LONG, { split: true })
  await send(lone, 'and then')
  await lone.engine.handlers.outbox.discard({ id: items(lone)[0]?.id ?? '' }, lone.client)
  await lone.clock.settle()
  expect(items(lone).map(({ state, reason }) => [state, reason?.code])).toEqual([
    ['parked', 'outbox/part-removed'],
    ['parked', 'outbox/part-removed'],
    ['ready', undefined],
  ])
  await lone.online()
  await lone.clock.advance(10_000)
  expect(sent(lone)).toEqual(['and then'])
  await lone.engine.handlers.outbox.retry({ id: items(lone)[0]?.id ?? '' }, lone.client)
  await lone.clock.advance(10_000)
  expect(sent(lone)).toEqual(['and then', ...PARAGRAPHS.slice(1)])
  expect(items(lone)).toEqual([])
})
