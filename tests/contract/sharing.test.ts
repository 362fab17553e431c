import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { askNetwork } from '#kit/network.ts'
import { createCertificate, type OwnCertificate } from '#main/app/local-workspace/local-workspace.ts'
import { invitationKey, invitationProof } from '#main/lib/secrets.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { Sharing } from '#main/server/sharing/sharing.ts'
import type { InvitedRole } from '#shared/domain/sharing.ts'
import type { InvitationSecrets, WireSharing } from '#shared/wire/sharing.ts'
import { X509Certificate } from 'node:crypto'
import { API_KEY, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from './kit.ts'

/** The shared port of a server, as the owner and those who join see it. */

let server: TestServer
let certificate: OwnCertificate
const ADDRESS = '127.0.0.2'
const changes: number[] = []

beforeAll(async () => {
  certificate = await createCertificate(Date.now())
  server = await startTestServer({ onSharing: () => void changes.push(1) })
  await (await server.connect('ann', { name: 'Ann' })).close()
})
afterAll(() => server.stopAll())

type Reply = { readonly sharing: WireSharing; readonly invited?: InvitationSecrets; readonly problem?: string }

async function owner(body: object, token = createToken({}, SECRET)): Promise<Reply & { status: number }> {
  const { status, text } = await server.request(`/sharing?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { Authorization: token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { ...(JSON.parse(text) as Reply), status }
}

const begin = { addresses: [ADDRESS], port: 0, approve: true, workspace: 'Cairn Maps', owner: 'Ann' }
const start = (options: object = {}) => owner({ action: 'start', ...begin, ...certificate, ...options })

async function invite(options: { role?: InvitedRole; uses?: number } = {}): Promise<InvitationSecrets> {
  const { invited } = await owner({
    action: 'invite',
    name: 'Office',
    role: 'user',
    uses: 5,
    ends_at: Date.now() + 3_600_000,
    ...options,
  })
  if (!invited) throw new Error('there is no invitation')
  return invited
}

const door = (port = 0) => ({ address: ADDRESS, port })
const REQUEST = 'request-of-22-letters-'
const requestOf = (name: string): string => `${name}${REQUEST}`.slice(0, 22)

async function askToJoin(port: number, secret: string, name: string) {
  const { id } = await invitationKey(secret)
  return askNetwork(door(port), '/join/ask', { body: { id, secret, name, request: requestOf(name) } })
}

async function startedPort(options: object = {}): Promise<number> {
  const { sharing } = await start(options)
  return sharing.port ?? 0
}

const rowsOf = (sql: string): number => server.services.db.get<{ n: number }>(sql)?.n ?? 0

describe('a shared workspace', () => {
  test('listens nowhere until the owner asks for it, and then only there', async () => {
    const before = await owner({ action: 'state' })
    const { sharing } = await start()

    expect(before.sharing.port).toBeUndefined()
    expect(sharing.addresses).toEqual([ADDRESS])
    await expect(askNetwork({ address: '127.0.0.3', port: sharing.port ?? 0 }, '/join/hello')).rejects.toThrow(
      'ECONNREFUSED',
    )
  })

  test('is governed by a server token on loopback alone', async () => {
    const port = await startedPort()
    const byUser = await owner({ action: 'stop' }, tokenOf('ann'))
    const headers = { Authorization: createToken({}, SECRET) }
    const fromNetwork = await askNetwork(door(port), `/sharing?api_key=${API_KEY}`, {
      headers,
      body: { action: 'stop' },
    })

    expect(byUser.status).toBe(403)
    expect(fromNetwork.status).toBe(404)
    expect((await owner({ action: 'state' })).sharing.port).toBe(port)
  })

  test('shows its names and a proof to those who know an invitation', async () => {
    const port = await startedPort()
    const { link } = await invite({ role: 'moderator' })
    const { id, key } = await invitationKey(link)
    const hello = await askNetwork(door(port), '/join/hello', { body: { version: 1, id, nonce: requestOf('n') } })
    const { fingerprint256 } = new X509Certificate(certificate.cert)
    const fingerprint = Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url')

    expect(hello.body).toMatchObject({ workspace: 'Cairn Maps', owner: 'Ann', role: 'moderator', approve: true })
    expect(hello.body['proof']).toBe(invitationProof(key, requestOf('n'), fingerprint))
  })

  test('lets someone wait until the owner accepts, then connects them until sharing stops', async () => {
    const port = await startedPort()
    const { code } = await invite()
    const asked = await askToJoin(port, code, 'Marek')
    const { sharing } = await owner({ action: 'state' })
    const [waiting] = sharing.waiting
    await owner({ action: 'decide', id: waiting?.id, accept: true })
    const answer = await askNetwork(door(port), '/join/answer', { body: { request: requestOf('Marek') } })
    const { user_id: userId, token } = answer.body as { user_id: string; token: string }
    const socket = new WebSocket(connectUrl(`http://${ADDRESS}:${port}`, userId, { token }).replace('ws:', 'wss:'), {
      rejectUnauthorized: false,
    })
    const first = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(frameText(data))))
    const { connected } = (await owner({ action: 'state' })).sharing
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await owner({ action: 'stop' })
    await closed

    expect(asked.body['state']).toBe('waiting')
    expect(waiting).toMatchObject({ name: 'Marek', role: 'user' })
    expect(answer.body['state']).toBe('accepted')
    expect(JSON.parse(first)).toMatchObject({ me: { id: userId, name: 'Marek' } })
    expect(connected).toMatchObject([{ user_id: userId }])
    await expect(askNetwork(door(port), '/join/hello')).rejects.toThrow('ECONNREFUSED')
  })

  test('creates nobody who is refused, and gives the use back', async () => {
    const port = await startedPort()
    const { link } = await invite({ uses: 1 })
    const before = rowsOf('SELECT count(*) n FROM users')
    await askToJoin(port, link, 'Eve')
    const full = await askToJoin(port, link, 'Bob')
    const { waiting } = (await owner({ action: 'state' })).sharing
    await owner({ action: 'decide', id: waiting[0]?.id, accept: false })
    const answer = await askNetwork(door(port), '/join/answer', { body: { request: requestOf('Eve') } })
    const next = await askToJoin(port, link, 'Bob')

    expect(full.body).toMatchObject({ exception_fields: { invitation: 'used' } })
    expect(answer.body['state']).toBe('refused')
    expect(next.body['state']).toBe('waiting')
    expect(rowsOf('SELECT count(*) n FROM users')).toBe(before)
  })

  test('without approval lets in at once, each as often as asked, but counts one person once', async () => {
    const port = await startedPort({ approve: false })
    const { link, id } = await invite({ role: 'moderator', uses: 2 })
    const first = await askToJoin(port, link, 'Hana')
    const again = await askToJoin(port, link, 'Hana')
    const { invitations } = (await owner({ action: 'state' })).sharing
    const role = server.services.db.get<{ role: string }>(
      'SELECT role FROM users WHERE id = ?',
      String(first.body['user_id']),
    )

    expect(first.body['state']).toBe('accepted')
    expect(again.body['user_id']).toBe(first.body['user_id'])
    expect(invitations.find((each) => each.id === id)?.used).toBe(1)
    expect(role?.role).toBe('moderator')
  })

  test('ends every invitation when it stops, also for those who wait', async () => {
    const port = await startedPort()
    const { link } = await invite()
    await askToJoin(port, link, 'Luis')
    await owner({ action: 'stop' })
    const next = await startedPort()
    const late = await askToJoin(next, link, 'Late')
    const answer = await askNetwork(door(next), '/join/answer', { body: { request: requestOf('Luis') } })

    expect(late.body).toMatchObject({ exception_fields: { invitation: 'ended' } })
    expect(answer.body['state']).toBe('refused')
  })

  test('says that a port is taken and keeps off', async () => {
    const taken = Number(new URL(server.url).port)
    const reply = await start({ addresses: ['127.0.0.1'], port: taken })

    expect(reply.problem).toBe('port-taken')
    expect((await owner({ action: 'state' })).sharing.port).toBeUndefined()
  })

  test('is closed after the owner stopped it, also while it was being opened', async () => {
    const sharing = new Sharing({ services: server.services })
    const starting = sharing.obey({ action: 'start', ...begin, ...certificate, addresses: ['127.0.0.5', '127.0.0.6'] })
    const stopping = sharing.obey({ action: 'stop' })
    await Promise.all([starting, stopping])
    const { port } = sharing.state()
    sharing.end()

    expect(port).toBeUndefined()
  })

  test('is not opened by a start that the end of the server overtakes', async () => {
    const sharing = new Sharing({ services: server.services })
    const starting = sharing.obey({ action: 'start', ...begin, ...certificate })
    sharing.end()
    await starting
    const { port } = sharing.state()
    sharing.end()

    expect(port).toBeUndefined()
  })

  test('listens where it was last told to when it is told twice at once', async () => {
    const sharing = new Sharing({ services: server.services })
    const first = await sharing.obey({ action: 'start', ...begin, ...certificate })
    const { port = 0 } = sharing.state()
    const again = { action: 'start' as const, ...begin, ...certificate, port }
    const results = await Promise.all([
      sharing.obey({ ...again, addresses: [ADDRESS, '127.0.0.4'] }),
      sharing.obey({ ...again, addresses: ['127.0.0.4', ADDRESS] }),
    ])
    const { addresses } = sharing.state()
    sharing.end()

    expect([first, ...results].map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
    expect(addresses).toEqual(['127.0.0.4', ADDRESS])
  })

  test('leaves out an address that the device has lost, and needs only one', async () => {
    const some = await start({ addresses: ['203.0.113.7', ADDRESS] })
    const none = await start({ addresses: ['203.0.113.7'] })

    expect(some.problem).toBeUndefined()
    expect(some.sharing.addresses).toEqual([ADDRESS])
    expect(none.problem).toBe('no-network')
    expect(none.sharing.port).toBeUndefined()
  })

  test.each([[1e300], [Date.now() + 2 * 366 * 86_400_000], [1.5], [Date.now() - 1]])(
    'refuses an invitation that ends at %s, and still answers',
    async (ends) => {
      await startedPort()
      const refused = await owner({ action: 'invite', name: 'Office', role: 'user', uses: 1, ends_at: ends })

      expect(refused.status).toBe(400)
      expect((await owner({ action: 'state' })).status).toBe(201)
    },
  )

  test('stores no secret of an invitation, and exports none', async () => {
    await startedPort()
    const { link, code } = await invite()
    const stored = JSON.stringify(server.services.db.all("SELECT json FROM settings WHERE kind = 'invitation'"))

    expect(stored).not.toContain(link)
    expect(stored).not.toContain(code)
  })

  test('tells the app that someone came', () => {
    expect(changes.length).toBeGreaterThan(0)
  })
})
