import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FakeHost } from '#kit/fake-host.ts'
import { codeOf, HOSTED, tokenOf, testApp } from '#kit/test-app.ts'
import { networkDown, refusal } from '#kit/fake-http.ts'
import { SOUND_FILE_BYTES } from '#shared/constants.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { DEFAULT_NOTIFICATIONS, DEFAULT_SOUNDS, type Settings } from '#shared/domain/settings.ts'
import type { Session } from '#shared/domain/session.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { people } from '#main/server/seed/demo/team.ts'
import { accountKey } from './accounts/account.ts'
import { DEMO_PERSON } from './local-workspace/local-workspace.ts'

const bench = testApp()
const { start, stop, sessionOf, live } = bench
let world: FakeHost

beforeEach(() => {
  world = bench.begin()
})
afterEach(bench.end)

const byToken = ({ url, apiKey, token }: typeof HOSTED) => ({
  url,
  apiKey,
  credential: { kind: 'token', token } as const,
})

test('a cleared cache is loaded again by a new engine, and the outbox is unchanged', async () => {
  const window = await start()
  await sessionOf(window)
  const folder = join(world.data, 'accounts', readdirSync(join(world.data, 'accounts'))[0] ?? '')
  const outbox = statSync(join(folder, 'outbox.db')).ino
  expect(await codeOf(window.call('data.clearCache'))).toBe('ok')
  expect(bench.engines().length).toBe(2)
  expect(live()).toEqual(['ola'])
  expect(statSync(join(folder, 'outbox.db')).ino).toBe(outbox)
  expect(existsSync(join(folder, 'cache.db'))).toBe(true)
  expect(bench.engines()[1]?.notices).toEqual([])
  expect(await sessionOf(window)).toMatchObject({ state: 'signed-in', userId: 'ola' })
})

test('a page that requests pictures during shutdown gets none, and nothing fails', async () => {
  const window = await start()
  await sessionOf(window)
  await stop()
  expect(await window.media('upload/x')).toBeUndefined()
  expect(await window.media('att/m1.0')).toBeUndefined()
})

describe('a start', () => {
  test('with an empty profile shows the start page, and starts no server', async () => {
    const window = await start({})
    expect(await sessionOf(window)).toEqual({ state: 'signed-out' })
    expect(world.servers).toEqual([])
    expect(existsSync(join(world.data, 'workspaces'))).toBe(false)
  })

  test('of the demo is as its first person, and is stored', async () => {
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

  test('as a user is that user, without being stored', async () => {
    await start({ asUserId: 'hana' })
    expect(live()).toEqual(['hana'])
    await stop()
    await start({})
    expect(live()).toEqual([])
  })

  test('with an address and a token connects to that server, and stores the token only in the key store', async () => {
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

  test('with an address calls the workspace as its server does, and shows every window what that is', async () => {
    const window = await start({ connect: byToken(HOSTED) })
    const [engine] = bench.engines()
    engine?.options.onServerApp?.({ name: 'Cairn Maps' })
    expect(engine?.published.at(-1)).toMatchObject({ session: { workspace: { name: 'Cairn Maps' } } })
    await stop()
    const again = await start({ connect: byToken(HOSTED) })
    expect((await sessionOf(again))?.workspace?.name).toBe('Cairn Maps')
    await again.call('session.change', { key: (await sessionOf(window))?.account, name: 'Work' })
    await stop()
    const last = await start()
    bench.engines().at(-1)?.options.onServerApp?.({ name: 'Cairn Maps' })
    expect((await sessionOf(last))?.workspace?.name).toBe('Work')
  })

  test('with an address shows the icon that the workspace has on its server, unless the user chose one', async () => {
    const window = await start({ connect: byToken(HOSTED) })
    const iconNow = async () => {
      const reply = await window.call('app.attach', {})
      return reply.ok ? (reply.value as ChangeSet).put.accounts?.['self']?.accounts.at(-1)?.icon : undefined
    }
    const seen = (workspace_icon: unknown) =>
      bench.engines()[0]?.options.onServerApp?.({ name: 'Team', workspace_icon })
    seen({ base64: 'aWNvbg==', mime_type: 'image/png' })
    expect(await iconNow()).toEqual({ base64: 'aWNvbg==', mimeType: 'image/png' })
    const own = { base64: 'b3du', mimeType: 'image/png' }
    await window.call('session.change', { key: (await sessionOf(window))?.account, icon: own })
    expect(await iconNow()).toEqual(own)
    await window.call('session.change', { key: (await sessionOf(window))?.account, icon: null })
    seen({ base64: '<svg>', mime_type: 'image/svg+xml' })
    expect(await iconNow()).toBeUndefined()
  })

  test.each([
    ['http://127.0.0.1:7181', 'Parlor 7181'],
    ['http://[::1]:7181', 'Parlor 7181'],
    ['http://localhost:80', 'Parlor'],
    ['https://chat.example:8443', 'chat.example:8443'],
  ])('a server without a name at %s is called %s', async (url, name) => {
    const window = await start({ connect: byToken({ ...HOSTED, url }) })
    expect((await sessionOf(window))?.workspace?.name).toBe(name)
    bench.engines()[0]?.options.onServerApp?.({ name: 'Parlor' })
    expect((await sessionOf(window))?.workspace?.name).toBe(name)
  })

  test('with an address is stored: a plain start opens it again, with the others and the same credential', async () => {
    await start()
    await stop()
    await start({ connect: byToken(HOSTED) })
    await stop()
    const window = await start()
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann', workspace: { kind: 'hosted' } })
    expect((await bench.untilRunning(2)).toSorted()).toEqual(['ann', 'ola'])
    const tokens = world.sockets.all.flatMap(({ url, query }) =>
      url.startsWith('wss://chat.example') ? [query.get('authorization')] : [],
    )
    expect(tokens).toEqual([HOSTED.token, HOSTED.token])
  })

  test('with another token of the same user is the same account, and the newer token is stored', async () => {
    const newer = tokenOf({ user_id: 'ann', iat: 2 })
    await start({ connect: byToken(HOSTED) })
    await stop()
    await start({ connect: byToken({ ...HOSTED, token: newer }) })
    await stop()
    await start()
    expect(readdirSync(join(world.data, 'accounts'))).toHaveLength(1)
    expect(live()).toEqual(['ann'])
    expect(world.sockets.latest.query.get('authorization')).toEqual(newer)
  })

  test('with a refusing key store starts anyway, and is stored', async () => {
    const locked = vi.spyOn(world.host.secrets, 'set').mockRejectedValue(new Error('locked'))
    await start({ connect: byToken(HOSTED) })
    expect(live()).toEqual(['ann'])
    await stop()
    locked.mockRestore()
    const window = await start()
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann', workspace: { kind: 'hosted' } })
  })

  test.each([
    [{ ...HOSTED, url: 'http://chat.example' }, 'session/invalid-url'],
    [{ ...HOSTED, token: '' }, 'session/token-empty'],
    [{ ...HOSTED, token: tokenOf({ server: true }) }, 'session/token-mismatch'],
  ])('with a wrong %j says why', async (given, code) => {
    await expect(start({ connect: byToken(given) })).rejects.toMatchObject({ code })
  })
})

test('a damaged cache is reported once, and the account opens anyway', async () => {
  await start()
  await stop()
  const [key = ''] = readdirSync(join(world.data, 'accounts'))
  writeFileSync(join(world.data, 'accounts', key, 'cache.db'), 'not a database')
  await start()
  expect(live()).toEqual(['ola'])
  expect(bench.engines().at(-1)?.notices).toEqual(['store/cache-rebuilt'])
  await stop()
  await start()
  expect(bench.engines().at(-1)?.notices).toEqual([])
})

describe('the local workspace', () => {
  test('gets a token signed with its secret, which stays in the secret store', async () => {
    await start()
    const token = world.sockets.latest.query.get('authorization') ?? ''
    const [header, payload, signature] = token.split('.')
    const secret = world.servers[0]?.secret ?? ''
    expect(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')).toBe(signature)
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toMatchObject({ user_id: 'ola' })
    expect(secret.length).toBe(43)
    expect(await world.secrets.get('workspace/demo/secret')).toEqual(secret)
    expect(readFileSync(join(world.data, 'settings.json'), 'utf8')).not.toContain(secret)
  })

  test('that stops is restarted, and the engine is notified', async () => {
    await start()
    world.servers[0]?.end('SIGKILL')
    expect(bench.engines()[0]?.published.at(-1)).toMatchObject({ serverRestarting: true })
    await world.clock.advance(500)
    expect(world.servers.length).toBe(2)
    expect(world.servers[1]?.port).toBe(5_000)
    expect(bench.engines()[0]?.published.at(-1)).toMatchObject({ serverRestarting: false })
  })

  test('that keeps stopping is not restarted, with a notice, until the user retries', async () => {
    const window = await start()
    await window.call('app.attach', {})
    for (let round = 0; round < 6; round += 1) {
      world.servers.at(-1)?.end('1')
      await world.clock.advance(25_000)
    }
    expect(world.servers.length).toBe(6)
    expect(bench.engines()[0]?.notices).toEqual(['session/local-server-stopped'])
    await window.call('session.reconnect')
    await world.clock.settle()
    expect(world.servers.length).toBe(7)
  })

  test('lists its users through the server token, without bots', async () => {
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

  test('of the demo admits a newcomer under their own name, once', async () => {
    world.http.on('GET', '/users', { body: { users: [{ id: 'ola', name: 'Ola Wiśniewska' }] } })
    world.http.on('POST', '/channels', { status: 201, body: { channels: [{ channel: { cid: 'team:general' } }] } })
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('POST', '/channels/:type/:id', { status: 201, body: { channel: {}, members: [] } })
    const window = await start({})
    expect(await codeOf(window.call('session.openDemo', { name: 'Ola' }))).toBe('ok')
    const { userId: id } = (await sessionOf(window)) ?? {}
    expect(id).toMatch(/^ola-[0-9a-f]{4}$/)
    const made = world.http.to('POST', '/users').map(({ json }) => json)
    expect(made).toEqual([{ users: { [id ?? '']: { id, name: 'Ola', role: 'admin' } } }])
    expect(world.http.to('POST', '/channels/:type/:id')[0]?.json).toEqual({ add_members: [id] })
    await window.call('session.signOut', { wipe: false })
    world.http.on('GET', '/users', { body: { users: [{ id, name: 'Ola' }] } })
    await window.call('session.openDemo', { name: 'Ola' })
    expect(live()).toEqual([id])
    expect(world.http.to('POST', '/users')).toHaveLength(1)
  })

  test('of the demo lets no one in as one of its invented people, whatever their name', async () => {
    world.http.on('GET', '/users', { body: { users: [{ id: 'priya', name: 'Priya Raman' }] } })
    world.http.on('POST', '/channels', { status: 201, body: { channels: [] } })
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    const window = await start({})
    expect(await codeOf(window.call('session.openDemo', { name: 'Priya Raman' }))).toBe('ok')
    expect(live()).toEqual(['priya-raman'])
  })

  test('of the demo starts over for the same person, with a new greeting', async () => {
    world.http.on('GET', '/users', { body: { users: [{ id: 'ola', name: 'Ola Wiśniewska' }] } })
    world.http.on('POST', '/channels', { status: 201, body: { channels: [] } })
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('POST', '/channels/:type/:id/message', ({ json }) => ({ status: 201, body: json as object }))
    world.http.on('POST', '/channels/:type/query', {
      status: 201,
      body: { channel: { type: 'messaging', id: '!members-x', cid: 'messaging:!members-x' } },
    })
    const window = await start({})
    await window.call('session.openDemo', { name: 'Lena Hoffmann' })
    expect(live()).toEqual(['lena-hoffmann'])
    const greeted = () =>
      world.http
        .to('POST', '/channels/:type/:id/message')
        .map(({ at, json }) => [
          at.pathname,
          (json as { message: { user_id: string; mentioned_users?: string[] } }).message.user_id,
        ])
    const greeting = [
      ['/channels/team/release-4-2/message', 'jonas'],
      ['/channels/messaging/!members-x/message', 'priya'],
    ]
    expect(greeted()).toEqual(greeting)
    world.http.on('GET', '/users', { body: { users: [{ id: 'lena-hoffmann', name: 'Lena Hoffmann' }] } })
    const asked = window.call('session.restartDemo')
    await vi.waitFor(() => expect(existsSync(join(world.data, 'workspaces/demo'))).toBe(false))
    world.http.on('GET', '/users', { body: { users: [] } })
    expect(await codeOf(asked)).toBe('ok')
    expect(greeted()).toEqual([...greeting, ...greeting])
    expect(live()).toEqual(['lena-hoffmann'])
    expect(world.servers.map(({ stopped }) => stopped)).toEqual([true, false])
  })

  test('of the user is empty, has its creator, and is stored', async () => {
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    const window = await start()
    expect(await codeOf(window.call('session.createWorkspace', { name: 'Team', yourName: 'Łucja Żak' }))).toBe('ok')
    const made = world.http.to('POST', '/users')[0]?.json as { users: Record<string, object> }
    const [id = ''] = Object.keys(made.users)
    expect(id).toBe('lucja-zak')
    expect(made.users[id]).toEqual({ id, name: 'Łucja Żak', role: 'admin' })
    expect(world.servers.at(-1)).toMatchObject({ seed: 'none', dataFolder: join(world.data, 'workspaces/own') })
    expect(await sessionOf(window)).toMatchObject({ userId: id, workspace: { name: 'Team', demo: false } })
    await stop()
    await start()
    expect(live()).toEqual([id])
  })

  test('of the user begins with a channel for everyone and the notes of its owner', async () => {
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('POST', '/channels/:type/:id/query', ({ at }) => {
      const [, , type = '', id = ''] = at.pathname.split('/')
      return { status: 201, body: { channel: { cid: `${type}:${id}` } } }
    })
    const window = await start()
    await window.call('session.createWorkspace', { name: 'Team', yourName: 'Ola' })
    const begun = world.http.to('POST', '/channels/:type/:id/query')
    expect(begun.map(({ at }) => at.pathname)).toEqual([
      '/channels/team/general/query',
      expect.stringMatching(/^\/channels\/messaging\/self-/),
    ])
    expect(begun[0]?.json).toEqual({ data: { name: 'general', members: ['ola'], created_by_id: 'ola' } })
    expect(begun[1]?.json).toEqual({ data: { members: ['ola'], created_by_id: 'ola' } })
  })

  test('of the user gets another name and an icon for everyone in it, and keeps its settings', async () => {
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('PATCH', '/app', { body: {} })
    const window = await start()
    await window.call('session.createWorkspace', { name: 'Team', yourName: 'Ola' })
    const before = await sessionOf(window)
    const key = before?.account ?? ''
    const icon = { base64: 'aWNvbg==', mimeType: 'image/png' }
    expect(await codeOf(window.call('session.change', { key, name: 'Studio', icon }))).toBe('ok')
    expect(world.http.to('PATCH', '/app').map(({ json }) => json)).toEqual([
      { name: 'Studio', workspace_icon: { base64: 'aWNvbg==', mime_type: 'image/png' } },
    ])
    await stop()
    const again = await start()
    const reply = await again.call('app.attach', {})
    const put = reply.ok ? (reply.value as ChangeSet).put : {}
    expect(put.session?.['self']?.workspace?.name).toBe('Studio')
    expect(put.accounts?.['self']?.accounts.at(-1)).toMatchObject({ name: 'Studio', workspaceName: 'Studio', icon })
    expect(sidebarKey(put.session?.['self'] as Session)).toBe(sidebarKey(before as Session))
    await again.call('session.change', { key, icon: null })
    const bare = await again.call('app.attach', {})
    const entry = bare.ok ? (bare.value as ChangeSet).put.accounts?.['self']?.accounts.at(-1) : undefined
    expect(entry?.icon).toBeUndefined()
    expect(world.http.to('PATCH', '/app').at(-1)?.json).toEqual({ workspace_icon: null })
  })

  test('of the user is deleted with the folders of all its users, and no longer offered', async () => {
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    world.http.on('GET', '/users', { body: { users: [{ id: 'guest-of-mine', name: 'Guest' }] } })
    const window = await start()
    const [demo = ''] = readdirSync(join(world.data, 'accounts'))
    await window.call('session.createWorkspace', { name: 'Team', yourName: 'Ola' })
    const guest = accountKey({ kind: 'own', userId: 'guest-of-mine', name: '', place: 'own' })
    mkdirSync(join(world.data, 'accounts', guest))
    mkdirSync(join(world.data, 'workspaces/own'), { recursive: true })
    const key = (await sessionOf(window))?.account ?? ''
    expect(await codeOf(window.call('session.deleteWorkspace', { key: demo }))).toBe('session/not-own')
    expect(await codeOf(window.call('session.deleteWorkspace', { key }))).toBe('ok')
    expect(readdirSync(join(world.data, 'accounts'))).toEqual([demo])
    expect(existsSync(join(world.data, 'workspaces/own'))).toBe(false)
    expect(await window.call('session.leftWorkspaces')).toEqual({ ok: true, value: [] })
    expect(await sessionOf(window)).toMatchObject({ workspace: { demo: true } })
  })

  test('whose deletion was interrupted is deleted by the next start', async () => {
    mkdirSync(join(world.data, 'workspaces/own.gone'), { recursive: true })
    await start()
    expect(existsSync(join(world.data, 'workspaces/own.gone'))).toBe(false)
  })

  test('accepts a new user, who joins the public channels of the team', async () => {
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

  test('creates no user if the channels cannot be listed, and no duplicate if one refuses', async () => {
    world.http.on('POST', '/channels', networkDown())
    world.http.on('POST', '/users', { status: 201, body: { users: {} } })
    const window = await start()
    const add = () => codeOf(window.call('session.addPerson', { name: 'Eva' }))
    expect(await add()).toBe('network/offline')
    expect(world.http.to('POST', '/users').length).toBe(0)
    world.http.on('POST', '/channels', { status: 201, body: { channels: [{ channel: { cid: 'team:general' } }] } })
    world.http.on('POST', '/channels/:type/:id', refusal(403, 17))
    expect(await add()).toBe('ok')
    expect(world.http.to('POST', '/users').length).toBe(1)
  })

  test('accepts no user without a name, without its server, or on a remote server', async () => {
    const window = await start()
    expect(await codeOf(window.call('session.addPerson', { name: '  ' }))).toBe('bridge/invalid-input')
    world.servers[0]?.end('SIGKILL')
    expect(await codeOf(window.call('session.addPerson', { name: 'Eva' }))).toBe('network/offline')
    await window.call('session.connectHosted', HOSTED)
    expect(await codeOf(window.call('session.addPerson', { name: 'Eva' }))).toBe('app/not-local')
    expect(world.http.to('POST', '/users')).toEqual([])
  })

  test('of the demo can be deleted with all its data', async () => {
    const window = await start()
    expect(readdirSync(join(world.data, 'accounts')).length).toBe(1)
    expect(await codeOf(window.call('session.deleteDemo'))).toBe('ok')
    expect(readdirSync(join(world.data, 'accounts'))).toEqual([])
    expect(live()).toEqual([])
    expect(world.servers[0]?.stopped).toBe(true)
    expect(existsSync(join(world.data, 'workspaces/demo'))).toBe(false)
    expect(await world.secrets.get('workspace/demo/secret')).toBeUndefined()
    expect(await sessionOf(window)).toEqual({ state: 'signed-out' })
    expect(await codeOf(window.call('session.deleteDemo'))).toBe('session/not-demo')
  })
})

describe('windows', () => {
  test('opened as a user show that user, and close the account with them', async () => {
    await start()
    const hana = world.window('w2', 'hana')
    expect(await sessionOf(hana)).toMatchObject({ userId: 'hana' })
    await world.clock.settle()
    expect(live()).toEqual(['ola', 'hana'])
    expect(world.sockets.live.length).toBe(2)
    expect(world.servers.length).toBe(1)
    hana.close()
    await world.clock.advance(2_000)
    expect(live()).toEqual(['ola'])
  })

  test('of the same account share one engine', async () => {
    const first = await start()
    await sessionOf(first)
    await sessionOf(world.window('w2'))
    expect(live()).toEqual(['ola'])
    expect(world.sockets.all.length).toBe(1)
  })

  test('can be opened as a user only in a local workspace', async () => {
    const window = await start()
    expect(await codeOf(window.call('app.openWindowAs', { userId: 'hana' }))).toBe('ok')
    expect(world.opened).toEqual([{ asUserId: 'hana' }])
    await window.call('session.connectHosted', HOSTED)
    expect(await codeOf(window.call('app.openWindowAs', { userId: 'hana' }))).toBe('app/not-local')
  })

  test('receive a commit at once, and what it changes in the list of accounts and in the badge 100 ms later', async () => {
    const window = await start()
    await window.call('app.attach', {})
    const put = { settings: { self: { theme: 'dark' } as Settings } }
    const changes = new Map([['w1', { rev: 8, put, del: {}, windows: [], closed: [] } satisfies ChangeSet]])
    const unread = (count: number) => ({ badge: { unread: count, mentions: count }, arrived: [], invited: [] })
    bench.engines()[0]?.commit({ changes, remindersChanged: false, ...unread(1) })
    bench.engines()[0]?.commit({ changes: new Map(), remindersChanged: false, ...unread(2) })
    expect(window.pushes).toEqual([{ kind: 'changes', changeSet: { rev: 1, put, del: {}, windows: [], closed: [] } }])
    await world.clock.advance(99)
    expect(world.badges).toEqual([])
    await world.clock.advance(1)
    const counted = { self: { accounts: [{ unread: 2, mentions: 2 }] } }
    expect(window.pushes.filter(({ kind }) => kind === 'changes').slice(1)).toMatchObject([
      { changeSet: { rev: 2, put: { accounts: counted } } },
    ])
    expect(world.badges).toEqual([2])
  })

  test('detect a switch of account by a gap in the revisions', async () => {
    const window = await start()
    await window.call('app.attach', {})
    await window.call('session.connectHosted', HOSTED)
    expect(window.pushes.map((push) => push.kind === 'changes' && push.changeSet.rev)).toEqual([2])
    expect(await sessionOf(window)).toMatchObject({ userId: 'ann' })
  })

  test('receive settings, signed in or not', async () => {
    const window = await start()
    await window.call('app.attach', {})
    await window.call('settings.update', { theme: 'dark' })
    expect(bench.engines()[0]?.published).toContainEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
    await window.call('session.signOut', { wipe: false })
    await window.call('app.attach', {})
    await window.call('settings.update', { density: 'compact' })
    expect(window.pushes.at(-1)).toMatchObject({
      changeSet: { put: { settings: { self: { theme: 'dark', density: 'compact' } } } },
    })
  })
})

test('valid settings of a file are applied, and invalid ones change nothing', async () => {
  const window = await start()
  const take = (settings: Record<string, unknown>): Promise<unknown> =>
    window.call('settings.takeFile', { text: JSON.stringify({ kind: 'parlor-settings', version: 1, settings }) })
  expect(await take({ theme: 'dark', density: 'tiny' })).toEqual({ ok: true, value: { refused: ['density'] } })
  expect(bench.engines()[0]?.published.at(-1)).toEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
  expect(await take({ theme: 'light', proxyMode: 'manual', proxyUrl: '' })).toMatchObject({
    ok: false,
    error: { code: 'network/proxy-url' },
  })
  expect(bench.engines()[0]?.published.at(-1)).toEqual({ settings: expect.objectContaining({ theme: 'dark' }) })
})

test('a custom sound is stored beside the settings; once deleted, the system sound is used', async () => {
  const window = await start()
  const base64 = Buffer.from('ding').toString('base64')
  const sounds = () => {
    const last: { settings?: Settings } | undefined = bench.engines()[0]?.published.at(-1)
    return last?.settings?.notifications.sounds
  }
  expect(await window.call('settings.soundFile')).toEqual({ ok: true, value: {} })
  expect(await codeOf(window.call('settings.saveSound', { name: 'ding.mp3', base64 }))).toBe('ok')
  expect(sounds()?.file).toBe('ding.mp3')
  expect(await window.call('settings.soundFile')).toEqual({ ok: true, value: { base64 } })
  const notifications = { ...DEFAULT_NOTIFICATIONS, sounds: { ...DEFAULT_SOUNDS, file: 'ding.mp3', meant: 'file' } }
  await window.call('settings.update', { notifications })
  await window.call('settings.dropSound')
  expect(sounds()?.meant).toBe('system')
  expect(sounds()?.file).toBe('')
  expect(existsSync(join(world.data, 'sound'))).toBe(false)
  const large = Buffer.alloc(SOUND_FILE_BYTES + 10).toString('base64')
  expect(await codeOf(window.call('settings.saveSound', { name: 'x', base64: large }))).toBe('bridge/invalid-input')
  mkdirSync(join(world.data, 'sound.new'))
  expect(await codeOf(window.call('settings.saveSound', { name: 'x', base64 }))).toBe('settings/sound-not-saved')
})

test('a window without a channel shows the last one', async () => {
  const window = await start()
  await window.call('app.attach', {})
  const [key = ''] = readdirSync(join(world.data, 'accounts'))
  await window.call('settings.update', { lastChannels: { [key]: 'team:release-4-2' } })
  await window.call('app.attach', {})
  await window.call('app.attach', { lastChannel: 'team:random' })
  expect(bench.engines()[0]?.firstShown).toEqual([undefined, 'team:release-4-2', 'team:random'])
})

test('waking up makes every connection ping its server', async () => {
  await start()
  world.sockets.latest.accept({ id: 'ola' })
  world.clock.jumpWall(8 * 3_600_000)
  world.wake()
  await world.clock.advance(10)
  expect(world.sockets.all.length).toBe(2)
  expect(world.sockets.live.length).toBe(1)
})

test('stopping closes connections, stops the server and leaves no timer', async () => {
  await start()
  world.sockets.latest.accept({ id: 'ola' })
  const socket = world.sockets.latest
  await stop()
  expect(socket.requestedClose?.code).toBe(1_000)
  expect(world.servers[0]?.stopped).toBe(true)
  expect(world.clock.pending).toBe(0)
})
