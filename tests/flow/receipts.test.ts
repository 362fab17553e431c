import { afterEach, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { makeWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const reports = (person: Person) => person.link.requests.filter((each) => each === 'POST /channels/delivered').length

/** Up to which message the server knows that this person's computer has it. */
const delivered = (userId: string): string | null | undefined =>
  world.server.services.db.get<{ id: string | null }>(
    'SELECT last_delivered_message_id AS id FROM members WHERE cid = ? AND user_id = ?',
    world.cid,
    userId,
  )?.id

async function say(text: string): Promise<string> {
  return world.done(world.person('alice').ui.messages.send({ cid: world.cid, text }))
}

test('what arrives is confirmed once a second, by its newest message', async () => {
  world = await makeWorld()
  await world.pass(5_000)
  const before = reports(world.person('bob'))
  let last = ''
  for (const text of ['one', 'two', 'three']) last = await say(text)
  await world.pass(3_000)
  expect([delivered('bob'), delivered('alice') === last]).toEqual([last, false])
  expect(reports(world.person('bob')) - before).toBeLessThanOrEqual(2)
})

test('what is read at once is not reported as well', async () => {
  world = await makeWorld()
  const bob = world.person('bob')
  await bob.open(world.cid)
  await say('one')
  await world.pass(200)
  await bob.ui.channels.markRead({ cid: world.cid })
  await world.pass(5_000)
  expect(reports(bob)).toBe(0)
})

test('what came while the person was away is confirmed after the return', async () => {
  world = await makeWorld()
  const bob = world.person('bob')
  bob.link.down()
  const last = await say('one')
  await world.pass(30_000)
  bob.link.up()
  await world.rest(60_000)
  expect(delivered('bob')).toBe(last)
})

test('a server in trouble is asked again with longer pauses', async () => {
  world = await makeWorld()
  const bob = world.person('bob')
  await world.pass(5_000)
  bob.link.tamper = {
    answer: (request, answer) =>
      request.url.includes('/channels/delivered') ? { ...answer, status: 503, text: '{}' } : answer,
  }
  await say('one')
  const counts: number[] = []
  for (let minute = 0; minute < 2; minute += 1) {
    await world.pass(60_000)
    counts.push(reports(bob))
  }
  expect(counts[0]).toBeGreaterThan(3)
  expect(counts[0]).toBeLessThanOrEqual(11)
  expect((counts[1] ?? 0) - (counts[0] ?? 0)).toBeLessThanOrEqual(8)
})

test('who does not want to be seen reading or receiving is not, and is again after changing their mind', async () => {
  world = await makeWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const hide = (hidden: boolean) =>
    bob.account.engine.publish({
      settings: { ...DEFAULT_SETTINGS, publishReads: !hidden, publishDelivery: !hidden, publishTyping: !hidden },
    })
  hide(true)
  await world.pass(2_000)
  const seenAt = () =>
    alice.replica.get('reads', world.cid)?.reads.find((read) => read.userId === 'bob')?.lastReadAt ?? 0
  const read = async () => {
    const before = seenAt()
    await say('look')
    await world.pass(2_000)
    await bob.ui.channels.markRead({ cid: world.cid })
    await world.pass(2_000)
    return [bob.channel(world.cid)?.unread, seenAt() > before]
  }
  expect(await read()).toEqual([0, false])
  expect(reports(bob)).toBe(0)
  hide(false)
  await world.pass(2_000)
  expect(await read()).toEqual([0, true])
})
