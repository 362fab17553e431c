import { describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { createServerClock } from './server-clock.ts'
import { checkServerUrl, isSecureAddress } from './server-url.ts'
import { checkToken, readToken, userOfToken, createTokenManager } from './token.ts'

const tokenOf = (payload: unknown): string =>
  `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`

describe('a token', () => {
  test('names its user and its expiry', () => {
    expect(readToken(tokenOf({ user_id: 'ann', exp: 1_700_000_000 }))).toEqual({
      userId: 'ann',
      expiresAt: 1_700_000_000_000,
    })
    expect(readToken(tokenOf({ server: true }))).toEqual({})
  })

  test.each(['', 'abc', 'a.b.c', `a.${Buffer.from('7').toString('base64url')}.c`, '..'])(
    'that is malformed is not read: %j',
    (token) => {
      expect(readToken(token)).toBeUndefined()
    },
  )

  test.each([
    ['', 'session/token-empty', 'User token can not be empty'],
    ['   ', 'session/token-empty', 'User token can not be empty'],
    [undefined, 'session/token-empty', 'User token can not be empty'],
    [
      tokenOf({ user_id: 'bob' }),
      'session/token-mismatch',
      'userToken does not have a user_id or is not matching with user.id',
    ],
    [tokenOf({}), 'session/token-mismatch', 'userToken does not have a user_id or is not matching with user.id'],
    ['rubbish', 'session/token-mismatch', 'userToken does not have a user_id or is not matching with user.id'],
  ])('%j is refused with the text of the contract', (token, code, text) => {
    const result = checkToken(token, 'ann')
    expect(!result.ok && [result.error.code, result.error.message]).toEqual([code, text])
  })

  test('of the right user is accepted without surrounding spaces', () => {
    const token = tokenOf({ user_id: 'ann' })
    expect(checkToken(` ${token}\n`, 'ann')).toEqual({ ok: true, value: token })
    expect(userOfToken(token)).toEqual({ ok: true, value: 'ann' })
  })

  test('of a server belongs to no user', () => {
    expect(userOfToken(tokenOf({ server: true }))).toMatchObject({
      ok: false,
      error: { code: 'session/token-mismatch' },
    })
  })
})

describe('the token manager', () => {
  test('loads once for many callers', async () => {
    let made = 0
    const tokens = createTokenManager({ kind: 'provider', load: () => Promise.resolve(`T${(made += 1)}`) })
    expect(await Promise.all([tokens.ready(), tokens.ready(), tokens.ready()])).toEqual(['T1', 'T1', 'T1'])
    expect(await Promise.all([tokens.renew('T1'), tokens.renew('T1'), tokens.ready()])).toEqual(['T2', 'T2', 'T2'])
    expect(await tokens.renew('T1')).toBe('T2')
    expect(made).toBe(2)
  })

  test('calls a provider again after it failed, and reports the failure', async () => {
    let calls = 0
    const load = () => ((calls += 1) === 1 ? Promise.reject(new Error('down')) : Promise.resolve('T'))
    const tokens = createTokenManager({ kind: 'provider', load })
    await expect(tokens.ready()).rejects.toMatchObject({ code: 'session/token-provider' })
    expect(await tokens.ready()).toBe('T')
  })

  test.each([undefined, '', 7])('does not accept %j as a token', async (value) => {
    const tokens = createTokenManager({ kind: 'provider', load: () => Promise.resolve(value as string) })
    await expect(tokens.ready()).rejects.toMatchObject({ code: 'session/token-provider' })
  })

  test('cannot renew a static token', async () => {
    const tokens = createTokenManager({ kind: 'static', token: 'T' })
    await expect(tokens.renew('T')).rejects.toMatchObject({ code: 'session/token-static' })
    expect(await tokens.ready()).toBe('T')
  })
})

describe('the address of a server', () => {
  test.each([
    ['https://chat.example/', 'https://chat.example'],
    [' https://chat.example/api/ ', 'https://chat.example/api'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://localhost:4000/', 'http://localhost:4000'],
    ['http://[::1]:4000/', 'http://[::1]:4000'],
  ])('%s is taken', (text, url) => {
    expect(checkServerUrl(text)).toEqual({ ok: true, value: url })
  })

  test.each([
    'http://chat.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'ws://127.0.0.1',
    'https://ann:secret@chat.example',
    'https://chat.example/?token=1',
    'https://chat.example/#x',
    'javascript:alert(1)',
    'chat.example',
    '',
  ])('%s is refused', (text) => {
    expect(checkServerUrl(text)).toMatchObject({ ok: false, error: { code: 'session/invalid-url' } })
  })

  test('receives a token only over TLS or on this device', () => {
    expect(['wss://a.example', 'ws://127.0.0.1:1', 'ws://a.example', 'http://10.0.0.1'].map(isSecureAddress)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('the server clock', () => {
  test('is not changed by coarse values that agree with the estimate', async () => {
    const clock = new ManualClock()
    const server = createServerClock(clock)
    server.note(clock.now() + 400, 500)
    expect(server.offsetMs()).toBe(0)
    server.note(clock.now() + 7_000, 100)
    server.note(clock.now() + 7_450, 500)
    expect(server.offsetMs()).toBe(7_000)
    server.note(clock.now() + 9_000, 500)
    expect(server.offsetMs()).toBe(9_000)
  })

  test('keeps its time when the wall clock jumps, and reports a large difference once', async () => {
    const clock = new ManualClock()
    const notified: number[] = []
    const server = createServerClock(clock, (offset) => notified.push(offset))
    const start = clock.now()
    server.note(start + 1_000, 100)
    clock.jumpWall(24 * 3_600_000)
    await clock.advance(5_000)
    expect(server.now()).toBe(start + 6_000)
    server.note(start + 6_000, 100)
    server.note(start + 6_000, 100)
    expect(notified).toEqual([start + 6_000 - clock.now()])
  })

  test('is right at once after a sleep, even if the monotonic clock stopped', async () => {
    const clock = new ManualClock()
    const server = createServerClock(clock)
    server.note(clock.now() + 7_000, 100)
    await clock.advance(5_000)
    clock.jumpWall(3 * 3_600_000)
    server.woke()
    expect(server.offsetMs()).toBe(7_000)
    server.woke()
    await clock.advance(60_000)
    server.woke()
    expect(server.offsetMs()).toBe(7_000)
  })

  test('is not misled by a changed wall clock if the device knows its uptime', async () => {
    const clock = new ManualClock()
    let asleep = 0
    const up = () => clock.monotonic() + asleep
    const server = createServerClock({
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, fn) => clock.after(ms, fn),
      up,
    })
    const start = clock.now()
    server.note(start, 100)
    clock.jumpWall(24 * 3_600_000)
    server.woke()
    expect(server.now()).toBe(start)
    asleep = 3 * 3_600_000
    server.woke()
    server.woke()
    expect(server.now()).toBe(start + asleep)
  })
})
