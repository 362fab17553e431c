import { randomBytes, KeyObject, X509Certificate } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import type { LocalPerson } from '#shared/domain/session.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { GENERAL_ID, splitCid } from '#shared/rules/channels/channels.ts'
import { queryUsers, upsertUsers } from '#shared/wire/app.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { uploadLooseImage } from '#shared/wire/uploads.ts'
import { updateUsersPartial } from '#shared/wire/users.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { pictureRef } from '#main/cache/messages/media.ts'
import type { Api } from '#main/engine/api/client.ts'
import { CHANNEL_TYPE, notesOf } from '#main/engine/features/channels/calls.ts'
import { joinChannels, publicChannels } from '#main/engine/features/manage/directory/people.ts'
import { sendSmall } from '#main/engine/features/uploads/staging.ts'
import type { Host, SecretStore } from '#main/hosts/host.ts'
import { logger, type Logger } from '#main/lib/logger.ts'
import { createServerApi, createUserApi, mintToken } from '../network/server-token.ts'
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
  /** Someone waits to join on the network, comes or goes. */
  readonly onSharing: () => void
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
  /** Requests with the server token, once the server runs. */
  serverApi(usedBy?: string): Promise<Api>
  /** Requests as a user, once the server runs. */
  userApi(userId: string): Promise<Api>
  /** A new token for a user, once the server runs; valid for a day, or for this long. */
  tokenFor(userId: string, lifeMs?: number): Promise<string>
  people(): Promise<readonly LocalPerson[]>
  addPerson(person: { readonly id: string; readonly name: string; readonly role: string }): Promise<void>
  /** Opens an empty workspace for its owner: #general for everyone, and their notes to self. */
  begin(ownerId: string): Promise<void>
  /** Creates a user who joins the team channels. Once the user exists, a failing channel is only logged. */
  admit(person: { readonly id: string; readonly name: string; readonly role?: string }): Promise<void>
  /** Sets the picture of a user. One that the server refuses is only logged: the user can choose it again. */
  setPicture(userId: string, picture: SmallPicture): Promise<void>
  retry(): void
  stop(): Promise<void>
  /** Stops the server, and keeps it stopped until it is released: its folder does not change meanwhile. */
  hold(): Promise<void>
  release(): void
  readonly folder: string
  /** Its keys and what people trust, for whoever it moves to. */
  keys(): Promise<WorkspaceKeys>
  /** Takes the keys that it had on the device that it came from. Called before anything asks for them. */
  takeKeys(keys: WorkspaceKeys): Promise<void>
  /** The certificate with which it is shared on the network; made when it is first needed. */
  certificate(): Promise<OwnCertificate>
  /** Stops the server and deletes the workspace with everything in it. */
  destroy(): Promise<void>
}

type WorkspaceKeys = { readonly apiKey: string; readonly secret: string }

/** The channel that every own workspace begins with. */
const GENERAL = { type: CHANNEL_TYPE, id: GENERAL_ID }
/** Users requested at once; a local team is small. See docs/wire.md 6.5. */
const PEOPLE = 100
/** See docs/wire.md 3.2 "POST /channels". */
const SECRET_BYTES = 32
const certificateSchema = v.object({ cert: v.string(), key: v.string() })
/** Suffix of a folder that is being deleted. */
const DELETING = '.gone'

/** The name of the secret with which the device that has the workspace now tells this one where it is. */
export const movedSecret = (place: string): string => `workspace/${place}/moved`
/** The name of the secret about the device that the workspace came from. */
export const cameSecret = (place: string): string => `workspace/${place}/came`

async function forgetMoves(secrets: SecretStore, place: string): Promise<void> {
  for (const name of [movedSecret(place), cameSecret(place)]) await secrets.remove(name)
}

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
  const certificate = remembered(host.secrets, `workspace/${place}/certificate`, async () =>
    JSON.stringify(await createCertificate(host.ports.clock.now())),
  )
  const apiKey = remembered(host.secrets, `workspace/${place}/api-key`, () => randomBytes(9).toString('hex'))

  const supervisor = superviseServer(options, folder, { apiKey, secret, log })

  async function serverApi(usedBy?: string): Promise<Api> {
    await supervisor.running()
    return createServerApi(
      { baseUrl: () => supervisor.url, apiKey: await apiKey(), secret: await secret(), usedBy },
      host.ports,
    )
  }

  async function userApi(userId: string): Promise<Api> {
    await supervisor.running()
    const server = { baseUrl: supervisor.url, apiKey: await apiKey(), secret: await secret() }
    return createUserApi(userId, server, host.ports)
  }

  return {
    place,
    running: () => supervisor.running(),
    url: () => supervisor.url,
    health: () => supervisor.health,
    apiKey,
    serverApi,
    userApi,
    async tokenFor(userId, lifeMs) {
      await supervisor.running()
      return mintToken(await secret(), { userId, lifeMs }, host.ports.clock.now())
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
    begin: (ownerId) => createRooms(serverApi, ownerId, log),
    async admit({ id, name, role }) {
      const api = await serverApi()
      // Requested first: if this fails no user was created, and the call can be repeated.
      const rooms = await publicChannels(api)
      await api.send(upsertUsers, { body: { users: { [id]: { id, name, role } } } })
      await joinChannels(api, rooms, id, { onRefused: (cid, code) => log.warn('join-failed', { cid, code }) })
    },
    async setPicture(userId, picture) {
      const api = await serverApi()
      const own = await userApi(userId)
      await changePicture({ api, own, userId, staging: { ports: host.ports, stagingFolder: folder }, log }, picture)
    },
    certificate: async () => v.parse(certificateSchema, JSON.parse(await certificate())),
    retry: () => supervisor.retry(),
    stop: () => supervisor.stop(),
    hold: () => supervisor.hold(),
    release: () => supervisor.release(),
    folder,
    keys: async () => ({ apiKey: await apiKey(), secret: await secret() }),
    takeKeys: async (keys) => void (await Promise.all([secret.take(keys.secret), apiKey.take(keys.apiKey)])),
    async destroy() {
      await supervisor.stop()
      // Renamed in one step, so that the next start never finds a half-deleted workspace; it deletes the renamed
      // folder.
      await rename(folder, folder + DELETING).catch(() => undefined)
      for (const each of [folder, folder + DELETING]) await rm(each, { recursive: true, force: true })
      await Promise.all([secret.forget(), apiKey.forget(), certificate.forget(), forgetMoves(host.secrets, place)])
    },
  }
}

type Keys = { readonly apiKey: () => Promise<string>; readonly secret: () => Promise<string>; readonly log: Logger }

function superviseServer(
  { place, host, lastPort, onPort, onHealth, onSharing }: LocalWorkspaceOptions,
  dataFolder: string,
  { apiKey, secret, log }: Keys,
): LocalServerSupervisor {
  const { clock, ids } = host.ports
  const seed = place === DEMO_PLACE ? 'demo' : 'none'
  return new LocalServerSupervisor({
    async start(port) {
      const server = await host.server.start({ dataFolder, seed, apiKey: await apiKey(), secret: await secret(), port })
      server.onSharing?.(onSharing)
      return server
    },
    lastPort,
    onPort,
    onHealth,
    clock,
    ids,
    log,
  })
}

/** The channel for everyone, and the owner's notes. The workspace works without them; both can be created by hand. */
async function createRooms(serverApi: () => Promise<Api>, ownerId: string, log: Logger): Promise<void> {
  const rooms = [
    { params: GENERAL, data: { name: GENERAL.id } },
    { params: splitCid(notesOf(asUserId(ownerId))), data: {} },
  ]
  try {
    const api = await serverApi()
    for (const { params, data } of rooms) {
      const body = { data: { ...data, members: [ownerId], created_by_id: ownerId } }
      await api.send(queryChannel, { params, body })
    }
  } catch (error) {
    log.warn('rooms-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}

type PictureParts = {
  readonly api: Api
  /** Requests as the user: the file is theirs. */
  readonly own: Api
  readonly userId: string
  readonly staging: Parameters<typeof sendSmall>[0]
  readonly log: Logger
}

async function changePicture({ api, own, userId, staging, log }: PictureParts, picture: SmallPicture): Promise<void> {
  try {
    await sendSmall(staging, 'portrait', picture, async (file) => {
      const { file: image } = await own.upload(uploadLooseImage, { file })
      await api.send(updateUsersPartial, { body: { users: [{ id: userId, set: { image } }] } })
    })
  } catch (error) {
    log.warn('picture-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}

function personOf(user: WireUser): LocalPerson {
  const title = user['title']
  return {
    id: asUserId(user.id),
    name: user.name ?? user.id,
    image: user.image ? pictureRef('user', user.id, user.image) : undefined,
    title: typeof title === 'string' ? title : undefined,
  }
}

/** A value created once and stored in the secret store. Concurrent callers share one creation. */
function remembered(secrets: SecretStore, name: string, make: () => string | Promise<string>) {
  let known: Promise<string> | undefined
  async function load(): Promise<string> {
    const stored = await secrets.get(name)
    if (stored !== undefined) return stored
    const made = await make()
    await secrets.set(name, made)
    return made
  }
  return Object.assign(() => (known ??= load()), {
    async take(value: string) {
      await secrets.set(name, value)
      known = Promise.resolve(value)
    },
    async forget() {
      known = undefined
      await secrets.remove(name)
    },
  })
}

/** PEM. */
export type OwnCertificate = { readonly cert: string; readonly key: string }

/** A clock that is a day behind still accepts it. */
const EARLIER_MS = 86_400_000
/** It is trusted by its fingerprint, so its end protects nobody: longer than a device is used. */
const YEARS = 30
const COMMON_NAME = '2.5.4.3'
const SERIAL_BYTES = 16
/** Dates after 2049 do not fit into the older form. */
const GENERALIZED_TIME = 1

/** A new key with a self-signed certificate. Nobody checks its name: see ADR 45. */
export async function createCertificate(now: number): Promise<OwnCertificate> {
  // Loaded when someone shares for the first time: the libraries are big.
  const [{ AttributeTypeAndValue, Certificate }, { Integer, Utf8String }] = await Promise.all([
    import('pkijs'),
    import('asn1js'),
  ])
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const serial = randomBytes(SERIAL_BYTES)
  // Positive, and without leading zeros.
  serial[0] = ((serial.at(0) ?? 0) % 64) | 64
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: new Uint8Array(serial).buffer }),
  })
  const name = new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: 'Parlor' }) })
  certificate.subject.typesAndValues.push(name)
  certificate.issuer.typesAndValues.push(name)
  // Whole seconds: OpenSSL refuses a date with a fraction.
  const begin = Math.floor(now / 1_000) * 1_000
  certificate.notBefore.value = new Date(begin - EARLIER_MS)
  const end = new Date(begin)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  certificate.notAfter.value = end
  certificate.notAfter.type = GENERALIZED_TIME
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  return {
    cert: new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString(),
    key: KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
