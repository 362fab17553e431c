import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalPerson } from '#shared/domain/session.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { queryUsers, upsertUsers } from '#shared/wire/app.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { portraitRef } from '#main/cache/tables/media.ts'
import { createApi } from '#main/engine/api/client.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '#main/engine/session/token-manager.ts'
import type { Host, SecretStore } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import { CLIENT_NAME } from './client-name.ts'
import { ServerKeeper, type ServerHealth } from './local-server.ts'
import { mintToken } from './local-token.ts'

export type LocalKind = 'demo' | 'own'

/** The person of the demo team that a first start is signed in as: the first one of its seed. */
export const DEMO_PERSON = 'ola'
/** The invented company of the demo team. */
export const DEMO_NAME = 'Cairn Maps'

export type LocalWorkspaceOptions = {
  readonly kind: LocalKind
  readonly host: Pick<Host, 'paths' | 'ports' | 'secrets' | 'server' | 'log'>
  readonly lastPort: number
  readonly onPort: (port: number) => void
  readonly onHealth: (health: ServerHealth) => void
}

/**
 * A workspace on this computer: its folder, its secret, its server process and the people in it. The signing secret and
 * the tokens made with it stay in main.
 */
export type LocalWorkspace = {
  readonly kind: LocalKind
  /** Waits for the server, starting it if need be. */
  running(): Promise<string>
  /** Last known address, empty before the first start. */
  url(): string
  health(): ServerHealth
  apiKey(): Promise<string>
  /** A new token for a person, once the server runs. */
  tokenFor(userId: string): Promise<string>
  people(): Promise<readonly LocalPerson[]>
  addPerson(person: { readonly id: string; readonly name: string; readonly role: string }): Promise<void>
  retry(): void
  stop(): Promise<void>
  /** Stops the server and deletes the workspace with everything in it. */
  destroy(): Promise<void>
}

/** People asked for at once; a local team is small. Source: wire contract 6.5. */
const PEOPLE = 100
const SECRET_BYTES = 32

export function createLocalWorkspace(options: LocalWorkspaceOptions): LocalWorkspace {
  const { kind, host } = options
  const log = logger(`workspace-${kind}`, host.log)
  const folder = join(host.paths.data, 'workspaces', kind)
  const secret = remembered(host.secrets, `workspace/${kind}/secret`, () =>
    randomBytes(SECRET_BYTES).toString('base64url'),
  )
  const apiKey = remembered(host.secrets, `workspace/${kind}/api-key`, () => randomBytes(9).toString('hex'))

  const keeper = new ServerKeeper({
    start: async (port) =>
      host.server.start({
        dataFolder: folder,
        seed: kind === 'demo' ? 'demo' : 'none',
        apiKey: await apiKey(),
        secret: await secret(),
        port,
      }),
    lastPort: options.lastPort,
    onPort: options.onPort,
    onHealth: options.onHealth,
    clock: host.ports.clock,
    ids: host.ports.ids,
    log,
  })

  async function serverApi() {
    await keeper.running()
    const token = mintToken(await secret(), { server: true }, host.ports.clock.now())
    return createApi({
      baseUrl: () => keeper.url,
      apiKey: await apiKey(),
      clientName: CLIENT_NAME,
      tokens: createTokenManager({ kind: 'static', token }),
      serverClock: createServerClock(host.ports.clock),
      ports: host.ports,
    })
  }

  return {
    kind,
    running: () => keeper.running(),
    url: () => keeper.url,
    health: () => keeper.health,
    apiKey,
    async tokenFor(userId) {
      await keeper.running()
      return mintToken(await secret(), { userId }, host.ports.clock.now())
    },
    async people() {
      const api = await serverApi()
      const { users } = await api.send(queryUsers, { query: { payload: { filter_conditions: {}, limit: PEOPLE } } })
      return users.filter((user) => user['bot'] !== true).map(personOf)
    },
    async addPerson({ id, name, role }) {
      const api = await serverApi()
      await api.send(upsertUsers, { body: { users: { [id]: { id, name, role } } } })
    },
    retry: () => keeper.retry(),
    stop: () => keeper.stop(),
    async destroy() {
      await keeper.stop()
      await rm(folder, { recursive: true, force: true })
      await Promise.all([secret.forget(), apiKey.forget()])
    },
  }
}

function personOf(user: WireUser): LocalPerson {
  const title = user['title']
  return {
    id: asUserId(user.id),
    name: user.name ?? user.id,
    ...(user.image ? { image: portraitRef('user', user.id, user.image) } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  }
}

/** A value made once and kept in the secret store. Asked at the same time by many, it is still made once. */
function remembered(secrets: SecretStore, name: string, make: () => string) {
  let known: Promise<string> | undefined
  async function load(): Promise<string> {
    const kept = await secrets.get(name)
    if (kept !== undefined) return kept
    const made = make()
    await secrets.set(name, made)
    return made
  }
  return Object.assign(() => (known ??= load()), {
    async forget() {
      known = undefined
      await secrets.remove(name)
    },
  })
}
