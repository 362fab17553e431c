import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { queryChannel, updateChannelPartial } from '#shared/wire/channels.ts'
import type { Client, TestServer } from '../kit.ts'
import { act, asServer, callsOf, CID, make, ROOM, startWorkspace } from './program.ts'

let server: TestServer
let ola: Client
let ann: Client
let hook: { readonly id: string; readonly secret: string }
beforeAll(async () => {
  ;({ server, ola, ann } = await startWorkspace())
})
beforeEach(async () => {
  hook = await make(server, { kind: 'incoming', name: 'Build server', cid: CID })
})
afterAll(() => server.stopAll())

const post = (body: unknown, init: RequestInit = {}, address = hook.secret): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...init,
  })

/** The newest message that Ann got. */
async function newest() {
  await ann.settle()
  return ann.events.findLast(({ type }) => type === 'message.new')?.['message'] as
    | { text: string; user: { id: string; name: string; bot?: boolean } }
    | undefined
}

test('a program posts, and what it posts is by a program', async () => {
  const answer = await post({ text: 'RC2 build 418 passed' })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('ok')
  expect(await newest()).toMatchObject({ text: 'RC2 build 418 passed', user: { name: 'Build server', bot: true } })
  const [call] = await callsOf(server, hook.id)
  expect(call).toMatchObject({ outcome: 'posted', status: 200, what: 'RC2 build 418 passed', source: 'loopback' })
})

test('a name that a program sends is not taken: it stays the program that its owner named', async () => {
  await post({ text: 'Pay me', username: 'Ola', icon_url: 'https://evil.example/x.png', channel: '#general' })
  expect(await newest()).toMatchObject({ text: 'Pay me', user: { name: 'Build server', bot: true } })
})

test('Slack’s markup and attachments become Markdown', async () => {
  const attachments = [
    {
      pretext: 'Nightly',
      title: 'Build 418',
      title_link: 'https://ci.example/418',
      text: '*passed* &amp; done',
      fields: [{ title: 'Branch', value: 'main', short: true }],
      image_url: 'javascript:alert(1)',
    },
  ]
  await post({ text: 'See <https://ci.example/418|the build>, `*not bold*`', attachments })
  expect((await newest())?.text).toBe(
    'See [the build](https://ci.example/418), `*not bold*`\n\nNightly\n\n> **[Build 418](<https://ci.example/418>)**  \n> **passed** & done  \n> **Branch:** main',
  )
})

test('a form with a payload posts too, and so does JSON without its type', async () => {
  await post(new URLSearchParams({ payload: '{"text":"from a form"}' }).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect((await newest())?.text).toBe('from a form')
  await post('{"text":"from curl"}', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect((await newest())?.text).toBe('from curl')
})

test('sixty calls a minute are allowed; the next one is told when to come back, and a flood fills no list', async () => {
  // However long this takes, no second passes for the server, which would allow one more.
  const { server: still } = await startWorkspace({ clock: new ManualClock() })
  onTestFinished(() => still.stopAll())
  const { id, secret } = await make(still, { kind: 'incoming', name: 'Build server', cid: CID })
  const answers = await Promise.all(Array.from({ length: 66 }, (_none, at) => post({ text: `n ${at}` }, {}, secret)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await callsOf(still, id)).filter(({ outcome }) => outcome === 'too-many')).toHaveLength(1)
})

test('a revoked address answers 410, and what it posted stays', async () => {
  await post({ text: 'before' })
  await act(server, { action: 'revoke', ids: [hook.id] })
  expect((await post({ text: 'after' })).status).toBe(410)
  const { body } = await ann.call(queryChannel, ROOM, { body: { state: true } })
  expect(body.messages?.at(-1)).toMatchObject({ text: 'before', user: { name: 'Build server' } })
  const { integrations = [] } = await act(server, { action: 'list' })
  expect(integrations.find(({ id }) => id === hook.id)?.revoked_at).toBeTruthy()
})

test('a paused address answers 403 until it works again', async () => {
  await act(server, { action: 'pause', ids: [hook.id], paused: true })
  expect((await post({ text: 'x' })).status).toBe(403)
  await act(server, { action: 'pause', ids: [hook.id], paused: false })
  expect((await post({ text: 'x' })).status).toBe(200)
})

test('a wrong address is not found, and only POST is answered', async () => {
  const wrong = hook.secret.slice(0, -4) + 'AAAA'
  expect((await fetch(wrong, { method: 'POST', body: '{"text":"x"}' })).status).toBe(404)
  expect((await fetch(hook.secret)).status).toBe(405)
})

const HOSTILE: readonly (readonly [name: string, body: unknown, status: number])[] = [
  ['no JSON', 'text=hello', 400],
  ['a list', '[]', 400],
  ['nothing', '', 400],
  ['blank text', { text: ' \u200b\n' }, 400],
  ['text of another type', { text: { a: 1 } }, 400],
  ['attachments of another type', { attachments: 'x' }, 400],
  ['too many attachments', { attachments: Array.from({ length: 500 }, () => ({ text: 'x' })) }, 400],
  ['a key twice', '{"text":"a","text":"b"}', 400],
  ['too deep', `{"text":"a","x":${'['.repeat(60)}${']'.repeat(60)}}`, 400],
  ['a text longer than a message', { text: 'x'.repeat(30_000) }, 400],
  ['more bytes than are read', { text: 'x'.repeat(300_000) }, 413],
  ['a prototype', '{"text":"a","__proto__":{"admin":true}}', 200],
]

test.each(HOSTILE)('%s', async (_name, body, status) => {
  expect((await post(body)).status).toBe(status)
  const [call] = await callsOf(server, hook.id)
  expect(call?.status).toBe(status)
  expect(call?.request === undefined).toBe(status === 200)
})

test('five failures in a row notify the owner once', async () => {
  for (let at = 0; at < 7; at += 1) await post({ text: '' })
  await ola.settle()
  const told = ola.events.filter(({ type, integration }) => {
    return type === 'integrations.failing' && (integration as { id: string }).id === hook.id
  })
  expect(told).toHaveLength(1)
  const { integrations = [] } = await act(server, { action: 'list' })
  expect(integrations.find(({ id }) => id === hook.id)?.fails).toBe(7)
  await post({ text: 'well again' })
  expect((await act(server, { action: 'list' })).integrations?.find(({ id }) => id === hook.id)?.fails).toBe(0)
})

test('nobody writes in a frozen channel, not even a program', async () => {
  await ola.call(updateChannelPartial, ROOM, { body: { set: { frozen: true } } })
  const answer = await post({ text: 'x' })
  await ola.call(updateChannelPartial, ROOM, { body: { set: { frozen: false } } })
  expect(answer.status).toBe(403)
  expect((await callsOf(server, hook.id))[0]?.outcome).toBe('channel-frozen')
})

test('the secret is in no list; it is sent when it is asked for', async () => {
  const list = JSON.stringify(await act(server, { action: 'list' }))
  expect(list).not.toContain(hook.secret.slice(-43))
  expect((await act(server, { action: 'reveal', id: hook.id })).secret).toBe(hook.secret)
})

test('a web page cannot post: another origin and another host are refused', async () => {
  const answer = await post(
    { text: 'x' },
    { headers: { origin: 'https://evil.example', 'content-type': 'text/plain' } },
  )
  expect(answer.status).toBe(403)
})

test('a test posts a real message with the words of whoever tests', async () => {
  const { test: result } = await act(server, { action: 'test', id: hook.id, text: 'Test by Ola' })
  expect(result).toMatchObject({ outcome: 'posted', cid: CID })
  expect((await newest())?.text).toBe('Test by Ola')
})

test('a webhook ends to post when whoever made it may no longer write in the channel', async () => {
  await asServer(server, '/users', { users: { eve: { id: 'eve', name: 'Eve', role: 'admin' } } })
  const answer = await act(server, { action: 'create', kind: 'incoming', name: 'Eve’s', cid: CID }, 'eve')
  const call = () => fetch(answer.secret ?? '', { method: 'POST', body: '{"text":"by Eve’s program"}' })
  expect((await call()).status).toBe(200)
  await asServer(server, '/users', { users: { eve: { id: 'eve', name: 'Eve', role: 'guest' } } })
  expect((await call()).status).toBe(403)
  expect((await callsOf(server, answer.integration?.id ?? ''))[0]?.outcome).toBe('not-allowed')
})

test('a program that is banned posts nothing', async () => {
  await post({ text: 'before' })
  expect(await asServer(server, '/moderation/ban', { target_user_id: `program-${hook.id}`, user_id: 'ola' })).toBe(201)
  expect((await post({ text: 'after' })).status).toBe(403)
  expect(await newest()).toMatchObject({ text: 'before' })
})

test('wrong addresses lock nobody out', async () => {
  const wrong = hook.secret.slice(0, -4) + 'AAAA'
  const guess = async () => (await fetch(wrong, { method: 'POST', body: '{"text":"x"}' })).status
  // As many as wrong sign-ins block an address.
  for (let turn = 0; turn < 20; turn += 1) {
    expect(new Set(await Promise.all(Array.from({ length: 51 }, guess)))).toEqual(new Set([404]))
  }
  expect((await post({ text: 'still here' })).status).toBe(200)
})
