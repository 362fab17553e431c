import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { askNetwork, type NetworkAnswer } from '#kit/network.ts'
import { createCertificate, type OwnCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { announcementProof, readNote } from '#main/server/sharing/moved-note.ts'
import { API_KEY, SECRET, startTestServer, tokenOf, type TestServer } from './kit.ts'

/** The port of a workspace that has moved, as its people and strangers of the network see it. */

const ADDRESS = '127.0.0.2'
const MOVING = 'a-secret-that-went-along-in-the-file'
let server: TestServer
let own: OwnCertificate
let port = 0

beforeAll(async () => {
  own = await createCertificate(Date.now())
  server = await startTestServer()
  await (await server.connect('ann', { name: 'Ann' })).close()
  port = await opened('moved')
})
afterAll(() => server.stopAll())

async function opened(action: 'moved' | 'start'): Promise<number> {
  const { text } = await server.request(`/sharing?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { Authorization: createToken({}, SECRET), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      action,
      addresses: [ADDRESS],
      port: 0,
      ...own,
      ...(action === 'moved' ? { secret: MOVING } : { approve: true, workspace: 'Cairn Maps', owner: 'Ann' }),
    }),
  })
  return (JSON.parse(text) as { sharing: { port?: number } }).sharing.port ?? 0
}

const ask = (path: string, body: object = {}): Promise<NetworkAnswer> =>
  askNetwork({ address: ADDRESS, port }, path, { body })
const announce = (note: object, secret = MOVING): Promise<NetworkAnswer> => {
  const text = JSON.stringify(note)
  return ask('/join/moved', { note: text, proof: announcementProof(secret, text) })
}

test('it takes the new address only from whoever has the file, and tells it signed with the certificate that people trust', async () => {
  const there = { addresses: ['127.0.0.4'], port: 7_443, certificate: (await createCertificate(Date.now())).cert }
  const before = await ask('/join/where')
  const strangers = await announce(there, 'a-secret-of-somebody-else-on-the-network')
  const still = await ask('/join/where')
  const real = await announce(there)
  const after = await ask('/join/where')
  const { note = '', signature = '' } = after.body as { note?: string; signature?: string }

  expect(before.body).toMatchObject({ moved: true })
  expect(before.body['note']).toBeUndefined()
  expect(strangers.status).toBe(401)
  expect(still.body['note']).toBeUndefined()
  expect(real.status).toBe(200)
  expect(readNote({ note, signature }, own.cert)).toEqual(there)
})

test.each([
  ['a name instead of an address', { addresses: ['evil.example'], port: 1, certificate: '' }],
  ['no certificate', { addresses: ['127.0.0.4'], port: 1, certificate: 'PEM' }],
  ['no port', { addresses: ['127.0.0.4'], port: 0, certificate: '' }],
  ['no address', { addresses: [], port: 1, certificate: '' }],
])('%s is no new address', async (_case, note) => {
  expect((await announce(note)).status).toBe(400)
})

test('everything else is closed: calls with a valid token, sign-ins, invitations and websockets', async () => {
  const headers = { Authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' }
  const call = await askNetwork({ address: ADDRESS, port }, `/channels?api_key=${API_KEY}&user_id=ann`, {
    headers,
    body: {},
  })
  const files = await askNetwork({ address: ADDRESS, port }, '/files/a/b', { method: 'GET', headers })
  const hello = await ask('/join/hello', { version: 1, id: 'x'.repeat(22), nonce: 'y'.repeat(22) })
  const socket = new WebSocket(`wss://${ADDRESS}:${port}/connect?api_key=${API_KEY}`, { rejectUnauthorized: false })
  const refused = await new Promise<string>((resolve) => {
    socket.on('open', () => resolve('open'))
    socket.on('error', ({ message }) => resolve(message))
  })

  expect([call, files, hello].map(({ status }) => status)).toEqual([404, 404, 404])
  expect(refused).toContain('410')
})

test('a workspace that is taken back forgets the address, and is open as before', async () => {
  port = await opened('start')
  const { body } = await ask('/join/where')
  port = await opened('moved')

  expect(body).toEqual({})
  expect((await ask('/join/where')).body).toEqual({ moved: true })
})
