import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#kit/manual-clock.ts'
import { askNetwork, certificateAt } from '#kit/network.ts'
import { createCertificate, type OwnCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { invitationKey } from '#main/lib/secrets.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { STRICT_LIMITS } from '#main/server/http/limits.ts'
import { routes } from '#main/server/routes.ts'
import type { InvitationSecrets, WireSharing } from '#shared/wire/sharing.ts'
import { API_KEY, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'

/** The shared port as a stranger on the network sees it. */

const ADDRESS = '127.0.0.2'
const HOUR_MS = 3_600_000

let server: TestServer
let certificate: OwnCertificate
let port = 0
const clock = new ManualClock()

beforeAll(async () => {
  certificate = await createCertificate(clock.now())
  server = await startTestServer({ clock })
  await (await server.connect('ann', { name: 'Ann' })).close()
})
afterAll(() => server.stopAll())

// A port of its own for each test, so that the limits start full.
beforeEach(async () => {
  const { sharing } = await owner({
    action: 'start',
    addresses: [ADDRESS],
    port: 0,
    approve: false,
    workspace: 'Cairn Maps',
    owner: 'Ann',
    ...certificate,
  })
  port = sharing.port ?? 0
})

async function owner(body: object): Promise<{ sharing: WireSharing; invited?: InvitationSecrets }> {
  const { text } = await server.request(`/sharing?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { Authorization: createToken({}, SECRET), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return JSON.parse(text) as { sharing: WireSharing; invited?: InvitationSecrets }
}

async function invited(options: object = {}): Promise<InvitationSecrets> {
  const body = { action: 'invite', name: 'Office', role: 'user', uses: 5, ends_at: clock.now() + HOUR_MS, ...options }
  const made = (await owner(body)).invited
  if (!made) throw new Error('there is no invitation')
  return made
}

const letters = (text: string): string => `${text}${'x'.repeat(22)}`.slice(0, 22)
const ask = (path: string, options: Parameters<typeof askNetwork>[2] = {}) =>
  askNetwork({ address: ADDRESS, port }, path, options)

async function join(secret: string, name: string, id?: string) {
  const body = { id: id ?? (await invitationKey(secret)).id, secret, name, request: letters(name) }
  return ask('/join/ask', { body })
}

const people = (): number => server.services.db.get<{ n: number }>('SELECT count(*) n FROM users')?.n ?? 0

/** Bytes that a raw connection gets until it is closed. */
function received(send: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, ADDRESS)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1')))
    socket.write(send)
  })
}

describe('SRV-50 a shared port', () => {
  test('SRV-50 shows the certificate of the device, which names nobody', async () => {
    const shown = await certificateAt(ADDRESS, port)

    expect(shown.toString()).toBe(certificate.cert)
    expect(shown.subject).toBe('CN=Parlor')
  })

  test('SRV-51 gives nothing to plain HTTP', async () => {
    const text = await received(`POST /join/hello HTTP/1.1\r\nHost: ${ADDRESS}:${port}\r\n\r\n`)

    expect(text).not.toContain('HTTP/1.1')
    expect(text).not.toContain('Cairn')
  })

  test('SRV-50 tells a stranger neither names nor state', async () => {
    const paths = ['/', '/health', '/hi', '/app', '/sharing', '/join', '/join/hello']
    const answers = await Promise.all(paths.map((path) => ask(path, { method: 'GET' })))

    expect(answers.map(({ status }) => status >= 400)).toEqual(paths.map(() => true))
    expect(JSON.stringify(answers)).not.toMatch(/Cairn|Ann/)
  })

  test('SRV-50 every route refuses a call without a token, and one with a server token', async () => {
    const statuses: number[] = []
    for (const { method, path } of routes) {
      const address = `${path.replaceAll(/:\w+/g, 'x')}?api_key=${API_KEY}`
      const options = { method, ...(method.startsWith('P') ? { body: {} } : {}) }
      statuses.push((await ask(address, options)).status)
      statuses.push((await ask(address, { ...options, headers: { Authorization: createToken({}, SECRET) } })).status)
      // Otherwise the address would soon be blocked, which would refuse everything.
      await clock.advance(13_000)
    }

    expect(new Set(statuses)).toEqual(new Set([401]))
  })

  test('SRV-50 no guest and no anonymous caller gets in, although the app allows them on loopback', async () => {
    const headers = { 'stream-auth-type': 'anonymous' }
    const anonymous = await ask(`/channels?api_key=${API_KEY}`, { headers, body: {} })
    const guest = await ask(`/guest?api_key=${API_KEY}`, { headers, body: { user: { id: 'eve' } } })

    expect(anonymous.status).toBeGreaterThanOrEqual(400)
    expect(guest.status).toBeGreaterThanOrEqual(400)
    expect(server.services.db.get("SELECT 1 FROM users WHERE id = 'eve'")).toBeUndefined()
  })

  test('SRV-50 another host, an origin and another type of body are refused', async () => {
    const headers = { Authorization: tokenOf('ann') }
    const path = `/channels?api_key=${API_KEY}`
    const host = await ask(path, { headers: { ...headers, host: 'evil.example' }, body: {} })
    const origin = await ask(path, { headers: { ...headers, origin: `https://${ADDRESS}:${port}` }, body: {} })
    const type = await ask('/join/ask', { headers: { 'content-type': 'text/plain' }, body: '{}' })

    expect(host.status).toBe(421)
    expect(origin.status).toBe(403)
    expect(type.status).toBe(400)
  })

  test('SRV-50 a body that is too big is refused, for strangers and for people', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1_100_000) })
    const stranger = await ask('/join/ask', { body })
    const person = await ask(`/channels?api_key=${API_KEY}`, { headers: { Authorization: tokenOf('ann') }, body })

    expect(stranger.status).toBe(413)
    expect(person.status).toBe(413)
  })

  test('SRV-50 one address cannot take all sockets, and others still get through', async () => {
    const sockets = Array.from({ length: 40 }, () => connect(port, ADDRESS).on('error', () => undefined))
    const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
    await Promise.race(closed)
    const other = await certificateAt(ADDRESS, port).then(
      () => 'answered',
      () => 'refused',
    )
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)

    expect(other).toBe('refused')
    // The server notices a moment later that they are gone.
    await vi.waitFor(async () => expect((await ask('/join/hello', { body: {} })).status).toBe(400), 20_000)
  })

  test('SRV-50 a socket with a stolen server token is refused, and one of a person is cut when sharing stops', async () => {
    const url = (userId: string, token: string) =>
      connectUrl(`http://${ADDRESS}:${port}`, userId, { token }).replace('ws:', 'wss:')
    const first = (socket: WebSocket) =>
      new Promise<string>((resolve) => socket.once('message', (data) => resolve(frameText(data))))
    const stolen = new WebSocket(url('ann', createToken({}, SECRET)), { rejectUnauthorized: false })
    const refusal = await first(stolen)
    const person = new WebSocket(url('ann', tokenOf('ann')), { rejectUnauthorized: false })
    const welcome = await first(person)
    const cut = new Promise<number>((resolve) => person.once('close', resolve))
    await owner({ action: 'stop' })

    expect(JSON.parse(refusal)).toMatchObject({ error: { code: 5 } })
    expect(JSON.parse(welcome)).toMatchObject({ me: { id: 'ann' } })
    expect(await cut).toBe(1006)
  })
})

describe('SRV-53 invitations', () => {
  test('SRV-53 a link that ended, was revoked or is used up lets nobody in', async () => {
    const before = people()
    const ended = await invited({ ends_at: clock.now() + 1_000 })
    const revoked = await invited()
    const used = await invited({ uses: 1 })
    await join(used.link, 'First')
    await owner({ action: 'revoke', id: revoked.id })
    await clock.advance(2_000)
    const answers = [await join(ended.link, 'A'), await join(revoked.code, 'B'), await join(used.link, 'C')]

    expect(answers.map(({ body }) => body['exception_fields'])).toEqual([
      { invitation: 'ended' },
      { invitation: 'ended' },
      { invitation: 'used' },
    ])
    expect(people()).toBe(before + 1)
  })

  test('SRV-53 a replayed request brings in nobody else', async () => {
    const before = people()
    const { link } = await invited()
    const first = await join(link, 'Replayed')
    const again = await join(link, 'Replayed')

    expect(again.body['user_id']).toBe(first.body['user_id'])
    expect(people()).toBe(before + 1)
  })

  test('SRV-53 the identifier of an invitation is worth nothing without its secret', async () => {
    const { link } = await invited()
    const { id } = await invitationKey(link)
    const answer = await join(letters('guess'), 'Eve', id)

    expect(answer).toMatchObject({ status: 401, body: { exception_fields: { invitation: 'wrong' } } })
  })

  test('SRV-53 guessing blocks the address for a minute, whatever it asks for', async () => {
    const guess = (at: number) =>
      ask('/join/hello', { body: { version: 1, id: letters(`g${at}`), nonce: letters('n') } })
    const tries = STRICT_LIMITS.failedAuth
    const guesses: number[] = []
    for (let at = 0; at < tries; at += 1) guesses.push((await guess(at)).status)
    const { link } = await invited()
    const blocked = await join(link, 'Late')
    await clock.advance(61_000)
    const after = await join(link, 'Late')

    expect(guesses.every((status) => status === 401)).toBe(true)
    expect(blocked.status).toBe(429)
    expect(after.body['state']).toBe('accepted')
  })

  test('SRV-53 the answer to someone else’s request cannot be asked for', async () => {
    const { link } = await invited()
    await join(link, 'Hana')
    const answer = await ask('/join/answer', { body: { request: letters('other') } })

    expect(answer.body).toMatchObject({ state: 'gone' })
    expect(JSON.stringify(answer.body)).not.toContain('token')
  })

  test.each([
    ['no name', { name: '' }],
    ['a name that is too long', { name: 'x'.repeat(5_000) }],
    ['a secret of another form', { secret: '../../etc/passwd' }],
    ['a request of another form', { request: 1 }],
  ])('SRV-53 %s is refused', async (_what, wrong) => {
    const { link } = await invited()
    const { id } = await invitationKey(link)
    const answer = await ask('/join/ask', { body: { id, secret: link, name: 'Eve', request: letters('e'), ...wrong } })

    expect(answer.status).toBe(400)
  })
})
