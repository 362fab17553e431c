import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createToken } from '#main/server/http/auth/identify.ts'
import { API_KEY, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from './kit.ts'
import { ROLES, type Role } from './matrix/world.ts'

/**
 * The matrix of what is not in the router's endpoint table: uploads, downloads and the websocket, by the same ten
 * roles, over real connections. The marks are those of matrix/rows.ts.
 */
let server: TestServer
/** A file of the channel, and one of no channel, as the server returned them. */
let inChannel = ''
let loose = ''

const asServer = createToken({}, SECRET)

async function admin(path: string, body: object, method = 'POST'): Promise<void> {
  const answer = await server.request(`${path}?api_key=${API_KEY}`, {
    method,
    headers: { Authorization: asServer, 'stream-auth-type': 'jwt', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status < 300 ? '' : answer.text, path).toBe('')
}

beforeAll(async () => {
  server = await startTestServer({ limits: { upload: 1e9, failedAuth: 1e9, connect: 1e9 } })
  const roles: Readonly<Record<string, string>> = { admin: 'admin', appModerator: 'moderator', guest: 'guest' }
  const people = ROLES.slice(1).map((id) => [id, { id, role: roles[id] ?? 'user' }])
  await admin('/users', { users: Object.fromEntries(people) as object })
  const members = ['member', 'moderator', 'creator', 'banned', 'shadowBanned']
  await admin('/channels/messaging/one/query', { data: { created_by_id: 'creator', members } })
  await admin('/channels/messaging/one', { add_moderators: ['moderator'], user_id: 'creator' })
  const place = { type: 'messaging', id: 'one', banned_by_id: 'creator' }
  await admin('/moderation/ban', { ...place, target_user_id: 'banned' })
  await admin('/moderation/ban', { ...place, target_user_id: 'shadowBanned', shadow: true })
  await letIn(true)
  inChannel = ((await upload('/channels/messaging/one/file', 'creator')) as { file: string }).file
  loose = ((await upload('/uploads/file', 'creator')) as { file: string }).file
})
afterAll(() => server.stopAll())

const headersOf = (role: string): Record<string, string> =>
  role === 'anonymous'
    ? { 'stream-auth-type': 'anonymous' }
    : { 'stream-auth-type': 'jwt', Authorization: tokenOf(role) }

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 0, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0]),
])

async function upload(path: string, role: string): Promise<object> {
  const form = new FormData()
  form.append('file', new Blob([PNG], { type: 'image/png' }), 'a.png')
  const query = role === 'anonymous' ? '' : `&user_id=${role}`
  const init = { method: 'POST', headers: headersOf(role), body: form }
  return (await (await fetch(`${server.url}${path}?api_key=${API_KEY}${query}`, init)).json()) as object
}

const letIn = (isLetIn: boolean) => admin('/app', { anonymous_access_enabled: isLetIn }, 'PATCH')

const MARKS: Readonly<Record<number, string>> = { 17: '7', 16: '6' }
const markOf = (reply: object): string =>
  'code' in reply ? (MARKS[Number(reply.code)] ?? JSON.stringify(reply)) : 'file' in reply ? '.' : '-'

async function download(url: string, role: string): Promise<string> {
  const answer = await fetch(url, { headers: headersOf(role) })
  if (answer.status !== 200) return markOf((await answer.json()) as object)
  return Buffer.from(await answer.arrayBuffer()).equals(PNG) ? '.' : '-'
}

const unsigned = (url: string): string => url.slice(0, url.indexOf('?'))

function connect(role: string): Promise<string> {
  const url = new URL(connectUrl(server.url, role))
  if (role === 'anonymous') {
    url.searchParams.delete('authorization')
    url.searchParams.set('stream-auth-type', 'anonymous')
  }
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    socket.once('message', (data) => {
      const frame = JSON.parse(frameText(data)) as { me?: { id: string }; error?: object }
      resolve(frame.error ? markOf(frame.error) : frame.me?.id === role ? '.' : '-')
      socket.close()
    })
    socket.once('error', () => resolve('broken'))
  })
}

type Ask = (role: Role) => Promise<string>
const uploadTo =
  (path: string): Ask =>
  async (role) =>
    markOf(await upload(path, role))

const ROWS: readonly (readonly [name: string, marks: string, ask: Ask])[] = [
  ['POST /channels/{type}/{id}/file', '766.....7.', uploadTo('/channels/messaging/one/file')],
  ['POST /channels/{type}/{id}/image', '766.....7.', uploadTo('/channels/messaging/one/image')],
  ['POST /uploads/file', '77........', uploadTo('/uploads/file')],
  ['POST /uploads/image', '77........', uploadTo('/uploads/image')],
  ['GET /files of a channel', '666.......', (role) => download(unsigned(inChannel), role)],
  ['GET /files of a channel, signed', '..........', (role) => download(inChannel, role)],
  ['GET /files of no channel', '6.........', (role) => download(unsigned(loose), role)],
  ['GET /connect', '..........', connect],
]

describe.each(ROWS)('%s', (_name, marks, ask) => {
  test.each(ROLES.map((role, at) => [role, marks[at] ?? 'none'] as const))('%s %s', async (role, mark) => {
    expect(await ask(role)).toBe(mark)
  })
})

test('connections without a token are refused, unless anonymous access is on', async () => {
  await letIn(false)
  expect(await connect('anonymous')).toBe('7')
  expect(await download(unsigned(inChannel), 'anonymous')).toBe('6')
  await letIn(true)
})
