import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { API_KEY, type Client, type TestServer } from '../kit.ts'
import { act, asServer, callsOf, CID, make, ROOM, startWorkspace } from './program.ts'

let server: TestServer
let ola: Client
let ann: Client
let key: { readonly id: string; readonly secret: string }
beforeAll(async () => {
  ;({ server, ola, ann } = await startWorkspace())
  await ann.call(sendMessage, ROOM, { body: { message: { id: 'm1', text: 'the yellow map' } } })
  await ola.call(sendMessage, ROOM, { body: { message: { id: 'r1', text: 'which one?', parent_id: 'm1' } } })
  await ann.call(queryChannel, { type: 'messaging', id: 'hers' }, { body: { data: { members: ['ann', 'eve'] } } })
  await ann.call(
    sendMessage,
    { type: 'messaging', id: 'hers' },
    { body: { message: { id: 'h1', text: 'a yellow secret' } } },
  )
})
beforeEach(async () => {
  key = await make(server, { kind: 'key', name: 'Backup script' })
})
afterAll(() => server.stopAll())

const read = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}/read/${path}`, {
    headers: { authorization: `Bearer ${key.secret}` },
    ...init,
  })
  return { status: response.status, body: (await response.json()) as Record<string, never[]> }
}

test('a script reads channels, messages, replies, people, and searches', async () => {
  expect((await read('channels')).body['channels']).toMatchObject([{ cid: CID, name: 'builds', member_count: 2 }])
  const { body } = await read('channels/team/builds/messages')
  expect(body['messages']).toMatchObject([{ id: 'm1', text: 'the yellow map', user: { id: 'ann', name: 'Ann' } }])
  expect((await read('messages/m1')).body['message']).toMatchObject({ text: 'the yellow map', reply_count: 1 })
  expect((await read('messages/m1/replies')).body['messages']).toMatchObject([{ text: 'which one?' }])
  expect((await read('search?q=yellow')).body['messages']).toMatchObject([{ id: 'm1' }])
  expect((await read('people')).body['people']).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: 'ann', name: 'Ann' })]),
  )
})

test('a key reads what its owner may read, with the rights of its owner', async () => {
  await asServer(server, '/users', { users: { bob: { id: 'bob', role: 'admin' } } })
  await asServer(server, '/channels/team/builds', { add_members: ['bob'] })
  const made = await act(server, { action: 'create', kind: 'key', name: 'Bob’s' }, 'bob')
  const answer = await fetch(`${server.url}/read/channels`, { headers: { authorization: `Bearer ${made.secret}` } })
  expect(JSON.stringify(await answer.json())).not.toContain('hers')
  await asServer(server, '/users/bob/deactivate', {})
  const later = await fetch(`${server.url}/read/channels`, { headers: { authorization: `Bearer ${made.secret}` } })
  expect(later.status).toBe(403)
})

const WRITES: readonly (readonly [string, string])[] = [
  ['POST', 'channels'],
  ['DELETE', 'messages/m1'],
  ['PUT', 'messages/m1'],
  ['PATCH', 'channels/team/builds'],
]

test.each(WRITES)('%s %s is refused', async (method, path) => {
  expect((await read(path, { method })).status).toBe(405)
})

test('no other call of the server accepts a key', async () => {
  for (const path of ['/app', '/users/ann/export', '/integrations']) {
    const response = await fetch(`${server.url}${path}?api_key=${API_KEY}`, {
      headers: { authorization: `Bearer ${key.secret}`, 'stream-auth-type': 'jwt' },
    })
    expect(response.status, path).toBe(path === '/integrations' ? 404 : 401)
  }
})

test('reading changes nothing: not even what was unread', async () => {
  const unread = async () =>
    (await ola.call(queryChannel, ROOM, { body: { state: true } })).body.read?.find(({ user }) => user.id === 'ola')
      ?.unread_messages
  const before = await unread()
  await read('channels/team/builds/messages')
  await read('channels/team/unknown/messages')
  expect(await unread()).toBe(before)
  expect((await read('channels')).body['channels']).toHaveLength(1)
})

test.each(['', 'x', 'channels/team', 'channels/team/none/messages', 'messages/none', 'messages/%E0%A4%A', '../app'])(
  'there is nothing to read at %j',
  async (path) => {
    expect((await read(path)).status).toBeGreaterThanOrEqual(400)
  },
)

test('a wrong key is refused, a revoked one answers 410', async () => {
  const good = key.secret
  key = { ...key, secret: `${good.slice(0, -3)}AAA` }
  expect((await read('channels')).status).toBe(401)
  key = { ...key, secret: good }
  await act(server, { action: 'revoke', ids: [key.id] })
  expect((await read('channels')).status).toBe(410)
})

test('a key is shown once: afterwards only its beginning is known', async () => {
  expect((await act(server, { action: 'reveal', id: key.id })).status).toBe(400)
  const list = await act(server, { action: 'list' })
  expect(JSON.stringify(list)).not.toContain(key.secret)
  expect(list.integrations?.find(({ id }) => id === key.id)?.key_start).toBe(key.secret.slice(0, 13))
  expect(key.secret).toMatch(/^prl_read_[\w-]{43}$/)
})

test('its calls are listed, a test says how many channels it reads', async () => {
  await read('channels')
  expect((await callsOf(server, key.id))[0]).toMatchObject({ outcome: 'read', what: 'GET /read/channels', status: 200 })
  expect((await act(server, { action: 'test', id: key.id, text: 'x' })).test).toMatchObject({
    outcome: 'read',
    count: 1,
  })
})
