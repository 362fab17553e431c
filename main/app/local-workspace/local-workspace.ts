import { randomBytes, createHmac } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalPerson } from '#shared/domain/session.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryUsers, upsertUsers } from '#shared/wire/app.ts'
import { queryChannels, updateChannel } from '#shared/wire/channels.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { portraitRef } from '#main/cache/messages/media.ts'
import { Api } from '#main/engine/api/client.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '../../engine/session/token.ts'
import type { Host, SecretStore } from '#main/hosts/host.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import { CLIENT_NAME } from '../network/client-name.ts'
import { LocalServerSupervisor, type ServerHealth } from './local-server.ts'

/** User of the demo team that a first start signs in as: the first one of its seed. */
export const DEMO_PERSON = 'ola'
/** The folder of the demo. */
export const DEMO_PLACE = 'demo'
/** The fictional company of the demo team. */
export const DEMO_NAME = 'Cairn Maps'

type LocalWorkspaceOptions = {
  /** Name of its folder: `demo`, `own`, or `own-` and eight digits for further own workspaces. */
  readonly place: string
  readonly host: Pick<Host, 'paths' | 'ports' | 'secrets' | 'server' | 'log'>
  readonly lastPort: number
  readonly onPort: (port: number) => void
  readonly onHealth: (health: ServerHealth) => void
}

/**
 * A workspace on this device: its folder, its secret, its server process and its users. The signing secret and the tokens
 * signed with it stay in main.
 */
export type LocalWorkspace = {
  readonly place: string
  /** Waits for the server; starts it if necessary. */
  running(): Promise<string>
  /** Last known address, empty before the first start. */
  url(): string
  health(): ServerHealth
  apiKey(): Promise<string>
  /** A new token for a user, once the server runs. */
  tokenFor(userId: string): Promise<string>
  people(): Promise<readonly LocalPerson[]>
  addPerson(person: { readonly id: string; readonly name: string; readonly role: string }): Promise<void>
  /** Creates a user who joins the team channels. Once the user exists, a failing channel is only logged. */
  admit(person: { readonly id: string; readonly name: string }): Promise<void>
  retry(): void
  stop(): Promise<void>
  /** Stops the server and deletes the workspace with everything in it. */
  destroy(): Promise<void>
}

/** Users requested at once; a local team is small. See docs/wire.md 6.5. */
const PEOPLE = 100
/** See docs/wire.md 3.2 "POST /channels". */
const CHANNELS = 30
const SECRET_BYTES = 32
/** Suffix of a folder that is being deleted. */
const DELETING = '.gone'

/** At start: completes an interrupted deletion. */
export async function finishDeleting(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'workspaces')
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (name.endsWith(DELETING)) await rm(join(folder, name), { recursive: true, force: true })
}

export function createLocalWorkspace(options: LocalWorkspaceOptions): LocalWorkspace {
  const { place, host } = options
  const log = logger(`workspace-${place}`, host.log)
  const folder = join(host.paths.data, 'workspaces', place)
  const secret = remembered(host.secrets, `workspace/${place}/secret`, () =>
    randomBytes(SECRET_BYTES).toString('base64url'),
  )
  const apiKey = remembered(host.secrets, `workspace/${place}/api-key`, () => randomBytes(9).toString('hex'))

  const supervisor = new LocalServerSupervisor({
    start: async (port) =>
      host.server.start({
        dataFolder: folder,
        seed: place === DEMO_PLACE ? 'demo' : 'none',
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
    await supervisor.running()
    const token = mintToken(await secret(), { server: true }, host.ports.clock.now())
    return new Api({
      baseUrl: () => supervisor.url,
      apiKey: await apiKey(),
      clientName: CLIENT_NAME,
      tokens: createTokenManager({ kind: 'static', token }),
      serverClock: createServerClock(host.ports.clock),
      ports: host.ports,
    })
  }

  return {
    place,
    running: () => supervisor.running(),
    url: () => supervisor.url,
    health: () => supervisor.health,
    apiKey,
    async tokenFor(userId) {
      await supervisor.running()
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
    async admit({ id, name }) {
      const api = await serverApi()
      // Requested first: if this fails no user was created, and the call can be repeated.
      const rooms = await publicChannels(api)
      await api.send(upsertUsers, { body: { users: { [id]: { id, name } } } })
      for (const cid of rooms) await joinChannel(api, cid, id, log)
    },
    retry: () => supervisor.retry(),
    stop: () => supervisor.stop(),
    async destroy() {
      await supervisor.stop()
      // Renamed in one step, so that the next start never finds a half-deleted workspace; it deletes the renamed
      // folder.
      await rename(folder, folder + DELETING).catch(() => undefined)
      for (const each of [folder, folder + DELETING]) await rm(each, { recursive: true, force: true })
      await Promise.all([secret.forget(), apiKey.forget()])
    },
  }
}

/** Cids of the channels that every member of the team may join. */
async function publicChannels(api: Api): Promise<readonly string[]> {
  const rooms: string[] = []
  for (let offset = 0; ; offset += CHANNELS) {
    const { channels } = await api.send(queryChannels, {
      body: { filter_conditions: { type: 'team' }, limit: CHANNELS, offset, message_limit: 0, member_limit: 0 },
    })
    for (const { channel } of channels) {
      if (channel?.cid !== undefined && channel['private'] !== true) rooms.push(channel.cid)
    }
    if (channels.length < CHANNELS) return rooms
  }
}

async function joinChannel(api: Api, cid: string, userId: string, log: Logger): Promise<void> {
  try {
    await api.send(updateChannel, { params: splitCid(cid), body: { add_members: [userId] } })
  } catch (error) {
    // The user exists and can be added from within the app; failing now would make a retry create a second user.
    log.warn('join-failed', { cid, code: error instanceof AppError ? error.code : 'unknown' })
  }
}

function personOf(user: WireUser): LocalPerson {
  const title = user['title']
  return {
    id: asUserId(user.id),
    name: user.name ?? user.id,
    image: user.image ? portraitRef('user', user.id, user.image) : undefined,
    title: typeof title === 'string' ? title : undefined,
  }
}

/** A value created once and stored in the secret store. Concurrent callers share one creation. */
function remembered(secrets: SecretStore, name: string, make: () => string) {
  let known: Promise<string> | undefined
  async function load(): Promise<string> {
    const stored = await secrets.get(name)
    if (stored !== undefined) return stored
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

/** Owner of a token: a user, or the server token, which has all rights and never leaves main. */
type TokenOwner = { readonly userId: string } | { readonly server: true }

/** Life of a user's token. When it expires the token manager requests another without the user noticing. */
const TOKEN_LIFE_MS = 24 * 3_600_000

/**
 * Signs a token of a local workspace with HS256, see docs/wire.md 1.5.
 *
 * @param now epoch milliseconds
 */
function mintToken(secret: string, owner: TokenOwner, now: number): string {
  const issuedAt = Math.floor(now / 1_000)
  const claims =
    'userId' in owner
      ? { user_id: owner.userId, iat: issuedAt, exp: issuedAt + TOKEN_LIFE_MS / 1_000 }
      : { server: true, iat: issuedAt }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
