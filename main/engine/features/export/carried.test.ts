import { expect, onTestFinished, test } from 'vitest'
import { aLoneEngine, aWireMessage, CID, FakeApi, withChannel } from '#kit/lone-engine.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import type { Carried } from './carried.ts'

const cid = asCid(CID)
const messageId = asMessageId('m1')
const NOTHING: Carried = { drafts: [], messages: [], reminders: [], done: [], follows: [], reads: [] }
const HOUR = 3_600_000

async function anEngine() {
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), [aWireMessage('m1', 1)]) })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  const { engine } = lone
  const take = (given: Partial<Carried>) => {
    const plan = engine.planCarryIn({ ...NOTHING, ...given })
    engine.carryIn(plan, () => undefined)
    return plan
  }
  return { engine, take, now: lone.clock.now() }
}

test('what a clock that is ahead has marked loses to what is marked later, in another file', async () => {
  const { take, now } = await anEngine()
  const follow = (follows: boolean, at: number) => ({ follows: [{ parentId: messageId, cid, follows, at }] })
  expect(take(follow(true, now + 1_000 * HOUR)).follows[0]?.at).toBeLessThan(now + HOUR)
  const read = { cid, readAt: 1, at: now + 1_000 * HOUR }
  const reminder = { messageId, cid, setAt: now + 1_000 * HOUR }
  const plan = take({ reads: [read], reminders: [reminder], done: [{ messageId, cid, doneAt: now + 1_000 * HOUR }] })
  expect(plan.reads[0]?.at).toBeLessThan(now + HOUR)
  expect(plan.done[0]?.doneAt).toBeLessThan(now + HOUR)
  expect(plan.intents.map(({ kind, payload }) => [kind, 'setAt' in payload && payload.setAt < now + HOUR])).toEqual([
    ['set-reminder', true],
  ])
})

test('a reminder that was completed before it was set here stays as it is, and does not ring again', async () => {
  const { engine, take, now } = await anEngine()
  await engine.handlers.reminders.set({ messageId, remindAt: now + HOUR }, { client: 'window' })
  const rang = { messageId, cid, rangFor: now + HOUR, rangAt: now }
  engine.stores.outbox.transaction((tx) => notes.put(tx, rang))
  const plan = take({ done: [{ messageId, cid, doneAt: now - HOUR }] })
  expect(plan.counts.reminders).toMatchObject({ total: 1, added: 0, kept: 1 })
  expect(notes.byId(engine.stores.outbox.reader, messageId)).toMatchObject(rang)
})

test('a message that is in a file twice is taken once', async () => {
  const { engine, take, now } = await anEngine()
  const payload = { text: 'once', mentionedUserIds: [], showInChannel: false, placedAt: now }
  const message = { id: '0b7c4f0a-64a8-4b0e-9f54-9f7d6a3d1c55', cid, createdAt: now, payload }
  expect(take({ messages: [message, message] }).counts.messages).toMatchObject({ total: 2, added: 1 })
  expect(engine.carriedAway().carried.messages.map(({ id }) => id)).toEqual([message.id])
})
