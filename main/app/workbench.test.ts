import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeHost, type FakeWindow } from '#kit/fake-host.ts'
import { networkDown, refusal } from '#kit/fake-http.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Session } from '#shared/domain/session.ts'
import { NOT_CONNECTED } from '#main/engine/changes/memory.ts'
import type { Badge, Commit } from '#main/engine/context.ts'
import type { Engine, EngineOptions } from '#main/engine/engine.ts'
import { people } from '#main/server/seed/demo/people.ts'
import type { Composed, LaunchOptions } from './launch-options.ts'
import { DEMO_PERSON } from './local-workspace.ts'
import { openWorkbench } from './workbench.ts'

/** An engine that opens real stores and connects, and shows nothing but its session. */
type ToyEngine = {
  readonly options: EngineOptions
  readonly published: object[]
  readonly notices: string[]
  /** The channel each window asked to see first. */
  readonly firstShown: (string | undefined)[]
  stopped: boolean
  badge: Badge
  commit(commit: Commit): void
}

let world: FakeHost
let engines: ToyEngine[]
let composed: Composed | undefined

function toyEngine(options: EngineOptions): Engine {
  const stores = options.openStores(() => {})
  const listeners = new Set<(commit: Commit) => void>()
  const connection = options.connect({ onState: () => {}, onHealthy: () => {}, onEvents: () => {} })
  const toy: ToyEngine = {
    options,
    published: [],
    notices: [],
    firstShown: [],
    stopped: false,
    badge: { unread: 0, mentions: 0 },
    commit: (commit) => {
      toy.badge = commit.badge
      for (const listener of listeners) listener(commit)
    },
  }
  engines.push(toy)
  return {
    stores,
    handlers: { messages: { send: () => 'm1' } } as unknown as Engine['handlers'],
    start: () => connection.start(),
    async stop() {
      await connection.stop()
      stores.close()
      toy.stopped = true
    },
    attach: (_client, { lastChannel }) => (
      toy.firstShown.push(lastChannel),
      { rev: 7, put: { session: { self: options.session } }, del: {}, windows: [], closed: [] }
    ),
    detach: () => {},
    onCommitted: (fn) => {
      listeners.add(fn)
      return () => listeners.delete(fn)
    },
    publish: (values) => void toy.published.push(values),
    notify: ({ code }) => void toy.notices.push(code),
    notices: () => [],
    reportFocus: () => {},
    focuses: () => [],
    unsentCount: () => 3,
    badge: () => toy.badge,
    connection: () => NOT_CONNECTED,
    onRing: () => () => {},
    invites: () => [],
    aboutReminder: () => undefined,
    aboutArrival: () => undefined,
    exported: () => [],
    serverNow: () => 0,
    woke: () => {},
    reconnectNow: () => connection.reconnectNow(),
    diagnostics: () => {
      throw new Error('Nobody asks the toy')
    },
  }
}

async function start(options: LaunchOptions = {}): Promise<FakeWindow> {
  composed = await openWorkbench(world.host, options, { openEngine: toyEngine })
  await world.clock.settle()
  return world.window()
}

async function stop(): Promise<void> {
  const stopping = composed?.stop()
  composed = undefined
  await world.clock.advance(2_000)
  await stopping
}

async function sessionOf(window: FakeWindow): Promise<Session | undefined> {
  const reply = await window.call('app.attach', {})
  return reply.ok ? (reply.value as ChangeSet).put.session?.['self'] : undefined
}

/** The accounts beside the one that is shown open on their own, which touches the real disk. */
async function everybody(count: number): Promise<readonly string[]> {
  for (let turn = 0; turn < 1_000 && live().length < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    await world.clock.settle()
  }
  return live()
}

const codeOf = async (call: Promise<{ ok: boolean; error?: { code: string } }>) => (await call).error?.code ?? 'ok'
const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`
const live = () => engines.filter((engine) => !engine.stopped).map((engine) => engine.options.account.userId)
const HOSTED = { url: 'https://chat.example', apiKey: 'K', token: tokenOf({ user_id: 'ann' }) }
const byToken = ({ url, apiKey, token }: typeof HOSTED) => ({
  url,
  apiKey,
  credential: { kind: 'token', token } as const,
})

beforeEach(() => {
  world = new FakeHost()
  world.http.on('GET', '/app', { body: { app: { name: 'x' } } })
  engines = []
})
afterEach(async () => {
  await stop()
  world.dispose()
})

test('a cleared cache is loaded anew by an engine of its own, and the outbox is the same', async () => {
  const window = await start()
  await sessionOf(window)
  const folder = join(world.data, 'accounts', readdirSync(join(world.data, 'accounts'))[0] ?? '')
  const outbox = statSync(join(folder, 'outbox.db')).ino
  expect(await codeOf(window.call('data.clearCache'))).toBe('ok')
  expect([engines.length, live()]).toEqual([2, ['ola']])
  expect(statSync(join(folder, 'outbox.db')).ino).toBe(outbox)
  expect(existsSync(join(folder, 'cache.db'))).toBe(true)
  expect(engines[1]?.notices).toEqual([])
  expect(await sessionOf(window)).toMatchObject({ state: 'signed-in', userId: 'ola' })
})

describe('a start', () => {
  test('with nothing kept opens the demo as the first of its people, and remembers it', async () => {
    const window = await start()
    expect(await sessionOf(window)).toMatchObject({
      state: 'signed-in',
      userId: 'ola',
      workspace: { kind: 'local', demo: true },
    })
    expect(people[0]?.id).toBe(DEMO_PERSON)
    expect(world.servers).toMatchObject([{ seed: 'demo', dataFolder: join(world.data, 'workspaces/demo'), port: 0 }])
    await stop()
    await start()
    expect(live()).toEqual(['ola'])
    expect(world.servers[1]?.port).toBe(5_000)
  })

  test('does not wait for the network, nor for the local server', async () => {
    world.host.server.start = () => new Promise(() => {})
    const window = await start()
    expect(await sessionOf(window)).toMatchObject({ userId: 'ola' })
  })

  test('as somebody is that person, without being remembered', async () => {
    await start({ asUserId: 'hana' })
    expect(live()).toEqual(['hana'])
    await stop()
    await start()
    expect(live()).toEqual(['ola'])
  })

  test('with an address and a token talks to that server, and writes the token nowhere', async () => {
    const window = await start({ connect: byToken(HOSTED) })
    expect(await sessionOf(window)).toMatchObject({
      userId: 'ann',
      workspace: { kind: 'hosted', name: 'chat.example' },
    })
    expect(world.sockets.latest.url.startsWith('wss://chat.example/connect?')).toBe(true)
    const written = readdirSync(world.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const file of written)
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(HOSTED.token)
    expect(world.servers).toEqual([])
  })

  test.each([
    [{ ...HOSTED, url: 'http://chat.example' }, 'session/invalid-url'],
    [{ ...HOSTED, token: '' }, 'session/token-empty'],
    [{ ...HOSTED, token: tokenOf({ server: true }) }, 'session/token-mismatch'],
  ])('with a wrong %j says why', async (given, code) => {
    await expect(
      openWorkbench(world.host, { connect: byToken(given) }, { openEngine: toyEngine }),
    ).rejects.toMatchObject({ code })
  })
})

test('a damaged cache is told once, and the account opens all the same', async () => {
  await start()
  await stop()
  const [key = ''] = readdirSync(join(world.data, 'accounts'))
  writeFileSync(join(world.data, 'accounts', key, 'cache.db'), 'not a database')
  await start()
  expect([live(), engines.at(-1)?.notices]).toEqual([['ola'], ['store/cache-rebuilt']])
  await stop()
  await start()
  expect(engines.at(-1)?.notices).toEqual([])
})

describe('the local workspace', () => {
  test('gets a token signed with its secret, which stays in the secret store', async () => {
    await start()
    const token = world.sockets.latest.query.get('authorization') ?? ''
    const [header, payload, signature] = token.split('.')
    const secret = world.servers[0]?.secret ?? ''
    expect(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')).toBe(signature)
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toMatchObject({ user_id: 'ola' })
    expect([secret.length, await world.secrets.get('workspace/demo/secret')]).toEqual([43, secret])
    expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain(secret)
  })

  test('that stops is started again, and the engine is told', async () => {
    await start()
    world.servers[0]?.end('SIGKILL')
    expect(engines[0]?.published.at(-1)).toMatchObject({ serverRestarting: true })
    await world.clock.advance(500)
    expect([world.servers.length, world.servers[1]?.port]).toEqual([2, 5_000])
    expect(engines[0]?.published.at(-1)).toMatchObject({ serverRestarting: false })
  })

  test('that keeps stopping is given up with a notice, until somebody says again', async () => {
    const window = await start()
    await window.call('app.attach', {})
    for (let round = 0; round < 6; round += 1) {
      world.servers.at(-1)?.end('1')
      await world.clock.advance(25_000)
    }
    expect([world.servers.length, engines[0]?.notices]).toEqual([6, ['session/local-server-stopped']])
    await window.call('session.reconnect')
    await world.clock.settle()
    expect(world.servers.length).toBe(7)
  })

  test('lists its people through the server token, without bots', async () => {
    const users = [
      { id: 'ola', name: 'Ola', title: 'Lead' },
      { id: 'ci', name: 'CI', bot: true },
    ]
    world.http.on('GET', '/users', (call) => {
      const claims = Buffer.from(call.headers['authorization']?.split('.')[1] ?? '', 'base64url').toString()
      return JSON.parse(claims).server === true ? { body: { users } } : refusal(403, 17)
    })
    const window = await start()
    expect(await window.call('session.localPeople')).toEqual({
      ok: true,
      value: [{ id: 'ola', name: 'Ola', title: 'Lead' }],
    })
  })

  test('of one’s own is empty, has its maker, and is kept', async () => {
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    const window = await start()
    expect(await codeOf(window.call('session.createWorkspace', { name: 'Team', yourName: 'Łucja Żak' }))).toBe('ok')
    const made = world.http.to('POST', '/users')[0]?.json as { users: Record<string, object> }
    const [id = ''] = Object.keys(made.users)
    expect(id).toMatch(/^lucja-zak-[0-9a-f]{4}$/)
    expect(made.users[id]).toEqual({ id, name: 'Łucja Żak', role: 'admin' })
    expect(world.servers.at(-1)).toMatchObject({ seed: 'none', dataFolder: join(world.data, 'workspaces/own') })
    expect(await sessionOf(window)).toMatchObject({ userId: id, workspace: { name: 'Team', demo: false } })
    await stop()
    await start()
    expect(live()).toEqual([id])
  })

  test('takes in a new person, who joins the channels of the team that are not private', async () => {
    const channels = ['general', 'board'].map((id) => ({ channel: { cid: `team:${id}`, private: id === 'board' } }))
    world.http.on('POST', '/channels', { status: 201, body: { channels } })
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('POST', '/channels/:type/:id', { status: 201, body: { channel: {}, members: [] } })
    const window = await start()
    const reply = await window.call('session.addPerson', { name: ' Łucja Żak ' })
    const made = world.http.to('POST', '/users')[0]?.json as { users: Record<string, object> }
    const [id = ''] = Object.keys(made.users)
    expect(id).toMatch(/^lucja-zak-[0-9a-f]{4}$/)
    expect(reply).toEqual({ ok: true, value: { id, name: 'Łucja Żak' } })
    expect(made.users[id]).toEqual({ id, name: 'Łucja Żak' })
    expect(world.http.to('POST', '/channels/:type/:id').map((call) => [call.at.pathname, call.json])).toEqual([
      ['/channels/team/general', { add_members: [id] }],
    ])
  })

  test('makes nobody when the channels cannot be asked for, and nobody twice when one does not let them in', async () => {
    world.http.on('POST', '/channels', networkDown())
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    const window = await start()
    const add = () => codeOf(window.call('session.addPerson', { name: 'Eva' }))
    expect([await add(), world.http.to('POST', '/users').length]).toEqual(['network/offline', 0])
    world.http.on('POST', '/channels', { status: 201, body: { channels: [{ channel: { cid: 'team:general' } }] } })
    world.http.on('POST', '/channels/:type/:id', refusal(403, 17))
    expect([await add(), world.http.to('POST', '/users').length]).toEqual(['ok', 1])
  })

  test('takes in nobody without a name, without its server, or on a server of others', async () => {
    const window = await start()
    expect(await codeOf(window.call('session.addPerson', { name: '  ' }))).toBe('bridge/invalid-input')
    world.servers[0]?.end('SIGKILL')
    expect(await codeOf(window.call('session.addPerson', { name: 'Eva' }))).toBe('network/offline')
    await window.call('session.connectHosted', HOSTED)
    expect(await codeOf(window.call('session.addPerson', { name: 'Eva' }))).toBe('app/not-local')
    expect(world.http.to('POST', '/users')).toEqual([])
  })

  test('of the demo can be deleted with everything it kept', async () => {
    const window = await start()
    expect(readdirSync(join(world.data, 'accounts')).length).toBe(1)
    expect(await codeOf(window.call('session.deleteDemo'))).toBe('ok')
    expect([readdirSync(join(world.data, 'accounts')), live(), world.servers[0]?.stopped]).toEqual([[], [], true])
    expect([existsSync(join(world.data, 'workspaces/demo')), await world.secrets.get('workspace/demo/secret')]).toEqual(
      [false, undefined],
    )
    expect(await sessionOf(window)).toEqual({ state: 'signed-out' })
    expect(await codeOf(window.call('session.deleteDemo'))).toBe('session/not-demo')
  })
})

describe('signing in to a server', () => {
  test('is kept, with the token in the secret store only', async () => {
    const window = await start()
    expect(await codeOf(window.call('session.connectHosted', HOSTED))).toBe('ok')
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann' })
    await stop()
    const again = await start()
    expect(await sessionOf(again)).toMatchObject({ userId: 'ann' })
    expect(await everybody(2)).toEqual(['ann', 'ola'])
    expect(world.sockets.all.map(({ query }) => query.get('authorization'))).toContain(HOSTED.token)
    expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain(HOSTED.token)
  })

  test.each([
    [{ ...HOSTED, url: 'ftp://x' }, undefined, 'session/invalid-url'],
    [{ ...HOSTED, token: ' ' }, undefined, 'session/token-empty'],
    [{ ...HOSTED, token: 'x' }, undefined, 'session/token-mismatch'],
    [HOSTED, networkDown(), 'session/unreachable'],
    [HOSTED, { body: '<html>' }, 'session/unreachable'],
    [HOSTED, refusal(401, 2), 'server/access-key'],
    [HOSTED, refusal(401, 43), 'server/token-signature'],
  ])('%# that cannot work changes nothing and says why', async (given, answer, code) => {
    const window = await start()
    if (answer) world.http.on('GET', '/app', answer)
    expect([await codeOf(window.call('session.connectHosted', given)), live()]).toEqual([code, ['ola']])
  })
})

describe('an address that gives tokens out', () => {
  const given = { url: HOSTED.url, apiKey: HOSTED.apiKey, tokenUrl: 'https://team.example/token?key=s3cret' }
  const says = (body: unknown) => world.http.on('GET', '/token', { body })

  test.each([[{ token: HOSTED.token }], [HOSTED.token]])(
    '%# signs in, and is asked again at the next start',
    async (body) => {
      says(body)
      const window = await start()
      expect([await codeOf(window.call('session.connectHosted', given)), live()]).toEqual(['ok', ['ola', 'ann']])
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
    says(body)
    const window = await start()
    expect([await codeOf(window.call('session.connectHosted', given)), live()]).toEqual([code, ['ola']])
  })

  test('is not asked where everybody on the way could read the answer', async () => {
    const window = await start()
    const open = { ...given, tokenUrl: 'http://team.example/token' }
    expect(await codeOf(window.call('session.connectHosted', open))).toBe('session/invalid-url')
  })
})

test('a program that prints a token signs in as its person', async () => {
  world.commands.set('print-token --for ann', HOSTED.token)
  const credential = { kind: 'command', argv: ['print-token', '--for', 'ann'] } as const
  await start({ connect: { url: HOSTED.url, apiKey: HOSTED.apiKey, credential } })
  expect([live(), world.sockets.latest.query.get('authorization')]).toEqual([['ann'], HOSTED.token])
})

describe('signing out', () => {
  test('keeps what was not sent, forgets the token, and the next start asks', async () => {
    const window = await start()
    await window.call('session.connectHosted', HOSTED)
    await window.call('session.signOut', { wipe: false })
    expect(await sessionOf(window)).toMatchObject({ userId: 'ola' })
    await window.call('session.signOut', { wipe: false })
    expect(await sessionOf(window)).toEqual({ state: 'signed-out' })
    expect(readdirSync(join(world.data, 'accounts')).length).toBe(2)
    await stop()
    const again = await start()
    expect([live(), await sessionOf(again)]).toEqual([[], { state: 'signed-out' }])
    expect(await codeOf(again.call('messages.send', { cid: 'messaging:a', text: 'x' }))).toBe('session/signed-out')
    const key = readdirSync(join(world.data, 'accounts')).find((name) => name.startsWith('hosted-'))
    expect([key?.length, await world.secrets.get(`token/${key}`)]).toEqual([31, undefined])
  })

  test('with wiping leaves nothing of the account', async () => {
    const window = await start()
    await window.call('session.signOut', { wipe: true })
    expect(readdirSync(join(world.data, 'accounts'))).toEqual([])
  })

  test('the count to warn with is the engine’s', async () => {
    const window = await start()
    expect(await window.call('session.unsentCount')).toEqual({ ok: true, value: 0 })
    await window.call('app.attach', {})
    expect(await window.call('session.unsentCount')).toEqual({ ok: true, value: 3 })
  })
})

describe('windows', () => {
  test('opened as somebody show that person, and close their account with them', async () => {
    await start()
    const hana = world.window('w2', 'hana')
    expect(await sessionOf(hana)).toMatchObject({ userId: 'hana' })
    await world.clock.settle()
    expect([live(), world.sockets.live.length, world.servers.length]).toEqual([['ola', 'hana'], 2, 1])
    hana.close()
    await world.clock.advance(2_000)
    expect(live()).toEqual(['ola'])
  })

  test('of the same account share one engine', async () => {
    const first = await start()
    await sessionOf(first)
    await sessionOf(world.window('w2'))
    expect([live(), world.sockets.all.length]).toEqual([['ola'], 1])
  })

  test('can be opened as somebody only in a local workspace', async () => {
    const window = await start()
    expect(await codeOf(window.call('app.openWindowAs', { userId: 'hana' }))).toBe('ok')
    expect(world.opened).toEqual([{ asUserId: 'hana' }])
    await window.call('session.connectHosted', HOSTED)
    expect(await codeOf(window.call('app.openWindowAs', { userId: 'hana' }))).toBe('app/not-local')
  })

  test('are pushed what a commit has for them, and the badge counts mentions and direct messages', async () => {
    const window = await start()
    await window.call('app.attach', {})
    const changes = new Map([['w1', { rev: 8, put: {}, del: {}, windows: [], closed: [] } satisfies ChangeSet]])
    engines[0]?.commit({
      changes,
      arrived: [],
      invited: [],
      remindersChanged: false,
      badge: { unread: 5, mentions: 1 },
    })
    expect(window.pushes).toMatchObject([{ kind: 'changes', changeSet: { rev: 1 } }])
    expect(world.badges).toEqual([1])
  })

  test('are told by a hole in the revisions that the account changed', async () => {
    const window = await start()
    await window.call('app.attach', {})
    await window.call('session.connectHosted', HOSTED)
    expect(window.pushes.map((push) => push.kind === 'changes' && push.changeSet.rev)).toEqual([2])
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann' })
  })

  test('hear of settings, signed in or not', async () => {
    const window = await start()
    await window.call('app.attach', {})
    await window.call('settings.update', { theme: 'dark' })
    expect(engines[0]?.published).toContainEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
    await window.call('session.signOut', { wipe: false })
    await window.call('app.attach', {})
    await window.call('settings.update', { density: 'compact' })
    expect(window.pushes.at(-1)).toMatchObject({
      changeSet: { put: { settings: { self: { theme: 'dark', density: 'compact' } } } },
    })
  })
})

test('a file of settings is taken over as far as it is good, and what cannot work changes nothing', async () => {
  const window = await start()
  const take = (settings: Record<string, unknown>): Promise<unknown> =>
    window.call('settings.takeFile', { text: JSON.stringify({ kind: 'parlor-settings', version: 1, settings }) })
  expect(await take({ theme: 'dark', density: 'tiny' })).toEqual({ ok: true, value: { refused: ['density'] } })
  expect(engines[0]?.published.at(-1)).toEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
  expect(await take({ theme: 'light', proxyMode: 'manual', proxyUrl: '' })).toMatchObject({
    ok: false,
    error: { code: 'network/proxy-url' },
  })
  expect(engines[0]?.published.at(-1)).toEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
})

test('a window that knows no channel yet is shown the one of the last time', async () => {
  const window = await start()
  await window.call('app.attach', {})
  const [key = ''] = readdirSync(join(world.data, 'accounts'))
  await window.call('settings.update', { lastChannels: { [key]: 'team:release-4-2' } })
  await window.call('app.attach', {})
  await window.call('app.attach', { lastChannel: 'team:random' })
  expect(engines[0]?.firstShown).toEqual([undefined, 'team:release-4-2', 'team:random'])
})

test('waking up makes every connection look whether it still lives', async () => {
  await start()
  world.sockets.latest.accept({ id: 'ola' })
  world.clock.jumpWall(8 * 3_600_000)
  world.wake()
  await world.clock.advance(10)
  expect([world.sockets.all.length, world.sockets.live.length]).toEqual([2, 1])
})

test('stopping says goodbye, stops the server and leaves no timer', async () => {
  await start()
  world.sockets.latest.accept({ id: 'ola' })
  const socket = world.sockets.latest
  await stop()
  expect([socket.closeAsked?.code, world.servers[0]?.stopped, world.clock.pending]).toEqual([1_000, true, 0])
})
