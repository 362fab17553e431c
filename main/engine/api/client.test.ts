import { describe, expect, test } from 'vitest'
import { FakeHttp, refusal } from '#kit/fake-http.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { getApp, queryUsers, sync } from '#shared/wire/app.ts'
import { queryChannels } from '#shared/wire/channels.ts'
import { stopCampaign } from '#shared/wire/campaigns.ts'
import { getMessage, sendMessage, sendReaction } from '#shared/wire/messages.ts'
import { uploadFile } from '#shared/wire/uploads.ts'
import { silentSink } from '#main/lib/logger.ts'
import { TransportError } from '../ports.ts'
import { createServerClock } from '../session/server-clock.ts'
import { createTokenManager, type TokenSource } from '../session/token.ts'
import { Api, STALL_MS } from './client.ts'
import { ApiError } from './errors.ts'

function createNewApi(source: TokenSource = { kind: 'static', token: 'T1' }) {
  const clock = new ManualClock()
  const http = new FakeHttp()
  const serverClock = createServerClock(clock)
  const api = new Api({
    baseUrl: 'https://chat.example',
    apiKey: 'K',
    userId: 'ann',
    clientName: 'parlor-v0.1.0',
    tokens: createTokenManager(source),
    serverClock,
    ports: { clock, ids: seededIds(), http, log: silentSink },
  })
  return { clock, http, api, serverClock }
}

function countingProvider() {
  const provider = { made: 0, kind: 'provider' as const, load: () => Promise.resolve(`T${(provider.made += 1)}`) }
  return provider
}

const MESSAGE = { params: { type: 'messaging', id: 'general' }, body: { message: { id: 'm1', text: 'hi' } } }

test('a call with missing parts fails with the text of the contract, and nothing is sent', async () => {
  const { api, http } = createNewApi()
  const reaction = { type: 'like', score: 1 }
  await expect(api.send(sendReaction, { params: { id: '' }, body: { reaction } })).rejects.toMatchObject({
    code: 'internal',
    message: 'Message id is missing',
  })
  await expect(api.send(stopCampaign, { params: { id: '' }, body: {} })).rejects.toThrow(/^Campaign id is missing/)
  expect(http.calls).toEqual([])
})

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`)
  return error
}

describe('a call', () => {
  test('carries the common parameters and headers of the contract', async () => {
    const { api, http } = createNewApi()
    http.on('POST', '/channels/:type/:id/message', { status: 201, body: { message: { id: 'm1' } } })
    api.setConnectionId('c1')
    await api.send(sendMessage, MESSAGE)
    const [call] = http.calls
    expect(Object.fromEntries(call?.at.searchParams ?? [])).toEqual({
      api_key: 'K',
      user_id: 'ann',
      connection_id: 'c1',
    })
    expect(call?.headers).toEqual({
      authorization: 'T1',
      'stream-auth-type': 'jwt',
      'x-stream-client': 'parlor-v0.1.0',
      'x-client-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      accept: 'application/json',
      'content-type': 'application/json',
    })
    expect(call?.json).toEqual(MESSAGE.body)
    expect(call?.timeoutMs).toBe(10_000)
  })

  test('has no connection id while there is no connection, and no body when the endpoint has none', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/app', { body: { app: {} } })
    api.setConnectionId('c1')
    api.setConnectionId(undefined)
    await api.send(getApp, {})
    expect(http.calls[0]?.at.searchParams.has('connection_id')).toBe(false)
    expect(http.calls[0]?.body).toBeUndefined()
    expect(http.calls[0]?.headers['content-type']).toBeUndefined()
  })

  test('writes query values as the contract says: JSON for objects, text for booleans, nothing for undefined', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/users', { body: { users: [] } }).on('POST', '/sync', { status: 201, body: { events: [] } })
    const payload = { filter_conditions: { id: { $in: ['a b', 'ż'] } }, limit: 3 }
    await api.send(queryUsers, { query: { payload } })
    expect(http.calls[0]?.at.searchParams.get('payload')).toBe(JSON.stringify(payload))
    await api.send(sync, { query: { with_inaccessible_cids: true }, body: { channel_cids: [], last_sync_at: 'x' } })
    expect(http.calls[1]?.at.searchParams.get('with_inaccessible_cids')).toBe('true')
  })

  test('encodes path parameters', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/messages/:id', { body: { message: { id: 'a/b?c' } } })
    await api.send(getMessage, { params: { id: 'a/b?c' } })
    expect(http.calls[0]?.at.pathname).toBe('/messages/a%2Fb%3Fc')
  })

  test('of an anonymous user has no authorization', async () => {
    const { api, http } = createNewApi({ kind: 'anonymous' })
    http.on('GET', '/app', { body: { app: {} } })
    await api.send(getApp, {})
    expect(http.calls[0]?.headers).toMatchObject({ 'stream-auth-type': 'anonymous' })
    expect(http.calls[0]?.headers).not.toHaveProperty('authorization')
  })

  test('learns the time of the server from the Date header', async () => {
    const { api, http, clock, serverClock } = createNewApi()
    const date = new Date(clock.now() + 3_600_000).toUTCString()
    http.on('GET', '/app', { headers: { date }, body: { app: {} } })
    await api.send(getApp, {})
    expect(serverClock.offsetMs()).toBe(3_600_500)
  })

  test('aborted by the caller is not sent', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/app', () => new Promise(() => {}))
    const abort = new AbortController()
    const failure = failureOf(api.send(getApp, { signal: abort.signal }))
    abort.abort()
    expect((await failure).class).toBe('aborted')
  })
})

describe('an expired token', () => {
  test('is renewed exactly once for a hundred parallel calls, and all succeed', async () => {
    const provider = countingProvider()
    const { api, http } = createNewApi(provider)
    http.on('POST', '/channels/:type/:id/message', (call) =>
      call.headers['authorization'] === 'T1' ? refusal(401, 40) : { status: 201, body: { message: { id: 'm1' } } },
    )
    await Promise.all(Array.from({ length: 100 }, () => api.send(sendMessage, MESSAGE)))
    expect(provider.made).toBe(2)
    expect(http.calls.length).toBe(200)
  })

  test('of a late call is not renewed again', async () => {
    const provider = countingProvider()
    const { api, http } = createNewApi(provider)
    let release: () => void = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    let calls = 0
    http.on('GET', '/app', async (call) => {
      if ((calls += 1) === 1) await late
      return call.headers['authorization'] === 'T1' ? refusal(401, 40) : { body: { app: {} } }
    })
    const first = api.send(getApp, {})
    await api.send(getApp, {})
    release()
    await first
    expect(provider.made).toBe(2)
  })

  test('that is static is rejected once', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/app', refusal(401, 40))
    const failure = await failureOf(api.send(getApp, {}))
    expect(failure.code).toBe('server/token-expired')
    expect(failure.verdict.session).toBe('renew-token')
    expect(http.calls.length).toBe(1)
  })

  test('ends the call if the new one is rejected as well', async () => {
    const { api, http } = createNewApi(countingProvider())
    http.on('GET', '/app', refusal(401, 40))
    await failureOf(api.send(getApp, {}))
    expect(http.calls.length).toBe(2)
  })

  test('with a provider that fails is a failure that can be tried again', async () => {
    const { api, http } = createNewApi({ kind: 'provider', load: () => Promise.reject(new Error('no')) })
    const failure = await failureOf(api.send(getApp, {}))
    expect(failure.code).toBe('session/token-provider')
    expect(failure.retryable).toBe(true)
    expect(http.calls.length).toBe(0)
  })
})

test('a clock that is off is tried three times with back-off', async () => {
  const { api, http, clock } = createNewApi()
  http.on('GET', '/app', refusal(401, 42))
  const failure = failureOf(api.send(getApp, {}))
  await clock.advance(60_000)
  expect((await failure).class).toBe('clock')
  expect(http.calls.length).toBe(3)
})

describe('a rate limit', () => {
  const limited = (reset: string) => ({
    ...(refusal(429, 9) as { status: number; body: unknown }),
    headers: { 'x-ratelimit-reset': reset },
  })

  test('delays the call, with some jitter, and then it succeeds', async () => {
    const { api, http, clock } = createNewApi()
    let calls = 0
    const reset = String(clock.now() / 1_000 + 5)
    http.on('GET', '/app', () => ((calls += 1) === 1 ? limited(reset) : { body: { app: {} } }))
    const done = api.send(getApp, {})
    await clock.advance(4_999)
    expect(calls).toBe(1)
    await clock.advance(1_001)
    await done
    expect(calls).toBe(2)
  })

  test('delays other calls of the same operation, and only those', async () => {
    const { api, http, clock } = createNewApi()
    const reset = String(clock.now() / 1_000 + 60)
    http.on('GET', '/app', limited(reset)).on('POST', '/channels', { status: 201, body: { channels: [] } })
    const first = await failureOf(api.send(getApp, {}))
    expect(first.retryAfterMs).toBeGreaterThanOrEqual(60_000)
    const second = await failureOf(api.send(getApp, {}))
    expect(second.class).toBe('rate')
    expect(http.to('GET', '/app').length).toBe(1)
    await api.send(queryChannels, { body: { filter_conditions: {} } })
    expect(http.to('POST', '/channels').length).toBe(1)
    await clock.advance(61_000)
    http.on('GET', '/app', { body: { app: {} } })
    await api.send(getApp, {})
    expect(http.to('GET', '/app').length).toBe(2)
  })

  test.each(['300, 300', 'garbage', '', '-5', '99999999999999999999'])('survives the header %j', async (reset) => {
    const { api, http, clock } = createNewApi()
    http.on('GET', '/app', limited(reset))
    const failure = failureOf(api.send(getApp, {}))
    await clock.advance(120_000)
    expect((await failure).class).toBe('rate')
    expect(Number.isFinite((await failure).retryAfterMs)).toBe(true)
  })
})

describe('a response that is not the server’s', () => {
  test.each([
    ['a captive portal', 200, '<html>sign in</html>'],
    ['an empty body', 201, ''],
    ['a cut body', 200, '{"app":{"name"'],
    ['an array', 200, '[]'],
    ['a bare word', 200, 'null'],
  ])('%s counts as no network', async (_name, status, body) => {
    const { api, http } = createNewApi()
    http.on('GET', '/app', { status, body })
    const failure = await failureOf(api.send(getApp, {}))
    expect(failure.class).toBe('network')
    expect(failure.code).toBe('network/portal')
    expect(failure.verdict.task).toBe('retry-slowly')
  })

  test('plain text with an error status is classified by the status', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/app', { status: 503, body: 'busy' })
    expect((await failureOf(api.send(getApp, {}))).code).toBe('server/unavailable')
  })

  test('a connection lost after sending means that the outcome is unknown', async () => {
    const { api, http } = createNewApi()
    http.on('POST', '/channels/:type/:id/message', () => new TransportError('timeout', true))
    const failure = await failureOf(api.send(sendMessage, MESSAGE))
    expect(failure.outcomeUnknown).toBe(true)
    expect(failure.verdict.task).toBe('retry')
  })
})

describe('an upload', () => {
  const seen: number[] = []
  const file = {
    path: '/tmp/x',
    fileName: 'x.pdf',
    mimeType: 'application/pdf',
    onProgress: (n: number) => void seen.push(n),
  }
  const FILE = { params: { type: 'messaging', id: 'general' }, file }
  const bytesOf = (body: unknown): typeof file => body as typeof file

  test('streams the file with the token, and may take any time while it makes progress', async () => {
    const { api, http, clock } = createNewApi()
    http.on('POST', '/channels/:type/:id/file', async ({ body }) => {
      for (let part = 1; part <= 5; part += 1) {
        await new Promise<void>((resolve) => clock.after(STALL_MS - 1, resolve))
        bytesOf(body).onProgress(part)
      }
      return { status: 201, body: { file: 'https://chat.example/f/1' } }
    })
    const reply = api.upload(uploadFile, FILE)
    await clock.advance(5 * STALL_MS)
    expect((await reply).file).toBe('https://chat.example/f/1')
    expect(http.calls[0]?.body).toMatchObject({ path: '/tmp/x', fileName: 'x.pdf', mimeType: 'application/pdf' })
    expect(http.calls[0]?.timeoutMs).toBeUndefined()
    expect(seen).toMatchObject([1, 2, 3, 4, 5])
  })

  test('without progress for half a minute, measured from the last progress, is aborted with its request', async () => {
    const { api, http, clock } = createNewApi()
    http.on('POST', '/channels/:type/:id/file', async ({ body }) => {
      await new Promise<void>((resolve) => clock.after(20_000, resolve))
      bytesOf(body).onProgress(9)
      return new Promise(() => undefined)
    })
    const failure = failureOf(api.upload(uploadFile, FILE))
    await clock.advance(20_000 + STALL_MS - 1)
    expect(http.calls[0]?.signal?.aborted).toBe(false)
    await clock.advance(1)
    expect((await failure).code).toBe('network/timeout')
    expect((await failure).verdict.task).toBe('retry')
    expect(http.calls[0]?.signal?.aborted).toBe(true)
  })

  test('whose bytes were all sent without a response is aborted too', async () => {
    const { api, http, clock } = createNewApi()
    http.on('POST', '/channels/:type/:id/file', ({ body }) => {
      bytesOf(body).onProgress(9)
      return new Promise(() => undefined)
    })
    const failure = failureOf(api.upload(uploadFile, FILE))
    await clock.advance(STALL_MS)
    expect((await failure).code).toBe('network/timeout')
  })
})

test('every call ends, even if the network stack never reports an end', async () => {
  const { api, http, clock } = createNewApi()
  http.on('POST', '/channels/:type/:id/message', () => new Promise(() => undefined))
  const failure = failureOf(api.send(sendMessage, MESSAGE))
  await clock.advance(15_000)
  expect((await failure).code).toBe('network/timeout')
  expect((await failure).outcomeUnknown).toBe(true)
})

describe('a token that is rejected without being called expired', () => {
  const send = (api: ReturnType<typeof createNewApi>['api']) => api.send(sendMessage, MESSAGE).catch(() => undefined)
  const answering = (http: FakeHttp, code: number | undefined) =>
    http.on('POST', '/channels/:type/:id/message', refusal(401, code))

  test.each([undefined, 2, 43])('(code %s) is replaced before the next call, and not with every call', async (code) => {
    const provider = countingProvider()
    const { api, http, clock } = createNewApi(provider)
    answering(http, code)
    await send(api)
    expect(provider.made).toBe(1)
    for (let call = 0; call < 5; call += 1) await send(api)
    expect(provider.made).toBe(2)
    expect(http.calls.map(({ headers }) => headers['authorization'])).toEqual(['T1', 'T2', 'T2', 'T2', 'T2', 'T2'])
    await clock.advance(10_000)
    await send(api)
    expect(provider.made).toBe(3)
  })

  test('stays if no other can be loaded', async () => {
    let calls = 0
    const load = () => ((calls += 1) === 1 ? Promise.resolve('T1') : Promise.reject(new Error('down')))
    const { api, http } = createNewApi({ kind: 'provider', load })
    answering(http, undefined)
    await send(api)
    http.on('POST', '/channels/:type/:id/message', { status: 201, body: { message: { id: 'm1' } } })
    expect(await send(api)).toMatchObject({ message: { id: 'm1' } })
    expect(calls).toBe(2)
  })

  test('is final with code 5', async () => {
    const provider = countingProvider()
    const { api, http } = createNewApi(provider)
    answering(http, 5)
    await send(api)
    await send(api)
    expect(provider.made).toBe(1)
  })
})

describe('a download', () => {
  test('from the server carries the token, from elsewhere it does not', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/f/1', { body: 'bytes' })
    await api.download('https://chat.example/f/1', '/tmp/a', { maxBytes: 10 })
    await api.download('https://cdn.example/f/1', '/tmp/a', { maxBytes: 10 })
    expect(http.calls.map((call) => call.headers['authorization'])).toEqual(['T1', undefined])
  })

  test.each([
    'http://cdn.example/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://192.168.1.1/a',
    'https://localhost/a',
    'https://printer.local/a',
    'https://router/a',
    'file:///etc/passwd',
    'https://user:pass@cdn.example/a',
    'nonsense',
  ])('from %s is refused without a request', async (url) => {
    const { api, http } = createNewApi()
    await expect(api.download(url, '/tmp/a', { maxBytes: 10 })).rejects.toMatchObject({ code: 'media/address-refused' })
    expect(http.calls).toEqual([])
  })

  test('that the server rejects reports the reason', async () => {
    const { api, http } = createNewApi()
    http.on('GET', '/f/1', { status: 404, body: '' })
    await expect(api.download('https://chat.example/f/1', '/tmp/a', { maxBytes: 10 })).rejects.toMatchObject({
      code: 'server/not-found',
    })
  })
})
