import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_MESSAGE_LENGTH } from '#shared/constants.ts'
import type { Message } from '#shared/domain/message.ts'
import { createWorld, type World } from '#kit/world.ts'

/** What a text may contain, which texts are empty, and how long a text is: the same for window, engine and server. */
let world: World
beforeEach(async () => {
  world = await createWorld()
  await world.person('alice').open(world.cid)
  await world.person('bob').open(world.cid)
  await world.pass(1_000)
})
afterEach(() => world.stop())

const send = (text: string) => world.person('alice').ui.messages.send({ cid: world.cid, text })
const stored = () => world.stored(world.cid).map(({ text }) => text)

test.each([
  ['first\u0000secondhalf', 'firstsecondhalf'],
  ['half \uD83D of a sign', 'half \uFFFD of a sign'],
  ['\uDC4D\u0000', '\uFFFD'],
])('%j is sent as %j', async (text, sent) => {
  await send(text)
  await world.rest()
  expect(stored()).toEqual([sent])
  expect(world.person('bob').texts(world.cid)).toEqual([sent])
})

test('a client that sends such texts to the server receives the text that everyone else does', async () => {
  const path = `/channels/${world.cid.replace(':', '/')}/message`
  const { message } = (await world.as('bob', 'POST', path, {
    message: { text: 'a\u0000b \uD800', mood: 'odd \uDFFF' },
  })) as { message: { text: string; mood: string } }
  await world.rest()
  expect(message.text).toBe('ab \uFFFD')
  expect(message.mood).toBe('odd \uFFFD')
  expect(stored()).toEqual([message.text])
  expect(world.person('alice').texts(world.cid)).toEqual([message.text])
})

test('a window receives the tree of a text with formatting, as it now is, and none of a plain one', async () => {
  const { ui } = world.person('alice')
  const seen = () =>
    world
      .person('bob')
      .messages(world.cid)
      .map(({ text, blocks }) => [text, blocks])
  await send('On my way')
  await send('at **noon**')
  await world.rest()
  const noon = { kind: 'text', text: 'noon' }
  const tree = [
    {
      kind: 'paragraph',
      children: [
        { kind: 'text', text: 'at ' },
        { kind: 'strong', children: [noon] },
      ],
    },
  ]
  expect(seen()).toEqual([
    ['On my way', undefined],
    ['at **noon**', tree],
  ])
  const [, { id: messageId }] = world.person('alice').messages(world.cid) as [Message, Message]
  await ui.messages.edit({ messageId, text: 'at noon' })
  await world.rest()
  expect(seen().at(-1)).toEqual(['at noon', undefined])
})

test('a text as long as a channel allows is sent, whatever its characters', async () => {
  const emoji = '👍'.repeat(DEFAULT_MESSAGE_LENGTH)
  await send(emoji)
  await world.rest()
  expect(stored()).toEqual([emoji])
  await expect(send(`${emoji}!`)).rejects.toMatchObject({ code: 'composer/too-long' })
})

test.each(['\u200D', '\u200B'.repeat(5), ' \u00A0\u3000', '\u0301', '\u3164\u2800'])(
  'a text with nothing visible cannot be sent, and is no name: %j',
  async (blank) => {
    const { ui } = world.person('alice')
    await expect(send(blank)).rejects.toMatchObject({ code: 'composer/empty' })
    const path = `/channels/${world.cid.replace(':', '/')}`
    await expect(world.as('bob', 'POST', `${path}/message`, { message: { text: blank } })).rejects.toThrow('empty')
    const made = ui.channels.create({ name: blank, isPrivate: false, memberIds: [] })
    await expect(made).rejects.toMatchObject({ code: 'bridge/invalid-input' })
    const poll = { name: 'Lunch?', options: [{ text: blank }] }
    await expect(world.as('bob', 'POST', '/polls', poll)).rejects.toThrow('options')
  },
)
