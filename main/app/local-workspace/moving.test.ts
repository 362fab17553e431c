import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FakeHost, FakeWindow } from '#kit/fake-host.ts'
import { codeOf, testApp } from '#kit/test-app.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { announcementProof } from '#main/server/sharing/moved-note.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import type { Profile } from '#main/settings/profile.ts'
import { openSettings } from '#main/settings/store.ts'
import { Announcing } from '../accounts/following.ts'
import { cameSecret, movedSecret } from './local-workspace.ts'

const bench = testApp()
const { start, stop, sessionOf } = bench
let world: FakeHost

const OPEN = { port: 7_443, addresses: ['192.168.1.24'] }
const CLOSED = { addresses: [] }
const SHARED = { own: { on: true, port: 7_443, approve: true } }

beforeEach(() => {
  world = bench.begin()
  world.http.on('POST', '/users', { status: 201, body: { users: {} } })
  world.http.on('GET', '/users', { body: { users: [{ id: 'ola', name: 'Ola' }] } })
  world.destination = join(world.data, 'team.parlor-workspace')
  world.host.server.run = ({ onLine }) => {
    onLine({ event: 'done' })
    return Promise.resolve()
  }
  shares(CLOSED)
})
afterEach(bench.end)

function shares(now: object): void {
  const sharing = { approve: true, invitations: [], waiting: [], connected: [], ...now }
  world.http.on('POST', '/sharing', { body: { sharing } })
}

const actions = (): readonly unknown[] =>
  world.http.to('POST', '/sharing').map(({ json }) => (json as { action?: string }).action)

const profile = (): Profile => openSettings(world.data, () => undefined, confFile).profile()

/** A window with an own workspace, after a start with this in the profile. */
async function own(change: Partial<Profile> = {}): Promise<FakeWindow> {
  const first = await start({})
  await first.call('session.createWorkspace', { name: 'Team', yourName: 'Ola' })
  await stop()
  openSettings(world.data, () => undefined, confFile).saveProfile(change)
  const window = await start({})
  await sessionOf(window)
  return window
}

describe('an own workspace that was saved to move', () => {
  test('is put aside when its window is closed before anyone chose "Done"', async () => {
    const window = await own()
    await window.call('moving.save', {})
    window.close()

    await vi.waitFor(() => expect(profile().accounts).toEqual([]))
    expect(profile().workspaces['own']?.moved).toBeDefined()
  })

  test('is put aside, and not saved again, when it is saved once more', async () => {
    const window = await own()
    await window.call('moving.save', {})
    world.host.server.run = () => Promise.reject(new Error('saved twice'))

    expect(await window.call('moving.save', {})).toEqual({ ok: true, value: {} })
    expect(profile().accounts).toEqual([])
  })

  test('goes on when the key store refuses what the device needs to know where it is', async () => {
    const window = await own({ sharing: SHARED })
    shares(OPEN)
    const set = world.secrets.set.bind(world.secrets)
    world.secrets.set = (name, value) =>
      name === movedSecret('own') ? Promise.reject(new AppError('keys/refused')) : set(name, value)
    const servers = world.servers.length
    const reason = await codeOf(window.call('moving.save', { passphrase: 'seven lamps in a row' }))

    expect(reason).toBe('keys/refused')
    expect(profile().workspaces['own']?.moved).toBeUndefined()
    await vi.waitFor(() => expect(world.servers.length).toBeGreaterThan(servers))
  })

  test('tells nobody where it is if its port was not open, so it is no longer shared', async () => {
    const window = await own({ sharing: SHARED })
    await window.call('moving.save', { passphrase: 'seven lamps in a row' })

    expect(profile().workspaces['own']?.moved).toBeDefined()
    expect(profile().sharing).toEqual({})
  })
})

test('a shared workspace that is taken back is shared again, although its server ran all the time', async () => {
  await own({ accounts: [], workspaces: { own: { name: 'Team', userId: 'ola', moved: 1 } }, sharing: SHARED })
  await stop()
  await world.secrets.set(movedSecret('own'), 'a-secret-that-went-along-in-the-file')
  shares(OPEN)
  const window = await start({})
  await vi.waitFor(() => expect(actions()).toContain('moved'))
  await window.call('session.openLeft', { place: 'own' })

  await vi.waitFor(() => expect(actions()).toContain('start'))
  expect(actions().lastIndexOf('start')).toBeGreaterThan(actions().lastIndexOf('moved'))
})

describe('what stayed of a workspace that has moved', () => {
  test('is deleted with its folder, and nobody is told anymore where it is', async () => {
    const window = await own({ sharing: SHARED })
    shares(OPEN)
    await window.call('moving.save', { passphrase: 'seven lamps in a row' })
    await window.call('moving.finish')
    const folder = join(world.data, 'workspaces', 'own')
    mkdirSync(folder, { recursive: true })
    const done = await codeOf(window.call('session.deleteLeft', { place: 'own' }))

    expect(done).toBe('ok')
    expect(existsSync(folder)).toBe(false)
    expect(profile()).toMatchObject({ workspaces: {}, sharing: {} })
    expect(await world.secrets.get(movedSecret('own'))).toBeUndefined()
  })

  test('is all that is deleted: not a workspace in use, nor one that was only left', async () => {
    const window = await own()
    const used = await codeOf(window.call('session.deleteLeft', { place: 'own' }))
    await window.call('session.signOut', { wipe: false })
    const left = await codeOf(window.call('session.deleteLeft', { place: 'own' }))

    expect(used).toBe('session/no-account')
    expect(left).toBe('session/no-account')
    expect(profile().workspaces['own']).toBeDefined()
  })
})

test('a workspace that is deleted leaves nothing in the key store about where it came from or went', async () => {
  const window = await own()
  for (const name of [movedSecret('own'), cameSecret('own')]) await world.secrets.set(name, 'a secret')
  await window.call('session.deleteWorkspace', { key: (await sessionOf(window))?.account ?? '' })

  expect(await world.secrets.get(movedSecret('own'))).toBeUndefined()
  expect(await world.secrets.get(cameSecret('own'))).toBeUndefined()
})

describe('the device that a workspace came from', () => {
  const CAME = { addresses: ['192.168.1.9'], port: 7_443, certificate: 'PEM', secret: 'a-long-enough-secret' }
  const at = (port: number) => ({ addresses: ['192.168.1.24'], port, certificate: 'PEM' })
  const told = (): readonly unknown[] =>
    world.http.to('POST', '/join/moved').map(({ json }) => (JSON.parse((json as { note: string }).note) as Note).port)
  type Note = { readonly port: number }
  const stored = async (): Promise<number | undefined> => {
    const { told: now } = JSON.parse((await world.secrets.get(cameSecret('own'))) ?? '{}') as { told?: Note }
    return now?.port
  }

  beforeEach(() => world.secrets.set(cameSecret('own'), JSON.stringify({ ...CAME, since: world.clock.now() })))

  test('is told the newest address, also if an older one is still on its way', async () => {
    let answer = (): void => undefined
    const late = new Promise<void>((resolve) => (answer = resolve))
    const first = JSON.stringify(at(1))
    world.http.on('POST', '/join/moved', async ({ json }) => {
      const { note, proof } = json as { note: string; proof: string }
      if (note === first) await late
      return { status: proof === announcementProof(CAME.secret, note) ? 200 : 401, body: {} }
    })
    const announcing = new Announcing(world.host)
    const older = announcing.announce('own', at(1))
    await vi.waitFor(() => expect(told()).toEqual([1]))
    await announcing.announce('own', at(2))
    answer()
    await older

    expect(told()).toEqual([1, 2])
    expect(await stored()).toBe(2)
  })

  test('is not told anymore once the workspace is not shared', async () => {
    const announcing = new Announcing(world.host)
    await announcing.announce('own', at(1))
    announcing.forget('own')
    await world.clock.advance(3_600_000)

    expect(told()).toEqual([1])
  })
})
