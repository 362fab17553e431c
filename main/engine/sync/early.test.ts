import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { at, aWireChannelState, aWireMessage, aWireUser, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

/** A page requested around `old` whose response is in flight. */
async function pageOnItsWay(): Promise<{ lone: Lone; arrives: () => Promise<void> }> {
  const lone = await reading([aWireMessage('m1', 1)], withChannel(new FakeApi(), [aWireMessage('m1', 1)]))
  let answer: (value: unknown) => void = () => {}
  lone.api.on('GetOrCreateChannel', () => new Promise((resolve) => (answer = resolve)))
  lone.api.on('GetMessage', () => ({ message: aWireMessage('other', -80_000) }))
  const opened = lone.engine.handlers.channels.open({ cid: asCid(CID), around: asMessageId('other') }, lone.client)
  await lone.clock.settle()
  return {
    lone,
    async arrives() {
      answer(aWireChannelState([aWireMessage('old', -90_000), aWireMessage('other', -80_000)]))
      await opened
      await lone.clock.settle()
    },
  }
}

const shown = (lone: Lone) =>
  lone.engine.stores.cache.reader.db.get<object>(`SELECT type, text FROM messages WHERE id = 'old'`)

const about = (type: string, ms: number, fields: Record<string, unknown> = {}) => ({
  type,
  cid: CID,
  created_at: at(ms),
  user: aWireUser('ana'),
  message: aWireMessage('old', -90_000, { updated_at: at(ms), ...fields }),
})

const like = (by: string, ms: number) => {
  const reaction = { type: 'like', user_id: by, user: aWireUser(by), score: 1, created_at: at(ms), updated_at: at(ms) }
  const group = { count: 1, sum_scores: 1, first_reaction_at: at(ms), last_reaction_at: at(ms) }
  return { latest_reactions: [reaction], reaction_groups: { like: group }, reaction }
}

test('text changed while the page with the message was in flight is the new text', async () => {
  const { lone, arrives } = await pageOnItsWay()
  await lone.hear(about('message.updated', 5_000, { text: 'new words' }))
  expect(shown(lone)).toBeUndefined()
  await arrives()
  expect(shown(lone)).toMatchObject({ text: 'new words' })
})

test('a message deleted meanwhile is shown as deleted', async () => {
  const { lone, arrives } = await pageOnItsWay()
  await lone.hear(about('message.deleted', 5_000, { type: 'deleted', deleted_at: at(5_000) }))
  await arrives()
  expect(shown(lone)).toMatchObject({ type: 'deleted' })
})

test('a reaction received before its message is shown with it, own reactions included', async () => {
  const { lone, arrives } = await pageOnItsWay()
  const { reaction, ...groups } = like('me', 5_000)
  await lone.hear({ ...about('reaction.new', 5_000, groups), reaction, user: aWireUser('me') })
  await arrives()
  const message = lone.replica.messages(`timeline:${CID}`).find(({ id }) => id === 'old')
  expect(message?.reactions).toMatchObject([{ type: 'like', count: 1, own: true }])
})

test('changes of messages that never arrive are stored up to a bound', async () => {
  const lone = await reading()
  for (let n = 0; n < 600; n += 1)
    await lone.hear({ ...about('message.updated', 5_000), message: aWireMessage(`far-${n}`, -90_000, { text: 'new' }) })
  const message = (id: string) => aWireMessage(id, -90_000)
  const hear = (id: string) => lone.hear({ type: 'message.new', cid: CID, created_at: at(1), message: message(id) })
  await hear('far-0')
  await hear('far-599')
  const texts = lone.engine.stores.cache.reader.db.all<{ text: string }>(
    `SELECT text FROM messages WHERE id LIKE 'far-%' ORDER BY id`,
  )
  expect(texts.map(({ text }) => text)).toEqual(['far-0', 'new'])
})
