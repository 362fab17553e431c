import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FakeHost } from '#kit/fake-host.ts'
import { codeOf, HOSTED, tokenOf, testApp } from '#kit/test-app.ts'
import { networkDown, refusal } from '#kit/fake-http.ts'
import { TransportError } from '#main/engine/ports.ts'

const bench = testApp()
const { start, stop, sessionOf, untilRunning, live } = bench
let world: FakeHost

beforeEach(() => {
  world = bench.begin()
})
afterEach(bench.end)

describe('signing in to a server', () => {
  test('calls the workspace as its server does, and as the user wishes', async () => {
    world.http.on('GET', '/app', { body: { app: { name: 'Cairn Maps' } } })
    const window = await start({})
    expect(await codeOf(window.call('session.connectHosted', HOSTED))).toBe('ok')
    const { account } = (await sessionOf(window)) ?? {}
    await stop()
    const again = await start({})
    expect((await sessionOf(again))?.workspace?.name).toBe('Cairn Maps')
    await again.call('session.change', { key: account, name: 'Work' })
    await stop()
    expect((await sessionOf(await start({})))?.workspace?.name).toBe('Work')
  })

  test('is stored, with the token in the secret store only', async () => {
    const window = await start()
    expect(await codeOf(window.call('session.connectHosted', HOSTED))).toBe('ok')
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann' })
    await stop()
    const again = await start()
    expect(await sessionOf(again)).toMatchObject({ userId: 'ann' })
    expect(await untilRunning(2)).toEqual(['ann', 'ola'])
    expect(world.sockets.all.map(({ query }) => query.get('authorization'))).toContain(HOSTED.token)
    expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain(HOSTED.token)
  })

  test.each([
    [{ ...HOSTED, url: 'ftp://x' }, undefined, 'session/invalid-url'],
    [{ ...HOSTED, token: ' ' }, undefined, 'session/token-empty'],
    [{ ...HOSTED, token: 'x' }, undefined, 'session/token-mismatch'],
    [HOSTED, networkDown(), 'session/unreachable'],
    [HOSTED, { body: '<html>' }, 'session/unreachable'],
    [HOSTED, new TransportError('certificate', false), 'network/certificate'],
    [HOSTED, refusal(401, 2), 'server/access-key'],
    [HOSTED, refusal(401, 43), 'server/token-signature'],
  ])('%# that cannot work changes nothing and says why', async (given, answer, code) => {
    const window = await start()
    if (answer) world.http.on('GET', '/app', answer)
    expect(await codeOf(window.call('session.connectHosted', given))).toEqual(code)
    expect(live()).toEqual(['ola'])
  })
})

describe('timing a server before signing in', () => {
  const { url, apiKey } = HOSTED

  test.each([
    ['a refusal of a request without a token', refusal(401, 5), true],
    ['a refusal of its API key', refusal(401, 2), false],
    ['an answer', { body: { app: { name: 'Cairn Maps' } } }, true],
  ])('%s is an answer', async (_what, answer, knowsKey) => {
    const window = await start()
    world.http.on('GET', '/app', answer)
    const reply = await window.call('session.timeServer', { url, apiKey })
    expect(reply).toEqual({ ok: true, value: { ms: expect.any(Number), knowsKey } })
    expect(live()).toEqual(['ola'])
  })

  test.each([
    ['a line that is down', networkDown(), 'session/unreachable'],
    ['a page of something else', { body: '<html>' }, 'session/unreachable'],
    ['a refusal of something else', { status: 404, body: 'Not found' }, 'session/unreachable'],
    ['an invalid certificate', new TransportError('certificate', false), 'network/certificate'],
  ])('%s is none', async (_what, answer, code) => {
    const window = await start()
    world.http.on('GET', '/app', answer)
    expect(await codeOf(window.call('session.timeServer', { url, apiKey }))).toBe(code)
  })

  test('an address that no token may be sent to is not asked', async () => {
    const window = await start()
    expect(await codeOf(window.call('session.timeServer', { url: 'http://chat.example', apiKey }))).toBe(
      'session/invalid-url',
    )
  })
})

describe('a pasted text that is no token', () => {
  const inside = Buffer.from(JSON.stringify({ user_id: 'ann' })).toString('base64url')

  test.each([[`command ["touch","a.${inside}.b"]`], [`endpoint https://a.${inside}.b/`], [`a b.${inside}.c`]])(
    'is refused, although it holds the claims of one: "%s"',
    async (token) => {
      const window = await start()
      const given = { ...HOSTED, token }

      expect(await codeOf(window.call('session.connectHosted', given))).toBe('session/token-mismatch')
      expect(live()).toEqual(['ola'])
    },
  )
})

describe('signing in as a guest', () => {
  const GUEST = { url: HOSTED.url, apiKey: HOSTED.apiKey, guest: true }

  test('requests public data, stores no secret, and keeps the same guest id', async () => {
    world.http.on('POST', '/channels', { body: { channels: [] } })
    const window = await start()
    expect(await codeOf(window.call('session.connectHosted', GUEST))).toBe('ok')
    const session = await sessionOf(window)
    expect(session).toMatchObject({ state: 'signed-in', guest: true, workspace: { kind: 'hosted' } })
    const [asked] = world.http.to('POST', '/channels')
    expect(asked?.headers).toMatchObject({ 'stream-auth-type': 'anonymous' })
    expect(asked?.headers).not.toHaveProperty('authorization')
    expect(world.sockets.all.at(-1)?.query.get('stream-auth-type')).toBe('anonymous')
    expect(await codeOf(window.call('session.connectHosted', GUEST))).toBe('ok')
    expect(await sessionOf(window)).toEqual(session)
  })

  test('can read, and nothing else', async () => {
    world.http.on('POST', '/channels', { body: { channels: [] } })
    const window = await start()
    await window.call('session.connectHosted', GUEST)
    await sessionOf(window)
    const message = { cid: 'livestream:lobby', text: 'Hello' }
    expect(await codeOf(window.call('messages.send', message))).toBe('session/guest')
    expect(await codeOf(window.call('people.blocked', undefined))).not.toBe('session/guest')
  })

  test.each([
    [refusal(403, 17), 'session/no-guests'],
    [refusal(403, 70), 'session/no-guests'],
    [refusal(401, 2), 'server/access-key'],
    [networkDown(), 'session/unreachable'],
  ])('%# that cannot work says why and changes nothing', async (answer, code) => {
    world.http.on('POST', '/channels', answer)
    const window = await start()
    expect(await codeOf(window.call('session.connectHosted', GUEST))).toEqual(code)
    expect(live()).toEqual(['ola'])
  })
})

describe('an address that issues tokens', () => {
  const given = { url: HOSTED.url, apiKey: HOSTED.apiKey, tokenUrl: 'https://team.example/token?key=s3cret' }
  const respond = (body: unknown) => world.http.on('GET', '/token', { body })

  test.each([[{ token: HOSTED.token }], [HOSTED.token]])(
    '%# signs in, and is called again at the next start',
    async (body) => {
      respond(body)
      const window = await start()
      expect(await codeOf(window.call('session.connectHosted', given))).toBe('ok')
      expect(live()).toEqual(['ola', 'ann'])
      await stop()
      const before = world.http.to('GET', '/token').length
      await start()
      expect(world.http.to('GET', '/token').length).toBe(before + 1)
      expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain('s3cret')
    },
  )

  test.each([
    [{ token: 7 }, 'session/token-endpoint'],
    ['<html>sign in</html>', 'session/token-endpoint'],
    [{ token: tokenOf({ server: true }) }, 'session/token-mismatch'],
  ])('%# that gives no token of a person says so, and nothing changes', async (body, code) => {
    respond(body)
    const window = await start()
    expect(await codeOf(window.call('session.connectHosted', given))).toEqual(code)
    expect(live()).toEqual(['ola'])
  })

  test('is not called without encryption', async () => {
    const window = await start()
    const open = { ...given, tokenUrl: 'http://team.example/token' }
    expect(await codeOf(window.call('session.connectHosted', open))).toBe('session/invalid-url')
  })
})

test('a program that prints a token signs in as its user', async () => {
  world.commands.set('print-token --for ann', HOSTED.token)
  const credential = { kind: 'command', argv: ['print-token', '--for', 'ann'] } as const
  await start({ connect: { url: HOSTED.url, apiKey: HOSTED.apiKey, credential } })
  expect(live()).toEqual(['ann'])
  expect(world.sockets.latest.query.get('authorization')).toEqual(HOSTED.token)
})

describe('signing out', () => {
  test('AGR-54 keeps unsent messages, deletes the token, and the next start asks for a sign-in', async () => {
    const window = await start()
    await window.call('session.connectHosted', HOSTED)
    await window.call('session.signOut', { wipe: false })
    expect(await sessionOf(window)).toMatchObject({ userId: 'ola' })
    await window.call('session.signOut', { wipe: false })
    expect(await sessionOf(window)).toEqual({ state: 'signed-out' })
    expect(readdirSync(join(world.data, 'accounts')).length).toBe(2)
    await stop()
    const again = await start()
    expect(live()).toEqual([])
    expect(await sessionOf(again)).toEqual({ state: 'signed-out' })
    expect(await codeOf(again.call('messages.send', { cid: 'messaging:a', text: 'x' }))).toBe('session/signed-out')
    const key = readdirSync(join(world.data, 'accounts')).find((name) => name.startsWith('hosted-'))
    expect(key?.length).toBe(31)
    expect(await world.secrets.get(`token/${key}`)).toBeUndefined()
  })

  test('with wiping leaves nothing of the account', async () => {
    const window = await start()
    await window.call('session.signOut', { wipe: true })
    expect(readdirSync(join(world.data, 'accounts'))).toEqual([])
  })

  test('the count for the warning is the engine’s', async () => {
    const window = await start()
    expect(await window.call('session.unsentCount')).toEqual({ ok: true, value: 0 })
    await window.call('app.attach', {})
    expect(await window.call('session.unsentCount')).toEqual({ ok: true, value: 3 })
  })
})

describe('the API secret of a server', () => {
  const SECRET = 'the-secret-of-chat-example'
  const secrets = (): Promise<string | undefined> => {
    const key = readdirSync(join(world.data, 'accounts')).find((name) => name.startsWith('hosted-'))
    return world.secrets.get(`api-secret/${key}`)
  }
  const save = (window: Awaited<ReturnType<typeof start>>, secret?: string) =>
    codeOf(window.call('session.saveApiSecret', secret === undefined ? {} : { secret }))

  test('is checked with the server, kept in the secret store only, and removed on request', async () => {
    world.http.on('GET', '/channeltypes', { body: { channel_types: {} } })
    const window = await start()
    await window.call('session.connectHosted', HOSTED)
    expect(await save(window, ` ${SECRET} `)).toBe('ok')
    expect(await secrets()).toBe(SECRET)
    const [asked] = world.http.to('GET', '/channeltypes')
    expect(JSON.stringify(asked)).not.toContain(SECRET)
    expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain(SECRET)
    const seen = JSON.stringify([await window.call('app.attach', {}), await window.call('data.log'), window.pushes])
    expect(seen).not.toContain(SECRET)
    expect(await save(window)).toBe('ok')
    expect(await secrets()).toBeUndefined()
  })

  test('that the server refuses, or cannot be asked about, changes nothing', async () => {
    world.http.on('GET', '/channeltypes', { body: { channel_types: {} } })
    const window = await start()
    await window.call('session.connectHosted', HOSTED)
    await save(window, SECRET)
    world.http.on('GET', '/channeltypes', refusal(401, 43))
    expect(await save(window, 'another')).toBe('session/secret-refused')
    world.http.on('GET', '/channeltypes', refusal(403, 17))
    expect(await save(window, 'another')).toBe('session/secret-refused')
    world.http.on('GET', '/channeltypes', networkDown())
    expect(await save(window, 'another')).toBe('session/unreachable')
    expect(await save(window, '  ')).toBe('bridge/invalid-input')
    expect(await secrets()).toBe(SECRET)
  })

  test('is for servers elsewhere, and goes with the sign-out', async () => {
    world.http.on('GET', '/channeltypes', { body: { channel_types: {} } })
    const window = await start()
    expect(await save(window, SECRET)).toBe('app/not-hosted')
    await window.call('session.connectHosted', HOSTED)
    await save(window, SECRET)
    const key = readdirSync(join(world.data, 'accounts')).find((name) => name.startsWith('hosted-'))
    await window.call('session.signOut', { wipe: false })
    expect(await world.secrets.get(`api-secret/${key}`)).toBeUndefined()
  })
})
