import { expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { SharingAction, WireSharing } from '#shared/wire/sharing.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '#main/settings/store.ts'
import { type LocalWorkspace, createCertificate } from './local-workspace.ts'
import { Announcing } from '../accounts/following.ts'
import { Discovery } from './discovery.ts'
import { NetworkSharing } from './sharing.ts'

const CLOSED: WireSharing = { addresses: [], approve: true, invitations: [], waiting: [], connected: [] }

type Send = (place: string, body: SharingAction) => Promise<object>

/** Own workspaces of these places, which their owner shares, with servers that answer like this. */
async function sharedAt(places: readonly string[], send: Send) {
  const world = new FakeHost()
  const certificate = await createCertificate(world.clock.now())
  const store = openSettings(world.data, () => undefined, confFile)
  const refs = places.map((place) => ({ kind: 'own' as const, userId: 'ann', name: place, place }))
  const wish = { on: true, port: 7_443, approve: true }
  store.saveProfile({
    accounts: refs.map((ref) => ({ ref })),
    sharing: Object.fromEntries(places.map((place) => [place, wish])),
  })
  const workspaceAt = (place: string): LocalWorkspace =>
    ({
      health: () => 'running',
      people: () => Promise.resolve([]),
      certificate: () => Promise.resolve(certificate),
      serverApi: () =>
        Promise.resolve({ send: (_endpoint: unknown, { body }: { body: SharingAction }) => send(place, body) }),
    }) as unknown as LocalWorkspace
  const sharing = new NetworkSharing({
    host: { ...world.host, network: { ...world.host.network, ownAddresses: () => ['192.168.1.24'] } },
    store,
    refOf: () => refs[0],
    placeOf: ({ place = '' }) => place,
    workspace: workspaceAt,
    nameOf: ({ name }) => name,
    changed: () => undefined,
    announcing: new Announcing(world.host),
    discovery: new Discovery({ host: world.host, onFailed: () => undefined }),
  })
  return { world, sharing }
}

test('a workspace whose server fails does not keep the others from moving to the new network', async () => {
  const sent: string[] = []
  const { world, sharing } = await sharedAt(['one', 'two'], (place, { action }) => {
    sent.push(`${place} ${action}`)
    if (place === 'one') return Promise.reject(new AppError('session/local-server-stopped'))
    return Promise.resolve({ sharing: CLOSED })
  })
  await sharing.networkChanged()
  world.dispose()

  expect(sent).toEqual(['one state', 'two state', 'two start'])
})

test('an address that cannot be used yet is tried again, until it can', async () => {
  const answers: object[] = [
    { sharing: CLOSED, problem: 'no-network' },
    { sharing: CLOSED, problem: 'no-network' },
    { sharing: { ...CLOSED, port: 7_443, addresses: ['192.168.1.24'] } },
  ]
  const { world, sharing } = await sharedAt(['one'], () => Promise.resolve(answers.shift() ?? { sharing: CLOSED }))
  await sharing.serverRuns('one')
  await world.clock.advance(3_000)
  const before = answers.length
  await world.clock.advance(3_000)
  await world.clock.advance(60_000)
  world.dispose()

  expect(before).toBe(1)
  expect(answers).toEqual([])
  expect(world.clock.pending).toBe(0)
})

test('however often it is refused, one try waits', async () => {
  const refused = { sharing: CLOSED, problem: 'no-network' }
  const { world, sharing } = await sharedAt(['one'], () => Promise.resolve(refused))
  await sharing.serverRuns('one')
  const once = world.clock.pending
  await sharing.serverRuns('one')
  await sharing.serverRuns('one')
  const often = world.clock.pending
  world.dispose()

  expect(once).toBe(1)
  expect(often).toBe(1)
})
