import { afterEach, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import * as users from '#main/cache/people/users.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { createWorld, type World } from '#kit/world.ts'

/** A campaign on its way while others act at the same time, or the app that started it is gone. */

let world: World
let stopTimer = (): void => undefined
afterEach(async () => {
  stopTimer()
  await world.stop()
})

const PEOPLE = Array.from({ length: 100 }, (_, at) => `p${at}`)
const campaigns = (userId: 'alice' | 'carol') => world.person(userId).ui.campaigns
const outcome = (work: Promise<unknown>) =>
  world.done(work).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
/** How many messages each person has. */
const messages = () =>
  world.server.services.db.all<{ n: number }>(
    'SELECT count(*) AS n FROM messages WHERE user_id = ? GROUP BY cid',
    'alice',
  )

async function aCampaign() {
  world = await createWorld({ people: ['alice', 'carol'], withSecret: ['alice', 'carol'] })
  stopTimer = startDueTimer(world.server.services)
  await world.asServer('POST', '/users', { users: Object.fromEntries(PEOPLE.map((id) => [id, { id, name: id }])) })
  const content = {
    name: 'News',
    description: '',
    senderId: asUserId('alice'),
    text: 'Hello',
    attachments: [],
    fields: {},
    segmentIds: [],
    userIds: PEOPLE.map(asUserId),
    channel: undefined,
    createChannels: true,
    showChannels: false,
    skipPush: false,
    skipWebhook: false,
  }
  return world.done(campaigns('alice').create({ content }))
}

test('two administrators who start it at the same moment start it once, and the other is told', async () => {
  const { id, version } = await aCampaign()
  const start = { id, version, people: PEOPLE.length }
  const outcomes = await Promise.all([
    outcome(campaigns('alice').start(start)),
    outcome(campaigns('carol').start(start)),
  ])
  expect(outcomes.toSorted()).toEqual(['campaigns/state', 'done'])
  await world.rest()
  expect(messages()).toEqual(PEOPLE.map(() => ({ n: 1 })))
})

test('of two administrators who change it at the same moment one is told, and nothing of either is mixed', async () => {
  const { id, version, content } = await aCampaign()
  const by = (name: string) => ({ id, version, content: { ...content, name, text: `By ${name}`, channel: undefined } })
  const outcomes = await Promise.all([
    outcome(campaigns('alice').change(by('Alice'))),
    outcome(campaigns('carol').change(by('Carol'))),
  ])
  expect(outcomes.toSorted()).toEqual(['campaigns/changed', 'done'])
  const winner = outcomes[0] === 'done' ? 'Alice' : 'Carol'
  const { campaign } = await world.done(campaigns('alice').get({ id }))
  expect(campaign.content).toMatchObject({ name: winner, text: `By ${winner}` })
})

test('what was edited while another administrator started or stopped it is refused, and what went out stays as it was', async () => {
  const { id, version, content } = await aCampaign()
  const edited = { id, version, content: { ...content, text: 'Edited', channel: undefined } }
  const at = world.clock.now() + 60_000
  const scheduled = await world.done(campaigns('alice').start({ id, version, people: PEOPLE.length, scheduledFor: at }))
  expect(await outcome(campaigns('carol').change(edited))).toBe('campaigns/changed')
  await world.done(campaigns('alice').stop({ id }))
  expect(await outcome(campaigns('carol').change({ ...edited, version: scheduled.version }))).toBe('campaigns/state')
  expect(await outcome(campaigns('carol').start({ id, version: scheduled.version, people: 100 }))).toBe(
    'campaigns/state',
  )
  await world.clock.advance(120_000)
  await world.rest()
  expect(messages()).toEqual([])
  expect((await world.done(campaigns('carol').get({ id }))).campaign.content.text).toBe('Hello')
})

test('of two administrators who stop it, delete it, or do one while the other starts it, one is told', async () => {
  const { id, version, content } = await aCampaign()
  const at = world.clock.now() + 60_000
  await world.done(campaigns('alice').start({ id, version, people: PEOPLE.length, scheduledFor: at }))
  const both = async (one: Promise<unknown>, other: Promise<unknown>) =>
    (await Promise.all([outcome(one), outcome(other)])).toSorted()
  expect(await both(campaigns('alice').stop({ id }), campaigns('carol').stop({ id }))).toEqual([
    'campaigns/state',
    'done',
  ])
  const removed = await both(campaigns('alice').remove({ id }), campaigns('carol').remove({ id }))
  expect(removed).toEqual(['campaigns/gone', 'done'])
  const second = await world.done(campaigns('alice').create({ content: { ...content, channel: undefined } }))
  const start = { id: second.id, version: second.version, people: PEOPLE.length }
  const outcomes = await both(campaigns('alice').start(start), campaigns('carol').remove({ id: second.id }))
  expect(outcomes).toContain('done')
  expect(['campaigns/gone', 'campaigns/state']).toContain(outcomes.find((each) => each !== 'done'))
  await world.rest()
  const wasStarted = await outcome(campaigns('alice').get({ id: second.id }))
  expect(messages().length).toBe(wasStarted === 'done' ? PEOPLE.length : 0)
})

test('the app that started it is closed in the middle: it goes on, and is there when the app is opened again', async () => {
  const { id, version } = await aCampaign()
  const at = world.clock.now() + 60_000
  await world.done(campaigns('alice').start({ id, version, people: PEOPLE.length, scheduledFor: at }))
  await world.clock.advance(at - world.clock.now())
  world.person('alice').crash()
  expect(messages().length).toBeGreaterThan(0)
  expect(messages().length).toBeLessThan(PEOPLE.length)
  await world.rest()
  world.person('alice').restart()
  await world.pass(5_000)
  const { campaign, notSent } = await world.done(campaigns('alice').get({ id }))
  expect(campaign).toMatchObject({ state: 'completed', stats: { usersSent: PEOPLE.length } })
  expect(notSent?.count).toBe(0)
  expect(messages()).toEqual(PEOPLE.map(() => ({ n: 1 })))
})

test('whoever could not get it is named with the reason, and gets it alone by another one', async () => {
  const { content } = await aCampaign()
  const name = 'x'.repeat(200)
  await world.asServer('POST', '/users', { users: { long: { id: 'long', name } } })
  const text = '{{receiver.name}}'.repeat(26)
  const made = await world.done(
    campaigns('alice').create({
      content: { ...content, text, userIds: ['long', 'p0', 'p1'].map(asUserId), channel: undefined },
    }),
  )
  await world.done(campaigns('alice').start({ id: made.id, version: made.version, people: 3 }))
  await world.rest()
  const { notSent, campaign } = await world.done(campaigns('alice').get({ id: made.id }))
  expect(campaign.stats.usersSent).toBe(2)
  expect(notSent?.rows).toMatchObject([{ kind: 'user', id: 'long', state: 'failed' }])
  const nameOf = (id: string) =>
    users.byId(world.person('alice').account.engine.stores.cache.reader, asUserId(id))?.name
  expect(nameOf('long')).toBe(name)
  const { text: table } = await world.done(world.person('alice').account.engine.campaignTable(made.id))
  expect(table).toContain(`"failed","long","${name}"`)
  const again = {
    ...content,
    text: 'Shorter',
    userIds: (notSent?.rows ?? []).map((row) => asUserId(row.id)),
    channel: undefined,
  }
  const second = await world.done(campaigns('alice').create({ content: again }))
  await world.done(campaigns('alice').start({ id: second.id, version: second.version, people: 1 }))
  await world.rest()
  expect(messages()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
})

test('whom a campaign of someone else names is known by name once it is opened', async () => {
  await aCampaign()
  const found = await world.done(campaigns('carol').list({}))
  await world.done(campaigns('carol').get({ id: found.campaigns[0]?.id }))
  const named = users.byIds(world.person('carol').account.engine.stores.cache.reader, PEOPLE)
  expect(named.map((user) => user.name)).toEqual(PEOPLE.slice(0, 12))
})

test('no call about a campaign goes out without its id', async () => {
  const { content } = await aCampaign()
  const asked = [
    campaigns('alice').get({}),
    campaigns('alice').replies({}),
    campaigns('alice').change({ version: 'v', content: { ...content, channel: undefined } }),
    campaigns('alice').remove({}),
    campaigns('alice').start({ version: 'v', people: 1 }),
    campaigns('alice').stop({}),
  ]
  expect(await Promise.all(asked.map(outcome))).toEqual(asked.map(() => 'campaigns/id-missing'))
})
