import { expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { SharingAction, WireSharing } from '#shared/wire/sharing.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { openSettings } from '#main/settings/store.ts'
import type { LocalWorkspace } from './local-workspace.ts'
import { Announcing } from './announcing.ts'
import { Discovery } from './discovery.ts'
import { NetworkSharing } from './sharing.ts'

const CLOSED: WireSharing = { addresses: [], approve: true, invitations: [], waiting: [], connected: [] }

test('a workspace whose server fails does not keep the others from moving to the new network', async () => {
  const world = new FakeHost()
  const store = openSettings(world.data, () => undefined, confFile)
  const refs = ['one', 'two'].map((place) => ({ kind: 'own' as const, userId: 'ann', name: place, place }))
  const wish = { on: true, port: 7_443, approve: true }
  store.saveProfile({ accounts: refs.map((ref) => ({ ref })), sharing: { one: wish, two: wish } })
  const sent: string[] = []
  const workspaceAt = (place: string): LocalWorkspace => {
    const send = (_endpoint: unknown, { body }: { body: SharingAction }): Promise<object> => {
      sent.push(`${place} ${body.action}`)
      if (place === 'one') return Promise.reject(new AppError('session/local-server-stopped'))
      return Promise.resolve({ sharing: CLOSED })
    }
    return {
      health: () => 'running',
      people: () => Promise.resolve([]),
      certificate: () => Promise.resolve({ cert: '', key: '' }),
      serverApi: () => Promise.resolve({ send }),
    } as unknown as LocalWorkspace
  }
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
  await sharing.networkChanged()
  world.dispose()

  expect(sent).toEqual(['one state', 'two state', 'two start'])
})
