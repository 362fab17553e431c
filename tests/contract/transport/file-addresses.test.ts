import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { queryChannel, updateChannel, updateChannelPartial } from '#shared/wire/channels.ts'
import { getMessage, sendMessage, updateMessage, createDraft } from '#shared/wire/messages.ts'
import { sync } from '#shared/wire/app.ts'
import { API_KEY, callAs, startTestServer, tokenOf, type TestServer } from '../kit.ts'

const DAY = 86_400_000
let server: TestServer
/** How far the server's clock is ahead. */
let ahead = 0
const clock = { ...systemClock, now: () => systemClock.now() + ahead }
const secret = { type: 'messaging', id: 'secret' }
const open = { type: 'messaging', id: 'open' }

beforeAll(async () => {
  server = await startTestServer({ clock })
  for (const id of ['root', 'ann', 'bob', 'eve']) await (await server.connect(id)).close()
  await callAs(server.url, { userId: 'ann' }, queryChannel, secret, { body: { data: { members: ['ann', 'bob'] } } })
  await callAs(server.url, { userId: 'eve' }, queryChannel, open, { body: { data: { members: ['eve', 'ann'] } } })
})
afterAll(() => server.stopAll())

async function upload(path = '/channels/messaging/secret/file', who = 'ann'): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['secret'], { type: 'text/plain' }), 'plan.txt')
  const response = await fetch(`${server.url}${path}?api_key=${API_KEY}&user_id=${who}`, {
    method: 'POST',
    headers: { Authorization: tokenOf(who), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return ((await response.json()) as { file: string }).file
}

const statusOf = async (url: string, who?: string): Promise<number> =>
  (await fetch(url, { headers: who === undefined ? {} : { Authorization: tokenOf(who) } })).status

const plain = (url: string): string => url.slice(0, url.indexOf('?'))

async function later<T>(days: number, step: () => Promise<T>): Promise<T> {
  ahead += days * DAY
  try {
    return await step()
  } finally {
    ahead -= days * DAY
  }
}

/** The address of a message's first attachment, as this user receives it. */
async function visibleTo(userId: string, id: string): Promise<string> {
  const { body } = await callAs(server.url, { userId }, getMessage, { id })
  return body.message.attachments?.[0]?.asset_url ?? ''
}

const send = (userId: string, params: typeof open, id: string, asset_url: string, text = '') =>
  callAs(server.url, { userId }, sendMessage, params, {
    body: { message: { id, text, attachments: [{ type: 'file', asset_url }] } },
  })

test('the address of an upload is signed, valid for two weeks and then expires', async () => {
  const file = await upload()
  expect(new URL(file).search).toMatch(/^\?sig=[\w-]{43}&exp=\d{10}$/)
  expect(await statusOf(file)).toBe(200)
  expect(await later(13, () => statusOf(file))).toBe(200)
  expect(await later(16, () => statusOf(file))).toBe(404)
})

test('without its signature, or with a broken one, an address opens nothing', async () => {
  const file = await upload()
  const { searchParams: query } = new URL(file)
  const [sig, exp] = [query.get('sig') ?? '', Number(query.get('exp'))]
  const other = new URL(await upload()).searchParams.get('sig') ?? ''
  const wrong = [
    plain(file),
    `${plain(file)}?sig=&exp=${exp}`,
    `${plain(file)}?sig=${sig}`,
    `${plain(file)}?sig=${sig}&exp=${exp + 86_400}`,
    `${plain(file)}?sig=${sig}&exp=${exp}0`,
    `${plain(file)}?sig=${other}&exp=${exp}`,
    `${plain(file)}?sig=none`,
  ]
  for (const url of wrong) expect(await statusOf(url), url).toBe(404)
})

test('a user who may read the channel opens a plain address with a token, no one else does', async () => {
  const address = plain(await upload())
  expect(await Promise.all(['ann', 'bob', 'eve', 'root'].map((who) => statusOf(address, who)))).toEqual([
    200, 200, 404, 200,
  ])
  const none = address.replace(/[a-f0-9]{32}/, '0'.repeat(32))
  expect(await statusOf(none, 'eve')).toBe(404)
  expect((await fetch(address, { headers: { Authorization: 'x.y.z' } })).status).toBe(401)
})

test('a message is sent with a fresh address, and a removed member gets none', async () => {
  const file = await upload()
  await send('ann', secret, 'with-file', file)
  expect(await visibleTo('bob', 'with-file')).toBe(file)
  const after = await later(30, () => visibleTo('bob', 'with-file'))
  expect(plain(after)).toEqual(plain(file))
  expect(after).not.toBe(file)
  expect(await later(30, () => statusOf(after))).toBe(200)
  await callAs(server.url, { userId: 'ann' }, updateChannel, secret, { body: { remove_members: ['bob'] } })
  expect(await statusOf(plain(file), 'bob')).toBe(404)
  expect((await callAs(server.url, { userId: 'bob' }, getMessage, { id: 'with-file' })).body.code).toBe(16)
  await callAs(server.url, { userId: 'ann' }, updateChannel, secret, { body: { add_members: ['bob'] } })
})

test('an address once seen cannot be signed again by sending, editing, drafting or using it as a portrait', async () => {
  const file = await upload()
  await send('eve', open, 'stolen', file)
  expect(await visibleTo('eve', 'stolen')).toBe(`${plain(file)}?sig=none`)
  await send('eve', open, 'edited', `${server.url}/x`)
  const edit = { message: { text: 'x', attachments: [{ type: 'file', asset_url: plain(file) }] } }
  await callAs(server.url, { userId: 'eve' }, updateMessage, { id: 'edited' }, { body: edit })
  expect(await visibleTo('eve', 'edited')).toBe(`${plain(file)}?sig=none`)
  const drafted = await callAs(server.url, { userId: 'eve' }, createDraft, open, {
    body: { message: { text: plain(file), attachments: [{ asset_url: file }] } },
  })
  expect(drafted.body.draft.message).toMatchObject({
    text: plain(file),
    attachments: [{ asset_url: `${plain(file)}?sig=none` }],
  })
  const data = { set: { image: file } }
  const channel = await callAs(server.url, { userId: 'eve' }, updateChannelPartial, open, { body: data })
  expect(channel.body.channel['image']).toBe(`${plain(file)}?sig=none`)
  const worn = await server.connect('eve', { image: file })
  expect(worn.first).toMatchObject({ me: { image: `${plain(file)}?sig=none` } })
})

test('forwarding a file, or editing a message with one, keeps it readable', async () => {
  const file = await upload()
  await send('ann', open, 'passed-on', file)
  expect(await statusOf(await visibleTo('eve', 'passed-on'))).toBe(200)
  const edit = { message: { text: 'y', attachments: [{ type: 'file', asset_url: file }] } }
  await callAs(server.url, { userId: 'root' }, updateMessage, { id: 'passed-on' }, { body: edit })
  expect(await visibleTo('eve', 'passed-on')).toBe(file)
})

test('portraits are sent signed, and sending the same address back changes nothing', async () => {
  const loose = await upload('/uploads/file', 'ann')
  const ann = await server.connect('ann', { image: loose })
  const me = ann.first['me'] as { image: string; updated_at: string }
  expect(await statusOf(me.image)).toBe(200)
  const again = await later(3, () => server.connect('ann', { image: me.image }))
  expect((again.first['me'] as { updated_at: string }).updated_at).toBe(me.updated_at)
  expect((again.first['me'] as { image: string }).image).not.toBe(me.image)
  expect(await statusOf(plain(me.image), 'eve')).toBe(200)
})

test('missed messages are returned with addresses that are valid now', async () => {
  const since = new Date(clock.now() - 1_000).toISOString()
  const file = await upload()
  await send('ann', secret, 'missed', file, plain(file))
  const events = await later(20, async () => {
    const body = { channel_cids: ['messaging:secret'], last_sync_at: since }
    const answer = await callAs(server.url, { userId: 'bob' }, sync, {}, { body })
    return answer.body.events as unknown as { type: string; message?: Record<string, unknown> }[]
  })
  const message = events.find((event) => event.message?.['id'] === 'missed')?.message
  const [attachment] = (message?.['attachments'] ?? []) as { asset_url: string }[]
  expect(await statusOf(file)).toBe(200)
  expect(await later(20, () => statusOf(file))).toBe(404)
  expect(await later(20, () => statusOf(attachment?.asset_url ?? ''))).toBe(200)
  expect(message?.['text']).toBe(plain(file))
})
