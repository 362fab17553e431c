import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel, updateChannel } from '#shared/wire/channels.ts'
import {
  deleteMessage,
  getMessage,
  sendMessage,
  updateMessagePartial,
  createDraft,
  deleteDraft,
  getDraft,
  queryDrafts,
  createReminder,
  deleteReminder,
  queryReminders,
  updateReminder,
  getLiveLocations,
  updateLiveLocation,
} from '#shared/wire/messages.ts'
import { ManualClock } from '../../kit/manual-clock.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

const clock = new ManualClock()
let server: TestServer
let ann: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer({ clock })
  await (await server.connect('root')).close()
  ann = await server.connect('ann', { name: 'Ann' })
  bob = await server.connect('bob', { name: 'Bob' })
})
afterAll(() => server.stopAll())

let count = 0
async function newChannel() {
  const params = { type: 'messaging', id: `k${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
  for (const client of [ann, bob]) await client.call(queryChannel, params, { body: { watch: true } })
  for (const client of [ann, bob]) await client.takeEventTypes()
  return { params, cid: `messaging:${params.id}` }
}
type Channel = Awaited<ReturnType<typeof newChannel>>

const send = async (client: Client, channel: Channel, message: Record<string, unknown>) =>
  (await client.call(sendMessage, channel.params, { body: { message } })).body.message

const last = (client: Client, type: string) => client.events.findLast((event) => event.type === type)
/** Time passes while both stay connected. */
async function pass(seconds: number) {
  for (let left = seconds; left > 0; left -= 10) {
    await clock.advance(Math.min(10, left) * 1_000)
    for (const client of [ann, bob]) await client.settle()
  }
}
const inSeconds = (seconds: number) => new Date(clock.now() + seconds * 1_000).toISOString()

test('D26: a draft is stored under its id, sent to its owner only, and removed when it is deleted', async () => {
  const channel = await newChannel()
  const made = await ann.call(createDraft, channel.params, {
    body: { message: { id: 'd1', text: 'not yet', mood: 'calm', mentioned_users: ['bob'] } },
  })
  expect(made.status).toBe(201)
  expect(made.body.draft.message.id).toBe('d1')
  expect(made.body.draft.message['mood']).toBe('calm')
  expect(made.body.draft.channel_cid).toEqual(channel.cid)
  expect(made.body.draft.message.mentioned_users?.map((user) => user.name)).toEqual(['Bob'])
  expect(await ann.takeEventTypes()).toEqual(['draft.updated'])
  expect(await bob.takeEventTypes()).toEqual([])
  expect((await ann.call(getDraft, channel.params)).body.draft.message.text).toBe('not yet')
  expect((await bob.call(getDraft, channel.params)).status).toBe(404)
  expect((await ann.call(deleteDraft, channel.params)).status).toBe(200)
  expect(await ann.takeEventTypes()).toEqual(['draft.deleted'])
  expect(await bob.takeEventTypes()).toEqual([])
  const missing = await ann.call(getDraft, channel.params)
  expect(missing.status).toBe(404)
  expect(missing.body.code).toBe(16)
})

test('D26: the draft of a thread is separate, and a second draft replaces the first', async () => {
  const channel = await newChannel()
  const parent = await send(ann, channel, { text: 'root' })
  await ann.call(createDraft, channel.params, { body: { message: { text: 'one' } } })
  await ann.call(createDraft, channel.params, { body: { message: { text: 'two' } } })
  const reply = { text: 'in the thread', parent_id: parent.id, quoted_message_id: parent.id }
  await ann.call(createDraft, channel.params, { body: { message: reply } })
  const inThread = await ann.call(getDraft, channel.params, { query: { parent_id: parent.id } })
  expect(inThread.body.draft).toMatchObject({
    parent_id: parent.id,
    message: { text: 'in the thread' },
    parent_message: { id: parent.id },
    quoted_message: { id: parent.id },
  })
  expect((await ann.call(getDraft, channel.params)).body.draft.message.text).toBe('two')
  const nested = await send(bob, channel, { text: 'reply', parent_id: parent.id })
  const refused = await ann.call(createDraft, channel.params, { body: { message: { parent_id: nested.id } } })
  expect(refused.body.code).toBe(21)
})

test('D26: drafts are listed newest first, page by page, both ways', async () => {
  const channels = [await newChannel(), await newChannel(), await newChannel()]
  for (const [index, channel] of channels.entries()) {
    await bob.call(createDraft, channel.params, { body: { message: { text: `draft ${index}` } } })
  }
  const page = async (body: Record<string, unknown>) => {
    const { body: answer } = await bob.call(queryDrafts, {}, { body })
    return { ...answer, texts: answer.drafts.map((draft) => draft.message.text) }
  }
  const first = await page({ limit: 2 })
  expect(first.texts).toEqual(['draft 2', 'draft 1'])
  expect(first.prev).toBeUndefined()
  const second = await page({ limit: 2, next: first.next })
  expect(second.texts).toEqual(['draft 0'])
  expect(second.next).toBeUndefined()
  expect((await page({ limit: 2, prev: second.prev })).texts).toEqual(['draft 2', 'draft 1'])
  expect((await page({ filter: { channel_cid: channels[0]?.cid } })).texts).toEqual(['draft 0'])
  const oldest = await page({ sort: [{ field: 'created_at', direction: 1 }], limit: 1 })
  expect(oldest.texts).toEqual(['draft 0'])
  // A cursor contains its sort.
  expect((await page({ next: oldest.next })).texts).toEqual(['draft 1', 'draft 2'])
  expect((await bob.call(queryDrafts, {}, { body: { next: 'bm8' } })).body.code).toBe(4)
})

test('D27: a second reminder and a missing one are refused with the texts clients look for', async () => {
  const channel = await newChannel()
  const { id } = await send(bob, channel, { text: 'important' })
  const made = await ann.call(createReminder, { id }, { body: { remind_at: inSeconds(3_600) } })
  expect(made.status).toBe(201)
  expect(made.body.reminder.message_id).toEqual(id)
  expect(made.body.message_id).toEqual(id)
  expect(made.body.reminder.message?.text).toBe('important')
  const twice = await ann.call(createReminder, { id }, { body: {} })
  expect(twice.status).toBe(400)
  expect(twice.body.code).toBe(4)
  expect(twice.body.message).toContain('user already has reminder created for this message_id')
  const missing = await bob.call(updateReminder, { id }, { body: {} })
  expect(missing.status).toBe(404)
  expect(missing.body.code).toBe(16)
  expect(missing.body.message).toContain('messages reminder does not exist')
  const found = await ann.call(queryReminders, {}, { body: { filter: { message_id: id } } })
  expect(found.body.reminders.map((each) => each.message_id)).toEqual([id])
  expect((await bob.call(queryReminders, {}, { body: {} })).body.reminders).toEqual([])
})

test('reminders are part of the viewer’s own view of a message only, in order of their time, undated last', async () => {
  const channel = await newChannel()
  const [a, b, c] = [
    await send(bob, channel, { text: 'a' }),
    await send(bob, channel, { text: 'b' }),
    await send(bob, channel, { text: 'c' }),
  ]
  await ann.call(createReminder, { id: a.id }, { body: {} })
  await ann.call(createReminder, { id: b.id }, { body: { remind_at: inSeconds(7_200) } })
  await ann.call(createReminder, { id: c.id }, { body: { remind_at: inSeconds(3_600) } })
  const filter = { channel_cid: channel.cid }
  const listed = async (body: Record<string, unknown>) => {
    const { body: answer } = await ann.call(queryReminders, {}, { body: { filter, ...body } })
    return { ...answer, ids: answer.reminders.map((each) => each.message_id) }
  }
  const first = await listed({ limit: 2 })
  expect(first.ids).toEqual([c.id, b.id])
  expect((await listed({ limit: 2, next: first.next })).ids).toEqual([a.id])
  expect((await listed({ filter: { ...filter, remind_at: { $exists: false } } })).ids).toEqual([a.id])
  expect((await ann.call(getMessage, { id: a.id })).body.message['reminder']).toMatchObject({ message_id: a.id })
  expect((await bob.call(getMessage, { id: a.id })).body.message['reminder']).toBeUndefined()
})

test('a reminder is due at its time, once, for its owner only; a new time arms it again', async () => {
  const channel = await newChannel()
  const { id } = await send(bob, channel, { text: 'soon' })
  await ann.call(createReminder, { id }, { body: { remind_at: inSeconds(60) } })
  expect(await ann.takeEventTypes()).toEqual(['message.new', 'reminder.created'])
  expect(await bob.takeEventTypes()).toEqual(['message.new'])
  await pass(59)
  expect(await ann.takeEventTypes()).toEqual([])
  await pass(12)
  expect(await ann.takeEventTypes()).toEqual(['notification.reminder_due'])
  expect(await bob.takeEventTypes()).toEqual([])
  expect(last(ann, 'notification.reminder_due')).toMatchObject({ cid: channel.cid, message_id: id, user_id: 'ann' })
  await pass(60)
  expect(await ann.takeEventTypes()).toEqual([])
  await ann.call(updateReminder, { id }, { body: { remind_at: inSeconds(-5) } })
  await pass(12)
  expect(await ann.takeEventTypes()).toEqual(['reminder.updated', 'notification.reminder_due'])
})

test('deleting a reminder or its message notifies the owner, and reminders may be disabled', async () => {
  const channel = await newChannel()
  const [a, b] = [await send(bob, channel, { text: 'a' }), await send(bob, channel, { text: 'b' })]
  for (const { id } of [a, b]) await ann.call(createReminder, { id }, { body: {} })
  await ann.takeEventTypes()
  expect((await ann.call(deleteReminder, { id: a.id })).status).toBe(200)
  expect((await ann.call(deleteReminder, { id: a.id })).body.code).toBe(16)
  await bob.call(deleteMessage, { id: b.id })
  expect(await ann.takeEventTypes()).toEqual(['reminder.deleted', 'message.deleted', 'reminder.deleted'])
  await ann.call(updateChannel, channel.params, {
    body: { data: { config_overrides: { user_message_reminders: false } } },
  })
  const c = await send(bob, channel, { text: 'c' })
  expect((await ann.call(createReminder, { id: c.id }, { body: {} })).body.code).toBe(19)
})

test('D34: a live location is sent, moved with its coordinates at the top level, and listed as active', async () => {
  const channel = await newChannel()
  const share = { latitude: 52.2, longitude: 21, created_by_device_id: 'phone', end_at: inSeconds(600) }
  const sent = await ann.call(sendMessage, channel.params, { body: { message: { shared_location: share } } })
  expect(sent.status).toBe(201)
  expect(sent.body.message['shared_location']).toMatchObject({ latitude: 52.2, user_id: 'ann' })
  const { id } = sent.body.message
  await bob.takeEventTypes()
  const moved = await ann.call(updateLiveLocation, {}, { body: { message_id: id, latitude: 52.3, longitude: 21.1 } })
  expect(moved.status).toBe(201)
  expect(moved.body.latitude).toBe(52.3)
  expect(moved.body.longitude).toBe(21.1)
  expect(await bob.takeEventTypes()).toEqual(['message.updated'])
  expect(last(bob, 'message.updated')?.message?.['shared_location']).toMatchObject({ latitude: 52.3 })
  const active = await ann.call(getLiveLocations, {})
  expect(active.body.active_live_locations.map((each) => each.message_id)).toEqual([id])
  expect((await bob.call(getLiveLocations, {})).body.active_live_locations).toEqual([])
  expect((await bob.call(updateLiveLocation, {}, { body: { message_id: id, latitude: 1 } })).body.code).toBe(17)
  const state = await bob.call(queryChannel, channel.params, { body: {} })
  expect(state.body['active_live_locations' as 'read']).toMatchObject([{ message_id: id }])
})

test('a live location ends at its time and by hand, and then cannot be moved', async () => {
  const channel = await newChannel()
  const share = (seconds: number) => ({
    shared_location: { latitude: 1, longitude: 2, created_by_device_id: 'phone', end_at: inSeconds(seconds) },
  })
  const timed = await send(ann, channel, share(90))
  const byHand = await send(ann, channel, share(900))
  await bob.takeEventTypes()
  await pass(101)
  expect(await bob.takeEventTypes()).toEqual(['message.updated'])
  expect((await ann.call(updateLiveLocation, {}, { body: { message_id: timed.id, latitude: 3 } })).body.code).toBe(4)
  await ann.call(updateLiveLocation, {}, { body: { message_id: byHand.id, end_at: inSeconds(0) } })
  expect(await bob.takeEventTypes()).toEqual(['message.updated'])
  expect((await ann.call(updateLiveLocation, {}, { body: { message_id: byHand.id, latitude: 3 } })).body.code).toBe(4)
})

test('a share is stopped in its first minute by a client whose clock is a little ahead', async () => {
  const channel = await newChannel()
  const live = { latitude: 1, longitude: 2, created_by_device_id: 'phone', end_at: inSeconds(900) }
  const { id } = await send(ann, channel, { shared_location: live })
  const stopped = await ann.call(updateLiveLocation, {}, { body: { message_id: id, end_at: inSeconds(2) } })
  expect(stopped.status).toBe(201)
  expect((await ann.call(updateLiveLocation, {}, { body: { message_id: id, latitude: 3 } })).body.code).toBe(4)
})

test.each([
  ['a latitude that is none', { latitude: 91, longitude: 0, created_by_device_id: 'p' }, 4],
  ['no device', { latitude: 1, longitude: 0 }, 4],
  ['less than a minute', { latitude: 1, longitude: 0, created_by_device_id: 'p', end_at: 'soon' }, 4],
])('a location with %s is refused', async (_name, location, code) => {
  const channel = await newChannel()
  const shared = 'end_at' in location ? { ...location, end_at: inSeconds(30) } : location
  const answer = await ann.call(sendMessage, channel.params, { body: { message: { shared_location: shared } } })
  expect(answer.body.code).toBe(code)
})

test('D10: a pin ends at its time, lazily and with an event', async () => {
  const channel = await newChannel()
  const { id } = await send(ann, channel, { text: 'for now' })
  const pin = { set: { pinned: true, pin_expires: inSeconds(5) } }
  const pinned = await ann.call(updateMessagePartial, { id }, { body: pin })
  expect(pinned.body.message.pinned_by?.id).toBe('ann')
  await bob.takeEventTypes()
  await pass(11)
  expect(await bob.takeEventTypes()).toEqual(['message.updated'])
  expect((await bob.call(getMessage, { id })).body.message).toMatchObject({
    pinned: false,
    pinned_at: null,
    pinned_by: null,
  })
})
