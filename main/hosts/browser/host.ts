import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm, readFile } from 'node:fs/promises'
import type { Server, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { type HostInfo, MAX_FRAME_BYTES } from '#shared/bridge/transport.ts'
import type { Managed } from '#shared/domain/desktop/policies.ts'
import { placeQuery, type WindowPlace } from '#shared/bridge/window-place.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { createServer } from '#main/lib/node-http.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { type Logger, logger, type LogSink } from '#main/lib/logger.ts'
import type { Host, MediaFile, WindowCapability, WindowRequests } from '../host.ts'
import { fileSecrets, noFileSecrets } from '../node/secrets-file.ts'
import { forkedServer, localServers } from '../node/local-server.ts'
import { nodeCommands, systemName } from '../node/commands.ts'
import { nodeFolders } from '../node/folders.ts'
import { nodePorts } from '../node/ports.ts'
import { createProxies, nodeNetwork } from '../node/network.ts'
import { thisOs } from '../node/profile.ts'
import { readManifest } from '../node/renderer-files.ts'
import { confFile } from '../node/settings-file.ts'
import { externalDecision } from '../rules/pages/navigation.ts'
import { Access, CODE_LIFETIME_MS, MediaLinks, type StoredPageSession, PagesFile, MEDIA_PATH } from './access.ts'
import { servePage, PageWindows } from './bridge-ws.ts'
import { findBrowser, showFile, systemOpener, writeRedirectFile, type Browser } from './open-page.ts'
import {
  mimeTypeOf,
  resolvePath,
  type Manifest,
  commonHeaders,
  pageHeaders,
  mediaAnswer,
} from '../rules/pages/serving.ts'

/** Without a page for this long the app ends, unless `stay` is set. */
const IDLE_EXIT_MS = 10 * 60_000
/** The app window we started was closed, so no page will come back. */
const WINDOW_CLOSED_EXIT_MS = 2_000

type BrowserHostOptions = {
  readonly version: string
  readonly paths: Host['paths']
  /** The local server's program: a source or a built file. */
  readonly serverEntry: string
  readonly log: LogSink
  readonly clock: Clock
  /** Show pages in a browser; otherwise their addresses are given to `announce`. */
  readonly show: boolean
  /** Keep running without pages. */
  readonly stay: boolean
  /** Called with the address of a window that a person or a script has to open. */
  readonly announce: (url: string, asUserId: string | undefined) => void
  readonly onIdle: () => void
  /** Policies of this device. */
  readonly managed?: Managed
  readonly requests: WindowRequests
}

export type BrowserHost = {
  readonly host: Host
  readonly port: number
  /** An address with a reusable code: valid while the process runs. */
  reusableUrl(asUserId?: string): string
  stop(): Promise<void>
}

/** Starts listening on 127.0.0.1 and gives the app its windows, which are pages in whatever browser opens them. */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { clock, log: sink, requests } = options
  const log = logger('browser-host', sink)
  const policies = options.managed?.values ?? {}
  const info = hostInfo(options.version, options.managed)
  const media = new MediaLinks(clock, randomBytes)
  const proxies = createProxies()
  const idle = idleTimer(options)
  const windows = new PageWindows(clock, randomBytes(6).toString('hex'), (window) => {
    requests.closed(window)
    if (windows.size === 0) idle.start(IDLE_EXIT_MS)
  })
  const findMedia = async (path: string): Promise<MediaFile | undefined | 'refused'> => {
    const grant = media.read(path)
    const window = grant && windows.get(grant.windowId)
    if (!grant || !window || window.session.id !== grant.sessionId) return 'refused'
    return requests.media(window, grant.ref, grant.variant)
  }
  const manifest = readManifest(options.paths.renderer)
  // Redirect files of a run that was killed: their codes are invalid, and no other process has this profile open.
  await rm(join(options.paths.data, 'run'), { recursive: true, force: true })
  const server = createServer()
  const { port, access, pages } = await listenForPages(server, options, log)
  answerRequests(server, { port, rendererFolder: options.paths.renderer, manifest, findMedia }, log)
  const sockets = acceptPages(server, port, (socket) => {
    idle.stop()
    servePage(socket, { clock, log, access, windows, media, info, onCall: (...args) => requests.call(...args) })
  })
  const openings = new PageOpenings(options, info.os, { port, access, windows, idle })
  return {
    host: {
      info,
      paths: options.paths,
      log: sink,
      ports: nodePorts(sink, proxies),
      openSettingsFile: confFile,
      commands: nodeCommands,
      systemName: () => systemName(info.os, nodeCommands),
      network: nodeNetwork(proxies),
      // A file can be read by anyone with access to the disk: then they last for this run only.
      secrets:
        policies.RequireEncryptedSecrets === true ? noFileSecrets(options.paths.data) : fileSecrets(options.paths.data),
      windows: {
        open: (what) => openings.open(what),
        // A page cannot raise its own window; its title shows the message.
        focus: () => undefined,
      },
      server: localServers(forkedServer(options.serverEntry)),
      external: policies.AllowExternalLinks === false ? CLOSED : externalOpener(clock, info.os),
      folders: nodeFolders(systemOpener(info.os)),
    },
    port,
    reusableUrl: (asUserId) => openings.reusableUrl(asUserId),
    async stop() {
      idle.stop()
      windows.closeAll()
      for (const socket of sockets.clients) socket.close(1_001)
      await closeServer(server, sockets)
      await pages.settled()
      await openings.closeAll()
    },
  }
}

/** Listens where open pages look for the program, and lets their sessions in again. */
async function listenForPages(
  server: Server,
  { paths, managed, clock }: BrowserHostOptions,
  log: Logger,
): Promise<{ readonly port: number; readonly access: Access; readonly pages: PagesFile }> {
  const pages = new PagesFile(join(paths.data, 'pages.json'))
  const before = await pages.read()
  const port = await listen(server, before?.port)
  // A page looks for us at the last port; at another one its session is invalid. A file can be read by anyone with
  // access to the disk.
  const mayStore = managed?.values.RequireEncryptedSecrets !== true
  const stored = before?.port === port && mayStore ? before.sessions : []
  const store = (sessions: readonly StoredPageSession[]): void => {
    pages.write({ port, sessions: mayStore ? [...sessions] : [] }).catch((error: unknown) => {
      log.error('pages-not-saved', { reason: String(error) })
    })
  }
  // Before any page connects: the next start has to find the port even after a crash.
  store(stored)
  await pages.settled()
  return { port, access: new Access(clock, randomBytes, stored, store), pages }
}

function answerRequests(server: Server, files: Parameters<typeof answerHttp>[2], log: Logger): void {
  server.on('request', (request, response) => {
    answerHttp(request, response, files).catch((error: unknown) => {
      log.error('request-failed', { reason: String(error) })
      if (response.headersSent) response.destroy()
      else endEmpty(response, 500)
    })
  })
}

type OpeningParts = {
  readonly port: number
  readonly access: Access
  readonly windows: PageWindows
  readonly idle: { start(ms: number): void }
}

/** Opens pages in a browser, or announces their addresses. */
class PageOpenings {
  readonly #options: BrowserHostOptions
  readonly #os: HostInfo['os']
  readonly #parts: OpeningParts
  /** Each closes one window that was opened here. */
  readonly #shown: (() => Promise<void>)[] = []

  constructor(options: BrowserHostOptions, os: HostInfo['os'], parts: OpeningParts) {
    this.#options = options
    this.#os = os
    this.#parts = parts
  }

  /** Returns a one-time address if no browser opens it. */
  async open({ asUserId, place }: Parameters<WindowCapability['open']>[0]): Promise<string | undefined> {
    const { access, windows, idle } = this.#parts
    const browser = this.#options.show ? findBrowser(this.#os) : undefined
    const address = this.#address(access.issueCode({ reusable: false, asUserId }), place)
    const announce = (): void => this.#options.announce(this.reusableUrl(asUserId, place), asUserId)
    if (!browser) {
      announce()
      return address
    }
    const closePage = await showPage(browser, address, this.#options, {
      closed: () => windows.size === 0 && idle.start(WINDOW_CLOSED_EXIT_MS),
      failed: announce,
    })
    this.#shown.push(closePage)
    return undefined
  }

  /** Valid while the process runs. */
  reusableUrl(asUserId?: string, place?: WindowPlace): string {
    return this.#address(this.#parts.access.issueCode({ reusable: true, asUserId }), place)
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#shown.map((closePage) => closePage()))
  }

  #address(code: string, place: WindowPlace | undefined): string {
    return `http://127.0.0.1:${this.#parts.port}/${place === undefined ? '' : placeQuery(place)}#code=${code}`
  }
}

function hostInfo(version: string, managed: Managed | undefined): HostInfo {
  return {
    kind: 'browser',
    os: thisOs(),
    version,
    titleBar: 'none',
    managed,
    capabilities: { nativeNotifications: false, badge: false, tray: false, severalWindows: true, files: true },
  }
}

function idleTimer(options: BrowserHostOptions): { start(ms: number): void; stop(): void } {
  let stop: Stop | undefined
  return {
    start(ms) {
      stop?.()
      if (!options.stay) stop = options.clock.after(ms, options.onIdle)
    },
    stop: () => stop?.(),
  }
}

/** At the port of the last run, where open pages look for us; at any free one when it is taken.
 * @returns the port */
async function listen(server: Server, wanted = 0): Promise<number> {
  try {
    await listenAt(server, wanted)
  } catch (error) {
    if (wanted === 0) throw error
    await listenAt(server, 0)
  }
  return (server.address() as AddressInfo).port
}

function listenAt(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function acceptPages(server: Server, port: number, onSocket: (socket: WebSocket) => void): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  server.on('upgrade', (request, stream, head) => {
    const refusal = request.url === '/bridge' ? upgradeRefusal(headOf(request), port) : 404
    if (refusal === undefined) return sockets.handleUpgrade(request, stream, head, onSocket)
    stream.end(`HTTP/1.1 ${refusal} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  return sockets
}

/** @returns a function that removes the redirect file, and closes the window if we started it */
async function showPage(
  browser: Browser,
  url: string,
  options: BrowserHostOptions,
  on: { closed: () => void; failed: () => void },
): Promise<() => Promise<void>> {
  const file = await writeRedirectFile(join(options.paths.data, 'run'), url, randomBytes)
  options.clock.after(CODE_LIFETIME_MS, () => void file.remove())
  const child = showFile(browser, file.path, join(options.paths.data, 'browser-window'))
  child.once('error', on.failed)
  // The default browser's opener ends at once, whether or not the page is open.
  if (browser.kind === 'app-window') child.once('exit', on.closed)
  return () => {
    if (browser.kind === 'app-window') child.kill('SIGTERM')
    return file.remove()
  }
}

const CLOSED: Host['external'] = { open: () => Promise.reject(new AppError('policy/links')) }

/** Opens an address in the system's browser, by the same rules as in Electron; the user cannot be asked here. */
function externalOpener(clock: Clock, os: HostInfo['os']): Host['external'] {
  let opened: number[] = []
  return {
    open(url) {
      const now = clock.now()
      const decision = externalDecision(url, opened, now)
      if (decision.action === 'refuse') return Promise.reject(new AppError('link/refused', { detail: decision.reason }))
      if (decision.action === 'ask' && decision.reason !== 'not-encrypted') {
        return Promise.reject(new AppError('link/refused', { detail: decision.reason }))
      }
      const [command, ...args] = systemOpener(os) ?? []
      if (command === undefined) return Promise.reject(new AppError('link/no-browser'))
      opened = [...opened.slice(-10), now]
      spawn(command, [...args, decision.url], { stdio: 'ignore', detached: true }).unref()
      return Promise.resolve()
    },
  }
}

function closeServer(server: Server, sockets: WebSocketServer): Promise<void> {
  return new Promise((resolve) => {
    sockets.close()
    server.close(() => resolve())
    server.closeAllConnections()
    for (const socket of sockets.clients) socket.terminate()
  })
}

type HttpOptions = {
  readonly port: number
  readonly rendererFolder: string
  readonly manifest: Manifest
  /**
   * The file behind a capability path, `undefined` when the file does not exist; `refused`: an invalid or expired link.
   */
  readonly findMedia: (path: string) => Promise<MediaFile | undefined | 'refused'>
}

/** Built pages and media, nothing else. Every response has the security headers. */
async function answerHttp(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const refusal = requestRefusal(headOf(request), options.port)
  if (refusal !== undefined) return endEmpty(response, refusal)
  const path = request.url ?? '/'
  // No path here takes a body.
  if (request.method === 'POST') return endEmpty(response, 404)
  if (path.startsWith(MEDIA_PATH)) return sendMedia(request, response, await options.findMedia(path))
  return sendBuiltFile(request, response, options)
}

function headOf(request: IncomingMessage): RequestHead {
  const header = (name: string): string | undefined => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: request.method ?? '',
    host: soleHost(request),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    fetchMode: header('sec-fetch-mode'),
    fetchDest: header('sec-fetch-dest'),
    names: Object.keys(request.headers),
  }
}

/** Two Host headers count as none: Node uses the first, other software might use the last. */
function soleHost(request: IncomingMessage): string | undefined {
  return request.headersDistinct['host']?.length === 1 ? request.headers.host : undefined
}

async function sendBuiltFile(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const found = resolvePath(request.url ?? '/', options.manifest)
  if ('status' in found) return endEmpty(response, found.status)
  const bytes = await readFile(join(options.rendererFolder, found.file))
  response.writeHead(200, {
    ...pageHeaders({ host: 'browser', port: options.port }, found.file.endsWith('.html')),
    'Content-Type': mimeTypeOf(found.file),
    'Content-Length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function sendMedia(request: IncomingMessage, response: ServerResponse, file: MediaFile | undefined | 'refused'): void {
  if (file === 'refused') return endEmpty(response, 404)
  const answer = mediaAnswer(file, request.headers.range)
  response.writeHead(answer.status, answer.headers)
  if (!file || !answer.range || request.method === 'HEAD') return void response.end()
  // A page that stops reading half-way is normal; the pipeline closes the file either way.
  pipeline(createReadStream(file.path, answer.range), response, () => undefined)
}

function endEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...commonHeaders(), 'Cache-Control': 'no-store', 'Content-Length': 0 })
  response.end()
}

/** The parts of a request that show its origin. */
type RequestHead = {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly fetchDest: string | undefined
  /** Names of all headers, lower case. */
  readonly names: readonly string[]
}

/** `undefined` allows the request; a number is the status that refuses it. */
type Refusal = 400 | 401 | 403 | 405 | 421 | undefined

const METHODS = new Set(['GET', 'HEAD', 'POST'])

/** Every request except the upgrade. */
function requestRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method === 'OPTIONS' || head.names.includes('access-control-request-method')) return 403
  if (!METHODS.has(head.method)) return 405
  if (head.origin !== undefined && !ownOrigins(port).includes(head.origin)) return 403
  if (isFromElsewhere(head) && !isTopLevelVisit(head)) return 403
  return undefined
}

/** The upgrade to a WebSocket: the exact origin is required, so that no other page can connect. */
function upgradeRefusal(head: RequestHead, port: number): Refusal {
  if (!isOwnHost(head.host, port)) return 421
  if (head.method !== 'GET') return 405
  if (head.origin === undefined || head.origin !== `http://${head.host}`) return 403
  if (head.fetchSite !== undefined && head.fetchSite !== 'same-origin') return 403
  return undefined
}

/** A rebound name would have its own Host. The policy allows 127.0.0.1 only, and every URL we create uses it. */
function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

const ownOrigins = (port: number): string[] => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

function isFromElsewhere(head: RequestHead): boolean {
  return head.fetchSite !== undefined && head.fetchSite !== 'same-origin' && head.fetchSite !== 'none'
}

/** The redirect file is of another origin and opens this page: a plain visit shows the page, without any rights. */
function isTopLevelVisit(head: RequestHead): boolean {
  return head.method === 'GET' && head.fetchMode === 'navigate' && head.fetchDest === 'document'
}
