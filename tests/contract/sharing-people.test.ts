import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createToken } from '#main/server/http/auth/identify.ts'
import { API_KEY, connectUrl, frameText, SECRET, tokenOf } from './kit.ts'
import { sharedWorkspace, type SharedWorkspace } from './shared-workspace.ts'

/** Who gets into a shared workspace, with which rights, and who does not get back in. */

const DAY_MS = 86_400_000
const SERVER = { Authorization: createToken({}, SECRET), 'Content-Type': 'application/json' }

let shared: SharedWorkspace
beforeAll(async () => {
  shared = await sharedWorkspace()
  for (const id of ['general', 'design', 'board']) await channel(id, id === 'board')
})
afterAll(() => shared.server.stopAll())
// A port of its own for each test, so that its limits start full.
beforeEach(() => shared.start())

async function byServer(path: string, method: string, body?: object): Promise<number> {
  const mark = path.includes('?') ? '&' : '?'
  const options = { method, headers: SERVER, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  return (await shared.server.request(`${path}${mark}api_key=${API_KEY}`, options)).status
}

const channel = (id: string, isPrivate: boolean) =>
  byServer(`/channels/team/${id}/query`, 'POST', { data: { name: id, private: isPrivate, created_by_id: 'ann' } })

const signOutEverywhere = (id: string) =>
  byServer('/users', 'PATCH', {
    users: [{ id, set: { revoke_tokens_issued_before: new Date(shared.clock.now()).toISOString() } }],
  })

const channelsOf = (userId: unknown): readonly string[] =>
  shared.server.services.db
    .all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ? ORDER BY cid', String(userId))
    .map(({ cid }) => cid)

const roleOf = (userId: unknown): string | undefined =>
  shared.server.services.db.get<{ role: string }>('SELECT role FROM users WHERE id = ?', String(userId))?.role

/** Asks, is accepted, and fetches the answer. */
async function joins(name: string, invitation: object = {}): Promise<{ userId: string; token: string }> {
  const { link } = await shared.invite(invitation)
  await shared.ask(link, name)
  await shared.decide(name, true)
  const { user_id: userId, token } = (await shared.answer(name)).body as { user_id: string; token: string }
  return { userId, token }
}

/** The first frame of a socket through the port of the network. */
async function greeting(userId: string, token: string): Promise<Record<string, unknown>> {
  const url = connectUrl(`http://127.0.0.2:${shared.port()}`, userId, { token }).replace('ws:', 'wss:')
  const socket = new WebSocket(url, { rejectUnauthorized: false })
  const first = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(frameText(data))))
  socket.terminate()
  return JSON.parse(first) as Record<string, unknown>
}

describe('a guest', () => {
  test('joins the channels that the invitation names, and no other', async () => {
    const { userId } = await joins('Gus', { role: 'guest', channels: ['team:design', 'team:board'] })

    expect(roleOf(userId)).toBe('guest')
    expect(channelsOf(userId)).toEqual(['team:board', 'team:design'])
  })

  test('cannot be invited to nothing, to a channel that is not there, or to a conversation', async () => {
    const ends = shared.clock.now() + DAY_MS
    const invite = (channels?: readonly string[]) =>
      shared.owner({ action: 'invite', name: 'Guests', role: 'guest', uses: 1, ends_at: ends, channels })
    const refused = [
      await invite(),
      await invite([]),
      await invite(['team:none']),
      await invite(['messaging:!members-x']),
    ]

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  })

  test('stays one when the invitation has long ended before the owner answers', async () => {
    const { link } = await shared.invite({ role: 'guest', channels: ['team:design'] })
    await shared.ask(link, 'Late')
    await shared.clock.advance(3 * DAY_MS)
    // Old invitations are forgotten with the next one.
    await shared.invite()
    const { sharing } = await shared.owner({ action: 'state' })
    await shared.decide('Late', true)
    const { user_id: userId } = (await shared.answer('Late')).body

    expect(sharing.waiting.find(({ name }) => name === 'Late')?.role).toBe('guest')
    expect(roleOf(userId)).toBe('guest')
    expect(channelsOf(userId)).toEqual(['team:design'])
  })

  test('and a member differ: a member joins every public channel and no private one', async () => {
    const { userId } = await joins('Mia')

    expect(channelsOf(userId)).toEqual(['team:design', 'team:general'])
  })
})

describe('someone who was sent away', () => {
  test('gets no new token for an old request after "Sign out everywhere"', async () => {
    const { userId, token } = await joins('Out')
    await shared.clock.advance(2_000)
    await signOutEverywhere(userId)
    const answer = await shared.answer('Out')

    expect(answer.body).toEqual({ state: 'refused' })
    expect(await greeting(userId, token)).toMatchObject({ error: { code: 40 } })
  })

  test('gets none by asking again with the same request either', async () => {
    const { link } = await shared.invite()
    await shared.ask(link, 'Again')
    await shared.decide('Again', true)
    const { user_id: userId } = (await shared.answer('Again')).body
    await shared.clock.advance(2_000)
    await signOutEverywhere(String(userId))

    expect((await shared.ask(link, 'Again')).body).toEqual({ state: 'refused' })
  })

  test('gets none once they are deactivated or deleted', async () => {
    const [first, second] = [await joins('Deact'), await joins('Deleted')]
    await byServer(`/users/${first.userId}/deactivate`, 'POST', {})
    await byServer('/users/delete', 'POST', { user_ids: [second.userId], user: 'hard' })
    const answers = [await shared.answer('Deact'), await shared.answer('Deleted')]

    expect(answers.map(({ body }) => body)).toEqual([{ state: 'refused' }, { state: 'refused' }])
  })

  test('does not come back with the token of a user who was deleted for good', async () => {
    const { userId, token } = await joins('Gone')
    await byServer('/users/delete', 'POST', { user_ids: [userId], user: 'hard' })
    const called = await shared.call(`/channels?api_key=${API_KEY}`, { headers: { Authorization: token }, body: {} })
    const connected = await greeting(userId, token)

    expect(called.status).toBe(401)
    expect(connected).toMatchObject({ error: { code: 5 } })
    expect(roleOf(userId)).toBeUndefined()
  })
})

describe('a name', () => {
  test('that somebody there has is pointed out to the owner, and refused where nobody looks', async () => {
    const { link } = await shared.invite()
    await shared.ask(link, 'ANN ', 'namesake')
    const { sharing } = await shared.owner({ action: 'state' })
    await shared.decide('ANN', false)
    await shared.start({ approve: false })
    const taken = await shared.ask(link, 'ann', 'impostor')
    const free = await shared.ask(link, 'Annika', 'annika')

    expect(sharing.waiting.find(({ name }) => name === 'ANN')).toMatchObject({ name_taken: true })
    expect(taken.body).toMatchObject({ exception_fields: { name: 'taken' } })
    expect(free.body['state']).toBe('accepted')
  })

  test('is one line without marks that disguise it', async () => {
    const { link } = await shared.invite()
    await shared.ask(link, 'Bo\u202Eb\n\u200F', 'bob')
    const blank = await shared.ask(link, '\u200F\u202E', 'blank')
    const { sharing } = await shared.owner({ action: 'state' })

    expect(sharing.waiting.map(({ name }) => name)).toContain('Bob')
    expect(blank.status).toBe(400)
  })
})

describe('the answer', () => {
  test('waits a month for those who come back late, and a day for those who have fetched it', async () => {
    const { link } = await shared.invite({ uses: 2 })
    for (const name of ['Late1', 'Early']) {
      await shared.ask(link, name)
      await shared.decide(name, true)
    }
    const early = await shared.answer('Early')
    await shared.clock.advance(5 * DAY_MS)
    const answers = [await shared.answer('Late1'), await shared.answer('Early')]

    expect(early.body['state']).toBe('accepted')
    expect(answers.map(({ body }) => body['state'])).toEqual(['accepted', 'gone'])
  })
})

describe('what the owner sees', () => {
  test('includes people whose connection is a long poll, until sharing stops', async () => {
    const json = encodeURIComponent(JSON.stringify({ user_id: 'ann' }))
    const path = `/longpoll?api_key=${API_KEY}&stream-auth-type=jwt&authorization=${tokenOf('ann')}&json=${json}`
    await shared.call(path, { method: 'GET' })
    const { connected } = (await shared.owner({ action: 'state' })).sharing
    await shared.owner({ action: 'stop' })

    expect(connected).toMatchObject([{ user_id: 'ann', address: 'loopback' }])
    expect((await shared.owner({ action: 'state' })).sharing.connected).toEqual([])
  })

  test('does not change when a stranger withdraws what was never asked', async () => {
    const before = shared.told.length
    await shared.cancel('nobody')

    expect(shared.told.length).toBe(before)
  })
})
