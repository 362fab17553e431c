import { afterEach, describe, expect, test } from 'vitest'
import type { MessageId } from '#shared/lib/brand.ts'
import { runsTo } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

const MINUTE = 60_000

let world: World
afterEach(() => world.stop())

/** Alice with one message of Bob's in view. */
async function aliceWithMessage(): Promise<{ alice: Person; bob: Person; id: MessageId }> {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  const id = await bob.ui.messages.send({ cid: world.cid, text: 'look at this' })
  await world.pass(3_000)
  return { alice, bob, id }
}

const reminder = (person: Person, id: MessageId) => person.replica.get('reminders', id)
const rung = (person: Person) => person.rings.flatMap((ring) => ring.due.map((each) => each.messageId))
const missed = (person: Person) => person.rings.flatMap((ring) => ring.missed.map((each) => each.messageId))
const calls = (person: Person, from: number) =>
  person.link.requests.slice(from).filter((line) => line.includes('/reminders') && !line.includes('/query'))

test('it is shown at once, reaches the server afterwards, and rings once when it is due', async () => {
  const { alice, bob, id } = await aliceWithMessage()
  const remindAt = world.clock.now() + 2 * MINUTE
  await alice.ui.reminders.set({ messageId: id, remindAt })
  await world.pass(0)
  expect(reminder(alice, id)).toMatchObject({ remindAt, pending: true })
  await world.pass(5_000)
  expect(reminder(alice, id)).toMatchObject({ remindAt, pending: false })
  expect(rung(alice)).toEqual([])
  await world.pass(2 * MINUTE)
  expect(rung(alice)).toEqual([id])
  expect(reminder(alice, id)?.rangAt).toBeGreaterThanOrEqual(remindAt)
  await world.pass(10 * MINUTE)
  expect(rung(alice)).toEqual([id])
  expect(rung(bob)).toEqual([])
})

test('it rings offline, and does not ring again when the server reports it afterwards', async () => {
  const { alice, id } = await aliceWithMessage()
  alice.link.down()
  await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + 2 * MINUTE })
  await world.pass(3 * MINUTE)
  expect(rung(alice)).toEqual([id])
  alice.link.up()
  await world.rest()
  expect(reminder(alice, id)).toMatchObject({ pending: false })
  expect(rung(alice)).toEqual([id])
})

test('a reminder that became due while the app was closed is shown as missed at the next start, once', async () => {
  const { alice, id } = await aliceWithMessage()
  await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + 2 * MINUTE })
  await world.pass(5_000)
  await world.done(alice.quit())
  await world.pass(60 * MINUTE)
  alice.start()
  await world.pass(5_000)
  expect(rung(alice)).toEqual([])
  expect(missed(alice)).toEqual([id])
  alice.restart()
  await world.rest()
  expect(missed(alice)).toEqual([id])
})

test('a snoozed one rings again at its new time', async () => {
  const { alice, id } = await aliceWithMessage()
  await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + MINUTE })
  await world.pass(2 * MINUTE)
  await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + 30 * MINUTE })
  await world.pass(0)
  expect(reminder(alice, id)?.rangAt).toBeUndefined()
  await world.pass(31 * MINUTE)
  expect(rung(alice)).toEqual([id, id])
})

describe('the Later list', () => {
  test('loads the messages, by time, then the saved and the completed ones', async () => {
    const { alice, bob, id } = await aliceWithMessage()
    const saved = await bob.ui.messages.send({ cid: world.cid, text: 'keep' })
    const done = await bob.ui.messages.send({ cid: world.cid, text: 'over' })
    await world.pass(3_000)
    await alice.ui.reminders.open()
    await alice.ui.reminders.set({ messageId: saved })
    await alice.ui.reminders.set({ messageId: done })
    await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + MINUTE })
    await alice.ui.reminders.done({ messageId: done })
    await world.rest(5_000)
    const listed = alice.replica.window('later')?.ids ?? []
    expect(listed).toEqual([id, saved, done])
    expect(listed.map((each) => alice.replica.get('messages', each)?.text)).toEqual(['look at this', 'keep', 'over'])
    expect(reminder(alice, done)?.doneAt).toBeGreaterThan(0)
    await alice.ui.reminders.remove({ messageId: done })
    await world.rest(5_000)
    expect(alice.replica.window('later')?.ids).toEqual([id, saved])
  })

  test('deleting a message removes its reminder', async () => {
    const { alice, bob, id } = await aliceWithMessage()
    await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + MINUTE })
    await world.pass(5_000)
    await bob.ui.messages.delete({ messageId: id })
    await world.rest()
    expect(reminder(alice, id)).toBeUndefined()
    expect(rung(alice)).toEqual([])
  })
})

test('on an unsent message it waits for the message', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  alice.link.down()
  const id = await alice.ui.messages.send({ cid: world.cid, text: 'offline' })
  await alice.ui.reminders.set({ messageId: id, remindAt: world.clock.now() + 60 * MINUTE })
  await world.pass(1_000)
  alice.link.up()
  await world.rest()
  expect(reminder(alice, id)).toMatchObject({ pending: false })
})

describe('changes by another device', () => {
  const server = (path: string, method: 'POST' | 'DELETE', body?: object) => world.as('alice', method, path, body)

  test('are shown at once, and after a disconnection', async () => {
    const { alice, id } = await aliceWithMessage()
    await server(`/messages/${id}/reminders`, 'POST', {})
    await world.pass(1_000)
    expect(reminder(alice, id)).toMatchObject({ pending: false })
    alice.link.down()
    await server(`/messages/${id}/reminders`, 'DELETE')
    await world.pass(10_000)
    alice.link.up()
    await world.rest()
    expect(reminder(alice, id)).toBeUndefined()
  })

  test('AGR-47 a reminder unknown here that exists is changed, one known here that was removed is created: no error is shown', async () => {
    const { alice, id } = await aliceWithMessage()
    alice.link.tamper = { losesFrame: (text) => text.includes('"reminder.') }
    await server(`/messages/${id}/reminders`, 'POST', {})
    const from = alice.link.requests.length
    const remindAt = world.clock.now() + 60 * MINUTE
    await alice.ui.reminders.set({ messageId: id, remindAt })
    await world.pass(5_000)
    expect(calls(alice, from)).toHaveLength(2)
    expect(reminder(alice, id)).toMatchObject({ remindAt, pending: false })
    await server(`/messages/${id}/reminders`, 'DELETE')
    await alice.ui.reminders.set({ messageId: id, remindAt: remindAt + MINUTE })
    await world.pass(5_000)
    expect(calls(alice, from)).toHaveLength(4)
    expect(reminder(alice, id)).toMatchObject({ remindAt: remindAt + MINUTE, pending: false })
    expect(alice.replica.all('outbox')).toEqual([])
  })
})

/** Rounds of fifty reminders, each with its own mixture of waiting, sleep, crashes and disconnections. */
const ROUNDS = runsTo(3, 10)
test(
  'reminders in fifties each ring once, within two seconds of their time, of waking up or of the next start',
  { timeout: 600_000 },
  async () => {
    world = await createWorld({ people: ['alice'] })
    const alice = world.person('alice')
    const chance = seededIds(37)
    const upTo = (ms: number): number => Math.floor(chance.random() * ms)
    await alice.open(world.cid)
    const ids: MessageId[] = []
    for (let n = 0; n < 50; n += 1) ids.push(await alice.ui.messages.send({ cid: world.cid, text: `${n}` }))
    await world.rest()
    const faults: string[] = []
    let [checked, interruptions] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = alice.rings.length
      const wanted = new Map<MessageId, number>()
      /** Times at which no reminder could ring. */
      const away: { from: number; until: number }[] = []
      if (round % 3 === 0) alice.link.down()
      for (const id of ids) {
        const remindAt = world.clock.now() + 2_000 + upTo(10 * MINUTE)
        wanted.set(id, remindAt)
        await alice.ui.reminders.set({ messageId: id, remindAt })
      }
      while (world.clock.now() < Math.max(...wanted.values())) {
        await world.pass(upTo(2 * MINUTE))
        const since = world.clock.now()
        const what = chance.random()
        if (what < 0.3) {
          world.clock.jumpWall(upTo(5 * MINUTE))
          away.push({ from: since, until: world.clock.now() })
          alice.account.networkChanged('resumed')
        } else if (what < 0.6) {
          alice.crash()
          await world.pass(upTo(MINUTE))
          alice.start()
          away.push({ from: since, until: world.clock.now() })
        } else if (what < 0.8) alice.link.up()
      }
      interruptions += away.length
      await world.pass(2_000)
      alice.link.up()
      await world.pass(5_000)
      const rings = alice.rings
        .slice(from)
        .flatMap((ring) => [...ring.due, ...ring.missed].map((each) => each.messageId))
      for (const [id, remindAt] of wanted) {
        checked += 1
        const could = away.find((each) => each.from <= remindAt && remindAt <= each.until)?.until ?? remindAt
        const rangAt = reminder(alice, id)?.rangAt ?? Infinity
        const count = rings.filter((each) => each === id).length
        const isPrompt = rangAt >= remindAt - 2_000 && rangAt <= could + 2_000
        if (count !== 1 || !isPrompt) faults.push(`round ${round}: ${count} times, ${rangAt - could} ms late`)
      }
    }
    expect(faults).toEqual([])
    expect(checked).toBe(ROUNDS * 50)
    expect(interruptions).toBeGreaterThan(ROUNDS * 1.5)
  },
)
