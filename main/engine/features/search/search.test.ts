import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aLoneEngine, at, aWireMessage, aWireUser, CID, FakeApi, withChannel, SETTINGS } from '#kit/lone-engine.ts'
import type { Lone } from '#kit/lone-talk.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import * as docs from '#main/cache/search/docs.ts'

const cid = asCid(CID)
const DAY_MS = 24 * 3_600_000
type SearchQuestion = Partial<Parameters<Lone['engine']['handlers']['search']['messages']>[0]>

async function online(
  messages: Record<string, unknown>[],
  more: Parameters<typeof aLoneEngine>[0] = {},
): Promise<Lone> {
  const lone = await aLoneEngine({ api: withChannel(new FakeApi(), messages), ...more })
  onTestFinished(() => lone.engine.stop())
  await lone.online()
  return lone
}

const ask = async (lone: Lone, text: string, more: SearchQuestion = {}) => {
  const question = { text, limit: 20, ask: 'cache', order: 'newest', ...more } as const
  const page = lone.engine.handlers.search.messages(question, lone.client)
  await lone.clock.settle()
  return page
}
const ids = async (lone: Lone, text: string, more: SearchQuestion = {}) =>
  (await ask(lone, text, more)).hits.map((hit) => hit.messageId)

test('a hit has author, channel, time and matched text, with all users and channels it refers to', async () => {
  const lone = await online([
    aWireMessage('m1', 1, { text: 'Jadę do Łodzi w piątek' }),
    aWireMessage('m2', 2, { text: 'inne', attachments: [{ type: 'file', title: 'Łódź.pdf' }], user: aWireUser('bo') }),
  ])
  const page = await ask(lone, 'lod')
  expect(page).toMatchObject({
    hits: [
      {
        messageId: 'm2',
        cid: CID,
        userId: 'bo',
        attachmentKinds: ['file'],
        parts: [
          { kind: 'text', excerpt: 'inne', marks: [] },
          { kind: 'attachment', index: 0, excerpt: 'Łódź.pdf', marks: [[0, 4]] },
        ],
      },
      { messageId: 'm1', parts: [{ kind: 'text', marks: [[8, 13]] }] },
    ],
    people: [{ id: 'bo' }, { id: 'ana' }],
    channels: [{ cid: CID, name: 'General' }],
    notes: [],
    indexing: false,
    server: 'not-asked',
  })
  expect(page.next).toBeUndefined()
})

test('a hit marks an unknown time of its message', async () => {
  const lone = await online([
    aWireMessage('m1', 1, { text: 'plan' }),
    aWireMessage('m2', 2, { text: 'plan', created_at: '1970-01-21T10:00:00Z' }),
  ])
  const { hits } = await ask(lone, 'plan')
  expect(new Map(hits.map(({ messageId, timeUnsure }) => [messageId, timeUnsure]))).toEqual(
    new Map([
      ['m1', undefined],
      ['m2', true],
    ]),
  )
})

test('keywords are counted only in the latest messages of others, normalized and by whole words', async () => {
  const lone = await online([
    aWireMessage('m1', 1, { text: 'Jadę do Łodzi' }),
    aWireMessage('m2', 2, { text: 'LODZI nie ma' }),
    aWireMessage('m3', 3, { text: 'Łodzianin' }),
    aWireMessage('m4', 4, { text: 'Łodzi', user: aWireUser('me') }),
  ])
  const { keywords } = lone.engine.handlers.search
  expect(keywords({ keywords: ['łodzi'] }, lone.client)).toEqual({ matched: 2, of: 3 })
})

test('pages follow one another by the cursor', async () => {
  const lone = await online(Array.from({ length: 25 }, (_, n) => aWireMessage(`m${n}`, n, { text: 'same' })))
  const first = await ask(lone, 'same ')
  expect(first.hits).toHaveLength(20)
  const rest = await ask(lone, 'same ', { cursor: first.next })
  expect(rest.hits.map((hit) => hit.messageId)).toEqual(['m4', 'm3', 'm2', 'm1', 'm0'])
  expect(rest.next).toBeUndefined()
})

test('days follow the user’s time zone', async () => {
  const lone = await online([aWireMessage('m1', -2 * DAY_MS, { text: 'x' }), aWireMessage('m2', 0, { text: 'x' })])
  const day = new Date(Date.parse(at(-2 * DAY_MS)))
  const on = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  expect(await ids(lone, `x on:${on}`)).toEqual(['m1'])
  expect(await ids(lone, `x after:${on}`)).toEqual(['m2'])
  expect(await ids(lone, `x before:${on}`)).toEqual([])
})

test('an empty query finds nothing; syntax errors are reported with their position', async () => {
  const lone = await online([aWireMessage('m1', 1, { text: 'has unicorn' })])
  expect(await ask(lone, '  ')).toMatchObject({ hits: [], notes: [] })
  expect(await ask(lone, 'has:unicorn from:nobody ')).toMatchObject({
    hits: [],
    notes: [
      { start: 0, end: 11, code: 'search/unknown-value' },
      { start: 12, end: 23, code: 'search/nobody' },
    ],
  })
})

test('a message that is being deleted or edited here is shown as it will be', async () => {
  const lone = await online([
    aWireMessage('m1', 1, { text: 'going away', user: aWireUser('me') }),
    aWireMessage('m2', 2, { text: 'going elsewhere' }),
  ])
  await lone.offline()
  await lone.engine.handlers.messages.delete({ messageId: asMessageId('m1') }, lone.client)
  expect(await ids(lone, 'going ')).toEqual(['m2'])
})

test('hits of server and cache are merged in one list, without duplicates, by time', async () => {
  const local = [aWireMessage('m1', 1_000, { text: 'needle one' }), aWireMessage('m3', 3_000, { text: 'needle three' })]
  const old = (id: string, ms: number, text: string, more = {}) => ({
    message: aWireMessage(id, ms, { text, ...more }),
  })
  const requested: unknown[] = []
  const api = withChannel(new FakeApi(), local).on('Search', ({ body }) => {
    requested.push((body as { payload: unknown }).payload)
    return {
      results: [
        old('m3', 3_000, 'needle three'),
        old('m2', 2_000, 'needle two'),
        old('m0', -9_000, 'needle zero -but not draft'),
        old('mx', -9_500, 'needle draft'),
        old('elsewhere', -9_600, 'needle', { cid: 'team:unknown' }),
      ],
    }
  })
  const lone = await online(local, { api })
  const text = 'needle -draft from:ana '
  expect(await ids(lone, text)).toEqual(['m3', 'm1'])
  const page = await ask(lone, text, { ask: 'server' })
  expect(page.server).toBe('asked')
  expect(page.hits.map((hit) => hit.messageId)).toEqual(['m3', 'm2', 'm1'])
  expect(requested).toMatchObject([
    {
      filter_conditions: { members: { $in: ['me'] } },
      message_filter_conditions: { text: { $q: 'needle' }, 'user.id': { $in: ['ana'] } },
      sort: [{ field: 'created_at', direction: -1 }],
    },
  ])
})

test('what the server adds is marked, and nothing that was on this device before', async () => {
  const local = [aWireMessage('m1', 1_000, { text: 'needle one' })]
  const results = [
    { message: aWireMessage('m1', 1_000, { text: 'needle one' }) },
    { message: aWireMessage('m0', -9_000, { text: 'needle zero' }) },
  ]
  const api = withChannel(new FakeApi(), local).on('Search', () => ({ results }))
  const lone = await online(local, { api })
  const marks = async (text: string, more: SearchQuestion = {}) =>
    (await ask(lone, text, more)).hits.map(({ messageId, fromServer = false }) => [messageId, fromServer])
  expect(await marks('needle ', { ask: 'server' })).toEqual([
    ['m1', false],
    ['m0', true],
  ])
  expect(await marks('needle ')).toEqual([
    ['m1', false],
    ['m0', true],
  ])
  // Another question finds it on this device.
  expect(await marks('zero ')).toEqual([['m0', false]])
})

test('an answer without the server says up to when this device knows everything', async () => {
  const lone = await online([aWireMessage('m1', 1, { text: 'needle' })])
  await lone.offline()
  const { knownUntil } = lone.engine.connection()
  expect(knownUntil).toBeGreaterThan(0)
  expect((await ask(lone, 'needle ', { ask: 'server' })).knownUntil).toBe(knownUntil)
})

test('the most relevant hit comes first, also one that only the server had, and the server is asked for its own', async () => {
  const filler = 'one two three four five six seven eight nine ten eleven twelve'
  const local = [
    aWireMessage('long', 9_000, { text: `needle ${filler}` }),
    aWireMessage('other', 8_000, { text: 'nothing' }),
    aWireMessage('others', 7_000, { text: 'nothing' }),
  ]
  const sorts: unknown[] = []
  const api = withChannel(new FakeApi(), local).on('Search', ({ body }) => {
    const { payload } = body as { payload: { sort: unknown } }
    sorts.push(payload.sort)
    return { results: [{ message: aWireMessage('short', -9_000, { text: 'needle' }) }] }
  })
  const lone = await online(local, { api })
  expect(await ids(lone, 'needle ', { order: 'relevance' })).toEqual(['long'])
  const { hits } = await ask(lone, 'needle ', { order: 'relevance', ask: 'server' })
  expect(hits.map(({ messageId }) => messageId)).toEqual(['short', 'long'])
  expect(hits[0]?.rank).toBeGreaterThan(hits[1]?.rank ?? 0)
  expect(await ids(lone, 'needle ')).toEqual(['long', 'short'])
  expect(sorts).toEqual([
    [
      { field: 'relevance', direction: -1 },
      { field: 'created_at', direction: -1 },
    ],
  ])
})

test('pages by relevance stay as they were while messages arrive', async () => {
  const lone = await online(Array.from({ length: 25 }, (_, n) => aWireMessage(`m${n}`, n, { text: 'same' })))
  const first = await ask(lone, 'same ', { order: 'relevance' })
  await lone.hear({
    type: 'message.new',
    cid: CID,
    created_at: at(9_000),
    message: aWireMessage('new', 9_000, { text: 'same' }),
  })
  const rest = await ask(lone, 'same ', { order: 'relevance', cursor: first.next })
  const all = [...first.hits, ...rest.hits].map((hit) => hit.messageId)
  expect(all).toEqual(Array.from({ length: 25 }, (_, n) => `m${24 - n}`))
  expect(rest.next).toBeUndefined()
})

test('a list by relevance that is no longer kept is ranked again', async () => {
  const lone = await online(Array.from({ length: 25 }, (_, n) => aWireMessage(`m${n}`, n, { text: 'same' })))
  const rest = await ask(lone, 'same ', { order: 'relevance', cursor: { list: 999, from: 20 } })
  expect(rest.hits.map((hit) => hit.messageId)).toEqual(['m4', 'm3', 'm2', 'm1', 'm0'])
})

test('a query without words has no relevance and is answered newest first', async () => {
  const lone = await online([aWireMessage('m1', 1, { text: 'x' }), aWireMessage('m2', 2, { text: 'y' })])
  const page = await ask(lone, 'from:ana ', { order: 'relevance' })
  expect(page.hits.map(({ messageId, rank }) => [messageId, rank])).toEqual([
    ['m2', undefined],
    ['m1', undefined],
  ])
})

test('the first page says whether files match too', async () => {
  const lone = await online([
    aWireMessage('m1', 1, { text: 'plan', attachments: [{ type: 'file', title: 'plan.pdf' }] }),
    aWireMessage('m2', 2, { text: 'talk' }),
  ])
  expect((await ask(lone, 'plan ')).files).toBe(true)
  expect((await ask(lone, 'talk ')).files).toBe(false)
})

test('a search for mentions asks the server for the viewer and for broadcasts', async () => {
  const requested: unknown[] = []
  const call = aWireMessage('m2', 2, { text: 'hey @channel', mentioned_channel: true, cid: CID })
  const api = withChannel(new FakeApi(), [aWireMessage('m1', 1)]).on('Search', ({ body }) => {
    const { message_filter_conditions: filter } = (body as { payload: { message_filter_conditions: object } }).payload
    requested.push(filter)
    return { results: 'text' in filter ? [{ message: call }] : [] }
  })
  const lone = await online([aWireMessage('m1', 1)], { api })
  const page = await ask(lone, 'mentions:me ', { ask: 'server' })
  expect(page.hits.map((hit) => hit.messageId)).toEqual(['m2'])
  expect(requested).toEqual([{ 'mentioned_users.id': { $contains: 'me' } }, { text: { $any: '@channel @here' } }])
})

test('without a connection, or if the server refuses, hits are from the cache and marked so', async () => {
  const lone = await online([aWireMessage('m1', 1, { text: 'needle' })])
  expect(await ask(lone, 'needle ', { ask: 'server' })).toMatchObject({
    hits: [{ messageId: 'm1' }],
    server: 'unreachable',
  })
  await lone.offline()
  expect(await ask(lone, 'needle ', { ask: 'server' })).toMatchObject({
    hits: [{ messageId: 'm1' }],
    server: 'unreachable',
  })
})

test('people and channels are found by name', async () => {
  const lone = await online([aWireMessage('m1', 1, { user: { ...aWireUser('zhe'), name: 'Женя Крылова' } })])
  const names = (text: string) => lone.engine.handlers.search.names({ text, limit: 10 }, lone.client)
  expect(await names('zhenya')).toMatchObject({
    people: [{ id: 'zhe' }],
    channels: [],
    total: { people: 1, channels: 0 },
  })
  expect(await names('#genral')).toMatchObject({ people: [], channels: [{ cid: CID }] })
})

test('a new message is found at once, and indexed shortly after', async () => {
  const lone = await online([aWireMessage('m1', 1)], { upkeep: true })
  const waiting = () => docs.freshCount(lone.engine.stores.cache.reader, 10)
  await lone.hear({
    type: 'message.new',
    cid: CID,
    created_at: at(9_000),
    message: aWireMessage('new', 9_000, { text: 'needle' }),
  })
  expect(await ids(lone, 'needle ')).toEqual(['new'])
  expect(waiting()).toBe(2)
  await lone.clock.advance(1_000)
  expect(waiting()).toBe(0)
  expect(await ids(lone, 'needle ')).toEqual(['new'])
})

test('text deleted permanently is removed from the index and the disk too', async () => {
  const canary = 'canarybird'
  const lone = await online([aWireMessage('m1', 1, { text: canary })], { upkeep: true })
  const files = () =>
    readdirSync(lone.folder)
      .filter((name) => name.startsWith('cache.db'))
      .filter((name) => readFileSync(join(lone.folder, name)).includes(canary))
  await lone.clock.advance(6_000)
  expect(files()).not.toEqual([])
  await lone.hear({
    type: 'message.deleted',
    cid: CID,
    created_at: at(9_000),
    hard_delete: true,
    user: aWireUser('ana'),
    message: aWireMessage('m1', 1, { type: 'deleted', text: '' }),
  })
  await lone.clock.advance(6_000)
  expect(files()).toEqual([])
})

test('without further writes the log is emptied', async () => {
  const lone = await online([aWireMessage('m1', 1)], { upkeep: true })
  const log = () => readFileSync(join(lone.folder, 'cache.db-wal')).length
  await lone.hear({ type: 'message.new', cid: CID, created_at: at(9_000), message: aWireMessage('new', 9_000) })
  expect(log()).toBeGreaterThan(0)
  await lone.clock.advance(6_000)
  expect(log()).toBe(0)
})

test('in a flood the log is moved as it grows, so no commit has to', async () => {
  const lone = await online([aWireMessage('m1', 1)], { upkeep: true })
  const log = () => statSync(join(lone.folder, 'cache.db-wal')).size
  const text = 'long words '.repeat(2_000)
  const sizes: number[] = []
  for (let n = 0; n < 1_500; n += 1) {
    const message = aWireMessage(`new${n}`, 9_000 + n, { text })
    await lone.hear({ type: 'message.new', cid: CID, created_at: at(9_000 + n), message })
    if (n % 10 === 0) await lone.clock.advance(60)
    sizes.push(log())
  }
  const MB = 1024 * 1024
  expect(lone.engine.stores.cache.reader.db.pragma('page_count')).toBeGreaterThan((32 * MB) / 4_096)
  expect(Math.max(...sizes)).toBeGreaterThan(4 * MB)
  expect(Math.max(...sizes)).toBeLessThan(12 * MB)
})

const held = (lone: Lone): string[] =>
  lone.engine.stores.cache.reader.db
    .all<{ id: string }>('SELECT id FROM messages ORDER BY created_at')
    .map(({ id }) => id)

test('messages older than the setting are pruned, and the range has more before it', async () => {
  const messages = [-90, -60, -31, -29, -1].map((days) => aWireMessage(`d${-days}`, days * DAY_MS))
  const lone = await online(messages, { upkeep: true, settings: { keepMessagesDays: 30 } })
  await lone.clock.advance(2_000)
  expect(held(lone)).toEqual(['d29', 'd1'])
  expect(await ids(lone, 'd60 ')).toEqual([])
  const [range] = ranges.of(lone.engine.stores.cache.reader, `timeline:${CID}`)
  expect(range).toMatchObject({ hasPrev: true, hasNext: false })
  await lone.engine.handlers.channels.open({ cid, around: undefined }, lone.client)
  await lone.clock.settle()
  // Who looks there is served by the server again: nothing is taken for the beginning.
  expect(lone.replica.windows.get(`timeline:${CID}`)?.ids).toEqual(['d90', 'd60', 'd31', 'd29', 'd1'])
})

test('open channels are not pruned', async () => {
  const messages = [-90, -1].map((days) => aWireMessage(`d${-days}`, days * DAY_MS))
  const lone = await online(messages, { upkeep: true })
  await lone.engine.handlers.channels.open({ cid, around: undefined }, lone.client)
  const publish = (keepMessagesDays: number) =>
    lone.engine.publish({
      settings: { ...SETTINGS, keepMessagesDays, cacheBudgetMb: 0 },
    })
  publish(30)
  await lone.clock.advance(2_000)
  expect(held(lone)).toEqual(['d90', 'd1'])
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  publish(30)
  await lone.clock.advance(2_000)
  expect(held(lone)).toEqual(['d1'])
})

test('a cache over its budget prunes the oldest messages until it fits, and shrinks the file', async () => {
  const text = 'long words '.repeat(300)
  const many = Array.from({ length: 600 }, (_, n) =>
    aWireMessage(`m${String(n).padStart(3, '0')}`, n * 1_000, { text: `${text}${n}` }),
  )
  const lone = await online(many, { upkeep: true, settings: { cacheBudgetMb: 0 } })
  await lone.clock.advance(20_000)
  const { storage } = lone.engine.handlers.search
  const before = await storage(undefined, lone.client)
  expect(before.messages).toBe(600)
  expect(before.usedBytes).toBeGreaterThan(3_000_000)
  lone.engine.publish({ settings: { ...SETTINGS, cacheBudgetMb: 2 } })
  await lone.clock.advance(60_000)
  const after = await storage(undefined, lone.client)
  expect(after.usedBytes).toBeLessThanOrEqual(2_000_000)
  expect(after.messages).toBeGreaterThan(50)
  expect(held(lone).at(-1)).toBe('m599')
  const { raw } = lone.engine.stores.cache.reader.db
  expect(raw.pragma('freelist_count', { simple: true })).toBe(0)
})

test('the unread filter includes marks that are not sent yet', async () => {
  const lone = await online([aWireMessage('m1', 1), aWireMessage('m2', 2)])
  expect(await ids(lone, 'is:unread')).toEqual(['m2', 'm1'])
  await lone.offline()
  await lone.engine.handlers.channels.markRead({ cid }, lone.client)
  await lone.clock.settle()
  expect(await ids(lone, 'is:unread')).toEqual([])
})
