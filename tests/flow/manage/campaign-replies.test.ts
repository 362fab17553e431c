import { afterEach, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { distinctId } from '#main/lib/ids.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { createWorld, type World } from '#kit/world.ts'

/** What people answer to a campaign of `alice`: she and `erin` may manage campaigns on their devices. */

let world: World
let stopTimer = (): void => undefined
afterEach(async () => {
  stopTimer()
  await world.stop()
})

type Administrator = 'alice' | 'erin'
const campaigns = (userId: Administrator = 'alice') => world.person(userId).ui.campaigns
const cidWith = (userId: string) => `messaging:${distinctId(['alice', userId])}`
const replies = async (id: string, userId: Administrator = 'alice') =>
  (await world.done(campaigns(userId).replies({ id }))).replies
const told = () => world.person('alice').replica.get('manage', 'self')?.changes['campaign-replies'] ?? 0

/** Writes in the direct message with alice from another device. */
async function write(userId: string, text: string, more: object = {}, cid = cidWith(userId)): Promise<string> {
  const path = `/channels/${cid.replace(':', '/')}/message`
  const reply = (await world.as(userId, 'POST', path, { message: { text, ...more } })) as { message: { id: string } }
  await world.pass(1_500)
  return reply.message.id
}

async function aWorld() {
  world = await createWorld({ people: ['alice', 'erin'], withSecret: ['alice', 'erin'] })
  stopTimer = startDueTimer(world.server.services)
  const people = ['bob', 'carol', 'dora']
  const users = Object.fromEntries(people.map((id) => [id, { id, name: `${id} Smith` }]))
  await world.asServer('POST', '/users', { users })
  return people
}

const EMPTY = {
  description: '',
  senderId: asUserId('alice'),
  attachments: [],
  fields: {},
  segmentIds: [],
  userIds: [],
  channel: undefined,
  createChannels: true,
  showChannels: false,
  skipPush: false,
  skipWebhook: false,
}

async function sendCampaign(
  userIds: readonly string[],
  more: { text?: string; meanwhile?: () => Promise<unknown> } = {},
) {
  const content = {
    ...EMPTY,
    name: 'News',
    text: more.text ?? 'Hi {{receiver.first_name|there}}, what do you need?',
    userIds: userIds.map(asUserId),
  }
  const { id, version } = await world.done(campaigns().create({ content }))
  await world.done(campaigns().start({ id, version, people: userIds.length }))
  await more.meanwhile?.()
  await world.pass(3_000)
  await world.done(campaigns().get({ id }))
  return id
}

const sentTo = (userId: string): string => world.stored(cidWith(userId) as never)[0]?.id ?? ''

test('replies are counted in the conversations that this device has, in the thread and beside it, and live', async () => {
  const id = await sendCampaign(await aWorld())
  expect(await replies(id)).toEqual({ count: 0, known: 3, all: 3 })
  const before = told()
  await write('bob', 'More time, please')
  await write('bob', 'and a map', { parent_id: sentTo('bob') })
  await write('carol', 'Nothing, thanks')
  await write('alice', 'Glad to hear it', {}, cidWith('carol'))
  await write('alice', 'Which one?', { parent_id: sentTo('bob') }, cidWith('bob'))
  expect(told()).toBeGreaterThan(before)
  expect(await replies(id)).toEqual({ count: 3, known: 3, all: 3 })
  // Its history was cleared: the message is not there any more, and what was said after it is not known as an answer.
  await world.as('alice', 'POST', `/channels/${cidWith('dora').replace(':', '/')}/hide`, { clear_history: true })
  await write('dora', 'Are you there?')
  expect(await replies(id)).toEqual({ count: 3, known: 2, all: 3 })
})

test('another administrator knows only of the conversations that are theirs', async () => {
  const id = await sendCampaign([...(await aWorld()), 'erin'])
  await write('bob', 'Secret for alice')
  await write('erin', 'Mine')
  await write('alice', 'Thanks, Erin', {}, cidWith('erin'))
  await world.done(campaigns('erin').get({ id }))
  expect(await replies(id, 'erin')).toEqual({ count: 1, known: 1, all: 4 })
  expect(await replies(id)).toEqual({ count: 2, known: 4, all: 4 })
})

test('in a channel of many only the thread of the message counts', async () => {
  await aWorld()
  const type = { id: 'channels', type: 'channel', name: 'Channels', filter: {} }
  await world.asServer('POST', '/segments', type)
  await world.asServer('POST', '/segments/channels/addtargets', { target_ids: [world.cid] })
  const content = { ...EMPTY, name: 'Here', text: 'Hello all', segmentIds: ['channels'], createChannels: false }
  await world.done(world.person('alice').ui.channels.open({ cid: world.cid }))
  const { id, version } = await world.done(campaigns().create({ content }))
  await world.done(campaigns().start({ id, version, people: 0 }))
  await world.pass(3_000)
  await world.done(campaigns().get({ id }))
  const [message] = world.stored(world.cid)
  await write('erin', 'In the thread', { parent_id: message?.id }, world.cid)
  await write('erin', 'Beside it', {}, world.cid)
  expect(await replies(id)).toEqual({ count: 1, known: 1, all: 1 })
})

test('where two messages could be the one, or it was edited, the conversation is not known', async () => {
  const people = await aWorld()
  const same = () => write('alice', 'Hi dora, what do you need?', {}, cidWith('dora'))
  const id = await sendCampaign(people, { meanwhile: same })
  expect(await replies(id)).toEqual({ count: 0, known: 2, all: 3 })
  await world.as('alice', 'POST', `/messages/${sentTo('bob')}`, { message: { id: sentTo('bob'), text: 'Edited' } })
  await world.pass(1_000)
  expect(await replies(id)).toEqual({ count: 0, known: 1, all: 3 })
})

test('two campaigns alike at the same time are not told apart, and no figure is given', async () => {
  await aWorld()
  const text = 'The same'
  const [first, second] = await Promise.all([sendCampaign(['bob'], { text }), sendCampaign(['carol'], { text })])
  await world.done(campaigns().list({}))
  expect(await replies(first)).toBeUndefined()
  expect(await replies(second)).toBeUndefined()
})

test('without a connection what this device has is counted', async () => {
  const id = await sendCampaign(await aWorld())
  await write('bob', 'More time, please')
  world.person('alice').link.down()
  await world.pass(40_000)
  expect(await replies(id)).toEqual({ count: 1, known: 3, all: 3 })
})

test('the table of a campaign has the replies with what they cover, and no line where nothing is known', async () => {
  const id = await sendCampaign(await aWorld())
  await write('bob', 'More time, please')
  const lines = async (userId: Administrator) =>
    (await world.done(world.person(userId).account.engine.campaignTable(id))).text.split(/\r?\n/)
  const table = await lines('alice')
  expect(table).toContain('"replies_known_here","","","1"')
  expect(table).toContain('"conversations_known_here","","","3"')
  expect(table).toContain('"conversations","","","3"')
  expect((await lines('erin')).some((line) => line.includes('replies'))).toBe(false)
})
