import { expect, test } from 'vitest'
import { aLoneEngine, aWireChannelState, aWireMessage, at, CID, failing, FakeApi, refused } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'
import type { Failure } from '#main/engine/api/errors.ts'

type Lone = Awaited<ReturnType<typeof aLoneEngine>>
const CHANNELS = [0, 1].map((n) => ({ cid: `team:c${n}`, id: `c${n}` }))

/** Makes requests of every kind fail in this way until `ms` have passed. */
function breakFor(lone: Lone, ms: number, failure: Failure): void {
  const until = lone.clock.monotonic() + ms
  const { send } = lone.api
  lone.api.send = (async (...given: Parameters<typeof send>) => {
    if (lone.clock.monotonic() < until) {
      lone.api.calls.push({ operation: `${given[0].operation} (broken)`, params: {}, body: undefined })
      throw failing(failure)
    }
    return send(...given)
  }) as unknown as typeof send
}

/** Two channels on no screen, and their events while this device was offline. */
function quietChannels(messages: number) {
  return CHANNELS.map(({ cid, id }) => {
    const held = Array.from({ length: messages }, (_, n) => aWireMessage(`${id}-${n}`, n * 1_000, { cid }))
    const state = aWireChannelState(held)
    return { ...state, channel: { ...(state['channel'] as object), cid, id, last_message_at: at(messages * 1_000) } }
  })
}

const api = (messages: number): FakeApi =>
  answering(new FakeApi(), messages)
    .on('GetApp', () => ({ app: { name: 'test', image_upload_config: {}, file_upload_config: {} } }))
    .on('QueryReminders', () => ({ reminders: [] }))

const answering = (fake: FakeApi, messages: number): FakeApi =>
  fake.on('QueryChannels', () => ({ channels: quietChannels(messages) })).on('Sync', () => ({ events: [] }))

const held = (lone: Lone): number =>
  lone.engine.stores.cache.reader.db.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE id GLOB 'c[01]-*'")
    ?.n ?? 0
const connection = (lone: Lone) => lone.replica.tables.connection?.['self']

test.each([
  [6_000, { kind: 'transport', transport: 'network', sent: true }],
  [15_000, { kind: 'answer', status: 503 }],
  [20_000, { kind: 'transport', transport: 'network', sent: true }],
  [20_000, { kind: 'transport', transport: 'timeout', sent: true }],
  [20_000, { kind: 'answer', status: 401 }],
] satisfies [number, Failure][])(
  'after %d ms of requests that fail while the websocket lives everything is synchronised (%o)',
  async (ms, failure) => {
    const lone = await aLoneEngine({ api: api(1) })
    await lone.online()
    await lone.clock.advance(1_000)
    await lone.offline()
    answering(lone.api, 6)
    breakFor(lone, ms, failure)
    await lone.online()
    await lone.clock.advance(ms - 1)
    expect(held(lone)).toBe(2)
    expect(connection(lone)?.stillLoading?.includes('messages')).toBe(true)
    await lone.clock.advance(30_000)
    expect(held(lone)).toBe(12)
    expect(connection(lone)?.stillLoading).toBeUndefined()
    expect(lone.engine.diagnostics().connection.caughtUp).toBe(true)
    // Finished tasks make no further requests.
    const before = lone.api.calls.length
    await lone.clock.advance(120_000)
    expect(lone.api.calls.slice(before).map(({ operation }) => operation)).toEqual([])
  },
)

test.each([
  ['a connection that is reset', { kind: 'transport', transport: 'network', sent: true }],
  ['half an answer', { kind: 'transport', transport: 'network', sent: true }],
  ['the page of a hotel', { kind: 'foreign-answer', status: 200 }],
  ['an answer of 30 MB', { kind: 'transport', transport: 'too-large', sent: true }],
  ['a proxy without a server', { kind: 'answer', status: 502 }],
  ['a page that was moved', { kind: 'answer', status: 404 }],
] satisfies [string, Failure][])(
  'a new profile whose first list fails by %s shows no false state and loads automatically',
  async (_name, failure) => {
    const lone = await aLoneEngine({ api: api(3) })
    breakFor(lone, 15_000, failure)
    await lone.online()
    await lone.clock.advance(14_000)
    const failed = lone.replica.windows.get('channels')
    expect(failed?.unanswered).toBe(true)
    expect(typeof failed?.error).toBe('string')
    expect(failed?.ids).toEqual([])
    expect(lone.engine.notices().filter(({ code }) => code === 'channels/load-failed')).toHaveLength(1)
    await lone.clock.advance(26_000)
    const loaded = lone.replica.windows.get('channels')
    expect(loaded?.unanswered).toBeUndefined()
    expect(loaded?.error).toBeUndefined()
    expect(loaded?.ids.length).toBe(2)
  },
)

test('a request that the server itself refuses is not repeated for ever, and is logged', async () => {
  const lone = await aLoneEngine({ api: api(1) })
  lone.api.on('QueryReminders', () => {
    throw refused(400, 17, 'reminders are switched off')
  })
  await lone.online()
  await lone.clock.advance(120_000)
  expect(lone.api.to('QueryReminders')).toHaveLength(1)
  expect(connection(lone)?.stillLoading).toBe(undefined)
  expect(lone.log.filter(({ area, event }) => area === 'errands' && event === 'refused')).toHaveLength(1)
})

test('while a window is in view no retry waits longer than ten seconds', async () => {
  const lone = await aLoneEngine({ api: api(1) })
  lone.engine.reportFocus('w1', { focused: true })
  breakFor(lone, 300_000, { kind: 'answer', status: 503 })
  await lone.online()
  await lone.clock.advance(120_000)
  const before = lone.api.to('QueryReminders (broken)').length
  await lone.clock.advance(60_000)
  expect(lone.api.to('QueryReminders (broken)').length - before).toBeGreaterThanOrEqual(6)
})

test('the outbox does not wait for requests that fail', async () => {
  const lone = await reading([])
  await lone.offline()
  lone.api.on('QueryChannels', () => {
    throw refused(503, -1)
  })
  const sent = lone.api.to('SendMessage').length
  const cid = CID as Parameters<typeof lone.engine.handlers.messages.send>[0]['cid']
  await lone.engine.handlers.messages.send(
    {
      cid,
      text: 'waits',
      parentId: undefined,
      showInChannel: false,
      mentionedUserIds: [],
      uploadIds: [],
      files: [],
      quotedId: undefined,
      whenReady: false,
    },
    lone.client,
  )
  await lone.online()
  await lone.clock.advance(5_000)
  expect(lone.api.to('SendMessage').length - sent).toBe(1)
})

test('a connection that ends drops its pending tasks; the next one starts again', async () => {
  const lone = await aLoneEngine({ api: api(1) })
  breakFor(lone, 60_000, { kind: 'answer', status: 503 })
  await lone.online()
  await lone.clock.advance(10_000)
  await lone.offline()
  expect(connection(lone)?.stillLoading).toBe(undefined)
  const before = lone.api.calls.length
  await lone.clock.advance(49_000)
  expect(lone.api.calls.length).toBe(before)
  await lone.clock.advance(2_000)
  await lone.online()
  await lone.clock.advance(3_000)
  expect(held(lone)).toBe(2)
})
