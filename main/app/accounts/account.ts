import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { openStores, type Store, type StoreOptions, type Stores } from '#main/cache/files/open.ts'
import { inlineWorker, threadWorker, type CacheWorker } from '#main/cache/worker.ts'
import { Api } from '#main/engine/api/client.ts'
import type { ServerAccess } from '#main/engine/context.ts'
import type { Engine, EngineOptions, ServerApp } from '#main/engine/engine.ts'
import { type HttpPort, TransportError } from '#main/engine/ports.ts'
import { createConnection } from '#main/engine/realtime/connection.ts'
import {
  type ConnectionControl,
  type ConnectionHandlers,
  websocketTransport,
  longpollTransport,
} from '#main/engine/realtime/transport.ts'
import { createServerClock, type ServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager, type TokenManager, type TokenSource } from '../../engine/session/token.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { createServerApi, CLIENT_NAME } from '../network/server-token.ts'
import { readCredential, sourceOf } from './credential.ts'
import { UNNAMED_SERVER } from './hosted.ts'
import { DEMO_NAME, type LocalWorkspace } from '../local-workspace/local-workspace.ts'

/** Everything that is open for one signed-in user. */
export type Account = {
  readonly ref: AccountRef
  /** Name of its folder, which identifies the account. */
  readonly key: string
  readonly folder: string
  readonly engine: Engine
  readonly api: Api
  /** Current address of its server. */
  readonly baseUrl: () => string
  readonly workspace: LocalWorkspace | undefined
  networkChanged(kind: 'offline' | 'online' | 'resumed'): void
  /** Calls with the events that the server sends, after the engine has applied them. */
  onEvents(listener: EventsListener): Stop
  stop(): Promise<void>
}

type EventsListener = ConnectionHandlers['onEvents']

export type AccountOptions = {
  readonly ref: AccountRef
  readonly host: Pick<Host, 'paths' | 'ports' | 'log' | 'commands'>
  readonly openEngine: (options: EngineOptions) => Engine
  /** Its local workspace; absent for a hosted account. */
  readonly workspace: LocalWorkspace | undefined
  /**
   * Credential of a hosted account, as {@link writeCredential} wrote it. Empty if it was deleted: then the server rejects the
   * account, and the user has to sign in.
   */
  readonly credential: string
  readonly apiKey: string
  /** What its workspace is called, if not as the account says. */
  readonly workspaceName?: string
  /** The API secret of a hosted server, if the user stored it. */
  readonly apiSecret?: string
  readonly settings: Settings
  readonly installId: string | undefined
  readonly onInstallId: (id: string) => void
  /** One of its files is damaged: it has to be opened again, which repairs it. Called once. */
  readonly onDamage?: () => void
  /** What the server of a hosted account says of its workspace. */
  readonly onServerApp?: (app: ServerApp) => void
}

/**
 * Folder name of an account: always the same for the same server, key and user. A local workspace is identified by its
 * folder, because its port and key may change, and a joined one by its certificate, because its address may. The kind is the prefix, so that all demo accounts can be deleted.
 */
export function accountKey(ref: AccountRef): string {
  const known = keys.get(ref)
  if (known !== undefined) return known
  const server = ref.kind !== 'hosted' ? [placeOf(ref)] : ref.certificate ? [ref.certificate] : [ref.url, ref.apiKey]
  const hash = createHash('sha256').update(JSON.stringify([...server, ref.userId]))
  const key = `${ref.kind}-${hash.digest('hex').slice(0, 24)}`
  keys.set(ref, key)
  return key
}

/** Every commit asks for those of all accounts, several times. */
const keys = new WeakMap<AccountRef, string>()

/** The folder of the local workspace of an account. */
export const placeOf = (ref: Exclude<AccountRef, { kind: 'hosted' }>): string =>
  ref.kind === 'own' ? (ref.place ?? 'own') : ref.kind

export const accountFolder = (dataFolder: string, key: string): string => join(dataFolder, 'accounts', key)

type ApiParts = Pick<ConstructorParameters<typeof Api>[0], 'baseUrl' | 'tokens' | 'serverClock'>

const createApi = ({ apiKey, ref, host }: AccountOptions, parts: ApiParts): Api =>
  new Api({ ...parts, apiKey, userId: ref.userId, clientName: CLIENT_NAME, ports: host.ports })

/**
 * Opens the databases, creates the engine and starts it, without waiting for the network. If it throws, no file stays
 * open.
 */
export function openAccount(given: AccountOptions): Account {
  const { ref, workspace } = given
  const host = trusting(ref, given.host)
  const options = { ...given, host }
  const key = accountKey(ref)
  const folder = accountFolder(host.paths.data, key)
  const baseUrl = (): string => (ref.kind === 'hosted' ? ref.url : (workspace?.url() ?? ''))
  let renewalFails = false
  // A local workspace issues its own tokens; its problems are reported differently.
  const tokens = createTokenManager(tokenSource(options), (came) => {
    if (workspace || came !== renewalFails) return
    renewalFails = !came
    engine.publish({ renewalFails })
  })
  const serverClock = createServerClock(host.ports.clock, (offsetMs) => notifyClockSkew(engine, offsetMs))
  const api = createApi(options, { baseUrl, tokens, serverClock })
  let connection: ConnectionControl | undefined
  const onUntrusted = strangerNotice(ref, () => engine)
  const listeners = new Set<EventsListener>()
  let opened: Stores | undefined
  const { cacheWorker } = host.paths
  const engineOptions: EngineOptions = {
    ports: host.ports,
    account: { userId: asUserId(ref.userId) },
    openStores: (onCommit, disk) =>
      (opened = openAccountStores(options, { folder, onCommit, disk, serverNow: () => serverClock.now() })),
    openWorker: cacheWorker === undefined ? undefined : (cache: Store) => workerFor(cacheWorker, cache, options),
    api,
    server: serverAccess(options, baseUrl),
    connect: (handlers) =>
      (connection = connect({ options, baseUrl, tokens, serverClock, api, listeners, onUntrusted }, handlers)),
    serverNow: () => serverClock.now(),
    stagingFolder: join(folder, 'staging'),
    session: sessionOf(ref, baseUrl(), options.workspaceName),
    settings: options.settings,
    onServerApp: options.onServerApp,
  }
  const engine = createOrClose(options, engineOptions, () => opened)
  notifyRepairs(engine, engine.stores)
  engine.start()
  return {
    ref,
    key,
    folder,
    engine,
    api,
    baseUrl,
    workspace,
    networkChanged(kind) {
      if (kind === 'online') engine.onActivity()
      if (kind === 'resumed') serverClock.woke()
      if (kind === 'offline') connection?.networkOffline()
      else if (kind === 'online') connection?.networkOnline()
      else connection?.resumed()
      if (kind === 'resumed') engine.woke()
    },
    onEvents(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => engine.stop(),
  }
}

function openAccountStores(
  { ref, host, installId, onDamage, onInstallId }: AccountOptions,
  given: Pick<StoreOptions, 'folder' | 'serverNow' | 'onCommit' | 'disk'>,
): Stores {
  const { clock, ids } = host.ports
  const stores = openStores({
    ...given,
    viewerId: asUserId(ref.userId),
    clock,
    ids,
    log: host.log,
    isGuest: isGuest(ref),
    onDamage,
    ...(installId === undefined ? {} : { installId }),
  })
  if (stores.report.installId !== installId) onInstallId(stores.report.installId)
  return stores
}

/** Requests to the server of a joined account trust its certificate alone; others are as everywhere. */
export function trusting<Outside extends Pick<Host, 'ports'>>(ref: AccountRef, host: Outside): Outside {
  if (ref.kind !== 'hosted' || ref.certificate === undefined) return host
  const certificate = ref.trusts ?? ref.certificate
  const own = new URL(ref.url).host
  const certificateFor = (url: string): string | undefined => (new URL(url).host === own ? certificate : undefined)
  const { http, sockets } = host.ports
  return {
    ...host,
    ports: {
      ...host.ports,
      http: {
        request: (request) => http.request({ ...request, certificate: certificateFor(request.url) }),
        download: (request, toPath, maxBytes) =>
          http.download({ ...request, certificate: certificateFor(request.url) }, toPath, maxBytes),
      },
      sockets: { open: (url, handlers) => sockets.open(url, handlers, certificateFor(url)) },
    },
  }
}

function serverAccess(options: AccountOptions, baseUrl: () => string): ServerAccess | undefined {
  const { workspace, apiKey, apiSecret: secret, host, ref } = options
  const usedBy = ref.userId
  if (workspace) {
    return {
      source: 'owner',
      api: () => workspace.serverApi(usedBy),
      issueToken: async (userId, lifeMs) => ({
        token: await workspace.tokenFor(userId, lifeMs),
        url: workspace.url(),
        apiKey: await workspace.apiKey(),
        expiresAt: host.ports.clock.now() + lifeMs,
      }),
    }
  }
  if (secret === undefined) return undefined
  const api = createServerApi({ baseUrl, apiKey, secret, usedBy }, host.ports)
  return { source: 'secret', api: () => Promise.resolve(api) }
}

/** Closes the databases if the engine cannot be created, so that the account can be opened again. */
function createOrClose(
  { openEngine }: AccountOptions,
  options: EngineOptions,
  stores: () => Stores | undefined,
): Engine {
  try {
    return openEngine(options)
  } catch (error) {
    stores()?.close()
    throw error
  }
}

const workerFor = (entry: string, cache: Store, { ref, host }: AccountOptions): CacheWorker =>
  // On a full disk a second connection cannot open the file.
  cache.isAlone
    ? inlineWorker(cache)
    : threadWorker(
        entry,
        { path: cache.path, viewerId: asUserId(ref.userId) },
        host.ports.clock,
        logger('cache-worker', host.log),
      )

type Wiring = {
  readonly options: AccountOptions
  readonly baseUrl: () => string
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  readonly api: Api
  readonly listeners: ReadonlySet<EventsListener>
  /** The server shows a certificate that is not trusted. */
  readonly onUntrusted: () => void
}

/** The realtime connection; it passes the connection id to the api, for watching. */
function connect(wiring: Wiring, handlers: ConnectionHandlers): ConnectionControl {
  const { options, baseUrl, tokens, serverClock, api, listeners, onUntrusted } = wiring
  const { ports } = options.host
  const server = { baseUrl, apiKey: options.apiKey, clientName: CLIENT_NAME, clock: ports.clock }
  const { http, ids, log, sockets } = ports
  let connectionId: string | undefined
  return createConnection({
    ports,
    transport: websocketTransport({ ...server, sockets }),
    probe: () => respondsAt(http, baseUrl(), onUntrusted),
    // Nothing blocks websockets within this device, so a local workspace needs no fallback.
    fallback: options.workspace
      ? undefined
      : longpollTransport({ ...server, userId: options.ref.userId, http, ids, log }),
    tokens,
    serverClock,
    user: { id: options.ref.userId, ...(isGuest(options.ref) ? { anon: true } : {}) },
    handlers: {
      ...handlers,
      onEvents(events) {
        handlers.onEvents(events)
        for (const listener of listeners) listener(events)
      },
      onState(connection, silentMs) {
        api.setConnectionId(connection.state === 'healthy' ? connectionId : undefined)
        handlers.onState(connection, silentMs)
      },
      onHealthy(healthy) {
        connectionId = healthy.connectionId
        api.setConnectionId(connectionId)
        handlers.onHealthy(healthy)
      },
    },
  })
}

const PROBE_LIMIT_MS = 3_000

/** Whether the server itself responds, and not a proxy or a captive portal. */
async function respondsAt(http: HttpPort, baseUrl: string, onUntrusted: () => void): Promise<boolean> {
  if (baseUrl === '') return false
  try {
    const { status } = await http.request({ method: 'HEAD', url: baseUrl, headers: {}, timeoutMs: PROBE_LIMIT_MS })
    return status < 300 || (status >= 400 && status < 500 && status !== 407)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    if (error.kind === 'certificate') onUntrusted()
    return false
  }
}

/** A local token can be issued once the server runs, so every caller waits for the server by waiting for the token. */
function tokenSource({ ref, workspace, credential, host }: AccountOptions): TokenSource {
  if (workspace) return { kind: 'provider', load: () => workspace.tokenFor(ref.userId) }
  if (isGuest(ref)) return { kind: 'anonymous' }
  return sourceOf(readCredential(credential), ref.userId, host)
}

export function sessionOf(ref: AccountRef, url: string, name?: string): Session {
  const workspace =
    ref.kind === 'hosted'
      ? { kind: 'hosted' as const, name: name ?? nameOfAddress(ref.url), demo: false, url: ref.url }
      : ref.kind === 'demo'
        ? { kind: 'local' as const, name: name ?? DEMO_NAME, demo: true, url }
        : { kind: 'local' as const, name: name ?? ref.name, founded: ref.name, demo: false, url }
  return {
    state: 'signed-in',
    workspace,
    userId: asUserId(ref.userId),
    account: accountKey(ref),
    guest: isGuest(ref) ? (true as const) : undefined,
  }
}

const ADDRESS = /^(?:localhost|[\d.]+|\[.*\])$/

/** A server without a name: its host, or the program and the port where the host is a number and not a name. */
function nameOfAddress(url: string): string {
  const { host, hostname, port } = new URL(url)
  return ADDRESS.test(hostname) ? `${UNNAMED_SERVER} ${port}`.trim() : host
}

/** Signed in without a token, for reading only. */
export const isGuest = (ref: AccountRef): boolean => ref.kind === 'hosted' && ref.guest === true

/** Another device answers at the address of a shared workspace: said once, and never connected to. */
function strangerNotice(ref: AccountRef, engine: () => Engine): () => void {
  let isShown = false
  return () => {
    if (isShown || ref.kind !== 'hosted' || ref.certificate === undefined) return
    isShown = true
    engine().notify({ code: 'join/changed', type: 'local:certificate:changed', severity: 'error', lasting: true })
  }
}

function notifyClockSkew(engine: Engine, offsetMs: number): void {
  engine.notify({
    code: 'session/clock-skew',
    params: { minutes: Math.round(Math.abs(offsetMs) / 60_000) },
    type: 'local:clock:skew',
    severity: 'warning',
  })
}

/** Notifies of damage that was repaired while opening an account. */
function notifyRepairs(engine: Pick<Engine, 'notify'>, { report, copied }: Stores): void {
  const { cache, outbox } = report
  if (copied) {
    const code = copied.reason === 'disk/full' ? 'store/no-room' : 'store/reading-only'
    engine.notify({ code, type: 'local:store:reading-only', severity: 'warning', lasting: true })
  }
  if (outbox.state === 'salvaged') {
    engine.notify({
      code: 'store/outbox-salvaged',
      params: { recovered: outbox.recovered, missing: outbox.missing },
      type: 'local:outbox:salvaged',
      severity: outbox.missing > 0 ? 'error' : 'warning',
    })
  }
  if (cache.state === 'rebuilt') {
    const code = cache.problem === 'missing' ? 'store/cache-gone' : 'store/cache-rebuilt'
    engine.notify({ code, type: 'local:cache:rebuilt', severity: 'info' })
  }
}
