import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { LogSink } from '#main/lib/logger.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import type { Json } from '#main/server/http/json.ts'
import { depart } from '#main/server/realtime/presence.ts'
import { createConnection } from '#main/server/realtime/connect.ts'
import { routes } from '#main/server/routes.ts'
import { openServices } from '#main/server/app.ts'
import { openCall } from '#main/server/http/calls.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { Services } from '#main/server/work.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { API_KEY, SECRET } from '../kit.ts'
import { openRoom } from '../room.ts'

const params = { type: 'messaging', id: 'one' }
const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0).toReversed()) step()
})

/** A workspace in a folder: opened, closed, and opened again later. */
function open(folder: string, clock: ManualClock, log: LogSink = () => undefined): Services {
  return openServices({
    dataFolder: folder,
    apiKey: API_KEY,
    secret: SECRET,
    clock,
    ids: seededIds(clock.now()),
    log,
    localUrl: () => 'http://127.0.0.1:9999',
  })
}

function call(services: Services, operation: string, userId: string, given: { params?: object; body?: Json }): Json {
  const route = routes.find((each) => each.operation === operation)
  if (!route) throw new Error(operation)
  const token = createToken(userId === '' ? {} : { userId }, SECRET)
  const query = { api_key: API_KEY, ...(userId === '' ? {} : { user_id: userId }) }
  const requestInput = { query, headers: { 'stream-auth-type': 'jwt', authorization: token } }
  return openCall({ route, params: { ...given.params } }, requestInput, services)(given.body ?? {}) as Json
}

function listen(services: Services, userId: string): Json[] {
  const events: Json[] = []
  const connection = createConnection(services, userId, {
    push: (event, extra) => void events.push(JSON.parse(event.jsonWith(extra)) as Json),
    flush: () => undefined,
    close: () => undefined,
  })
  services.hub.add(connection)
  services.hub.watch(connection, 'messaging:one')
  return events
}

/** Everything that expires, each within the next hour. */
function begin(services: Services, clock: ManualClock): void {
  const users = { root: {}, ann: {}, bob: {}, eve: {} }
  const soon = new Date(clock.now() + 600_000).toISOString()
  const send = (message: Json) => {
    const reply = call(services, 'SendMessage', 'ann', { params, body: { message } })
    return String((reply['message'] as Json)['id'])
  }
  call(services, 'UpdateUsers', '', { body: { users } })
  call(services, 'GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob', 'eve'] } } })
  send({ id: 'pin', text: 'pinned', pinned: true, pin_expires: soon })
  send({
    id: 'place',
    text: '',
    shared_location: { latitude: 1, longitude: 2, created_by_device_id: 'd', end_at: soon },
  })
  call(services, 'CreateReminder', 'bob', { params: { messageId: 'pin', id: 'pin' }, body: { remind_at: soon } })
  call(services, 'CreatePoll', 'ann', {
    body: { id: 'poll', name: 'Tea?', options: [{ text: 'yes' }], closes_at: soon },
  })
  send({ id: 'asked', text: '', poll_id: 'poll' })
  call(services, 'MuteUser', 'bob', { body: { target_id: 'ann', timeout: 10 } })
  call(services, 'MuteChannel', 'bob', { body: { channel_cid: 'messaging:one', expiration: 600_000 } })
  call(services, 'Ban', '', {
    body: { target_user_id: 'eve', banned_by_id: 'root', type: 'messaging', id: 'one', timeout: 10 },
  })
  call(services, 'Ban', '', { body: { target_user_id: 'eve', banned_by_id: 'root', timeout: 10 } })
}

test('what expired while the server was down ends when it is back, once, and the users concerned are notified', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-endings-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const before = new ManualClock()
  const first = open(folder, before)
  begin(first, before)
  first.presence.stop()
  first.db.close()

  const clock = new ManualClock(before.now() + 86_400_000)
  const services = open(folder, clock)
  undo.push(() => services.db.close())
  undo.push(() => services.presence.stop())
  const [bob, eve] = [listen(services, 'bob'), listen(services, 'eve')]
  undo.push(startDueTimer(services))
  await clock.advance(1)

  const types = (events: Json[]): unknown[] => events.map((event) => event['type'])
  const ours = types(bob)
  expect(ours.filter((type) => type === 'message.updated').length).toBe(2)
  for (const type of [
    'notification.reminder_due',
    'notification.mutes_updated',
    'notification.channel_mutes_updated',
    'poll.closed',
    'user.unbanned',
  ]) {
    expect(ours).toContain(type)
  }
  expect(types(eve)).toContain('user.unbanned')
  const answer = call(services, 'GetOrCreateChannel', 'eve', { params })
  expect(answer['pinned_messages']).toEqual([])
  expect((answer['membership'] as Json)['banned']).toBe(false)
  expect(call(services, 'SendMessage', 'eve', { params, body: { message: { text: 'free' } } })['message']).toBeDefined()

  bob.length = 0
  await clock.advance(3_600_000)
  expect(types(bob)).toEqual([])
})

test('typing ends after seven silent seconds, or when the user disconnects', async () => {
  const room = openRoom(['ann', 'bob'])
  undo.push(() => room.close())
  const { services } = room.server
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
  const events = listen(services, 'bob')
  const type = (what: string, more: Json = {}) =>
    room.done('SendEvent', 'ann', { params, body: { event: { type: what, ...more } } })
  const notified = () => events.splice(0).map((event) => [event['type'], event['parent_id']])

  type('typing.start')
  await room.clock.advance(5_000)
  type('typing.start')
  await room.clock.advance(6_000)
  expect(notified()).toEqual([
    ['typing.start', undefined],
    ['typing.start', undefined],
  ])
  await room.clock.advance(1_001)
  expect(notified()).toEqual([['typing.stop', undefined]])

  type('typing.start')
  type('typing.stop')
  notified()
  await room.clock.advance(10_000)
  expect(notified()).toEqual([])

  const connection = createConnection(services, 'ann', {
    push: () => undefined,
    flush: () => undefined,
    close: () => undefined,
  })
  services.hub.add(connection)
  type('typing.start', { parent_id: 'p' })
  notified()
  depart(services, connection)
  expect(notified()).toEqual([['typing.stop', 'p']])
  await room.clock.advance(8_000)
  expect(notified().filter(([what]) => what === 'typing.stop')).toEqual([])
})

test('slow mode accepts the next message when its time has passed', async () => {
  const room = openRoom(['ann', 'bob'])
  undo.push(() => room.close())
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
  room.done('UpdateChannel', 'ann', { params, body: { cooldown: 30 } })
  const send = () => room.ask('SendMessage', 'bob', { params, body: { message: { text: 'x' } } }).code
  expect(send()).toBeUndefined()
  expect(send()).toBe(60)
  await room.clock.advance(29_000)
  expect(send()).toBe(60)
  await room.clock.advance(1_001)
  expect(send()).toBeUndefined()
})

test('a connection that closes after the server stopped leaves no timer, and nothing fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-endings-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new ManualClock()
  const failed: string[] = []
  const services = open(folder, clock, (level, _area, event) => void (level === 'error' && failed.push(event)))
  begin(services, clock)
  listen(services, 'bob')
  const [connection] = services.hub.ofUser('bob')
  services.presence.stop()
  services.db.close()

  depart(services, connection!)
  expect(clock.pending).toBe(0)
  expect(failed).toEqual([])
})
