import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Net } from '#main/server/og/fetch.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { getMessage, sendMessage, updateMessage } from '#shared/wire/messages.ts'
import { getOg } from '#shared/wire/app.ts'
import { ManualClock } from '../../kit/manual-clock.ts'
import { startTestServer, type Client, type TestServer } from '../kit.ts'

/** Pages by path, all on one public-looking host: no request leaves this machine. */
const PAGES: Record<string, string> = {
  '/a': '<title>plain</title><meta property="og:title" content="Page A"><meta property="og:image" content="/a.png">',
  '/b': '<meta property="og:title" content="Page B"><meta property="og:image" content="http://127.0.0.1/x.png">',
  '/nothing': '<p>hello',
}
let requested: string[] = []
const net: Net = {
  resolve: (host) => Promise.resolve([host === 'inside.example' ? '10.0.0.1' : '93.184.216.34']),
  ownAddresses: () => new Set(),
  async get(url) {
    requested.push(url.pathname)
    const isImage = url.pathname.endsWith('.png')
    const text = PAGES[url.pathname]
    async function* body() {
      yield Buffer.from(text ?? '')
    }
    const contentType = isImage ? 'image/png' : 'text/html'
    return { status: isImage || text !== undefined ? 200 : 404, location: undefined, contentType, body: body() }
  },
}

let server: TestServer
let ann: Client
let bob: Client
const ROOM = { type: 'messaging', id: 'links' }
const clock = new ManualClock()

beforeAll(async () => {
  server = await startTestServer({ net, enrichSent: true, clock })
  await (await server.connect('root')).close()
  ann = await server.connect('ann')
  bob = await server.connect('bob')
  await ann.call(queryChannel, ROOM, { body: { data: { members: ['ann', 'bob'] } } })
  await bob.call(queryChannel, ROOM, { body: { watch: true } })
  await bob.takeEventTypes()
})
afterAll(() => server.stopAll())

const look = (client: Client, url: string) => client.call(getOg, {}, { query: { url } })
const send = async (text: string, more: object = {}) =>
  (await ann.call(sendMessage, ROOM, { body: { message: { text }, ...more } })).body.message
/** Lets the work that follows the response finish. */
async function until(done: () => boolean) {
  for (let turns = 0; turns < 50 && !done(); turns += 1) await bob.settle()
}

test('a link returns its page’s data at the top level, and is loaded once', async () => {
  requested = []
  const found = await look(ann, 'https://site.example/a')
  expect(found.status).toBe(200)
  expect(found.body).toMatchObject({
    og_scrape_url: 'https://site.example/a',
    title: 'Page A',
    type: 'image',
    image_url: 'https://site.example/a.png',
    author_name: 'site.example',
    author_link: 'https://site.example',
  })
  await look(bob, 'https://site.example/a')
  expect(requested).toEqual(['/a', '/a.png'])
  expect((await look(ann, 'https://site.example/b')).body).toMatchObject({ title: 'Page B', type: 'article' })
  expect((await look(ann, 'https://site.example/b')).body.image_url).toBeUndefined()
})

test.each([
  ['a private address', 'http://127.0.0.1/', 400, 4],
  ['a name of the inside', 'http://inside.example/', 404, 16],
  ['no scheme', 'site.example', 400, 4],
  ['a page that says nothing', 'https://site.example/nothing', 404, 16],
  ['a page that is not there', 'https://site.example/missing', 404, 16],
])('a link with %s is refused', async (_name, url, status, code) => {
  const answer = await look(bob, url)
  expect(answer.status).toEqual(status)
  expect(answer.body.code).toEqual(code)
})

test('a link in a sent message is loaded afterwards, and the message is sent again with its preview', async () => {
  const { id, attachments } = await send('see https://site.example/a.')
  expect(attachments).toEqual([])
  await until(() => bob.events.some((event) => event.type === 'message.updated' && event.message?.id === id))
  expect((await bob.call(getMessage, { id })).body.message.attachments).toMatchObject([
    { og_scrape_url: 'https://site.example/a', title: 'Page A' },
  ])
  const edited = await ann.call(
    updateMessage,
    { id },
    {
      body: {
        message: { id, text: 'nothing', attachments: [{ og_scrape_url: 'https://site.example/a' }] },
        skip_enrich_url: true,
      },
    },
  )
  expect(edited.body.message.attachments).toEqual([])
})

test('D11: skip_enrich_url leaves the attachments empty, now and later', async () => {
  const { id } = await send('see https://site.example/b', { skip_enrich_url: true })
  const other = await send('see https://site.example/b')
  await until(() => bob.events.some((event) => event.type === 'message.updated' && event.message?.id === other.id))
  expect((await bob.call(getMessage, { id })).body.message.attachments).toEqual([])
})

test('previews are limited to ten links a minute per user', async () => {
  await clock.advance(1)
  const codes: (number | undefined)[] = []
  for (let at = 0; at < 12; at += 1) codes.push((await look(bob, `https://site.example/n${at}`)).body.code)
  expect(codes).toContain(9)
})

test('a server without a network loads nothing', async () => {
  const offline = await startTestServer()
  const client = await offline.connect('ann')
  expect((await client.call(getOg, {}, { query: { url: 'https://site.example/a' } })).body.code).toBe(19)
  await offline.stopAll()
})
