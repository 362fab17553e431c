import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, createWriteStream } from 'node:fs'
import { join, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { statfs } from 'node:fs/promises'
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { PassThrough, Transform } from 'node:stream'
import { app, autoUpdater as system } from 'electron'
import type { AppUpdater } from 'electron-updater'
import {
  configureRequestOptions,
  configureRequestUrl,
  DigestTransform,
  HttpExecutor,
  newError,
  ProgressCallbackTransform,
  type CancellationToken,
  type DownloadOptions,
} from 'builder-util-runtime'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import type { NoUpdates } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { request as httpRequest } from '#main/lib/node-http.ts'
import type { UpdateCapability } from '../../host.ts'
import type { Proxies } from '../../node/network.ts'
import {
  isSignedBy,
  noUpdatesWhy,
  readPackagedFeed,
  type ListedVersion,
  isFeedAddress,
} from '../../rules/network/update-feed.ts'
import type { Os } from '../../rules/windows/window-options.ts'
import { appImageOf, installAsAppImage, startAfter } from './app-image.ts'

/** macOS loads the new version only now, from a server on this device, before it ends the program. */
const PATIENCE_MS = 60_000

type ElectronUpdatesOptions = {
  readonly os: Os
  readonly policies: Policies
  readonly proxies: Proxies
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** The key is compiled in: `MAIN_VITE_UPDATE_KEY` while the program is built. */
const COMPILED = (import.meta as { readonly env?: Readonly<Record<string, string | undefined>> }).env?.[
  'MAIN_VITE_UPDATE_KEY'
]
const KEY = COMPILED === '' ? undefined : COMPILED

/**
 * Newer versions for an installed Parlor. Nothing is requested, and the library is not loaded, before the first check.
 */
export function electronUpdates(options: ElectronUpdatesOptions): UpdateCapability | { readonly unable: NoUpdates } {
  const { os, policies, proxies, clock, log } = options
  // In development that folder is Electron's.
  const packaged = readPackagedFeed(app.isPackaged ? textOf(join(process.resourcesPath, 'app-update.yml')) : '')
  const url = policies.UpdateFeed ?? packaged.url
  const unable = noUpdatesWhy({
    os,
    forbidden: policies.UpdateMode === 'off',
    packaged: app.isPackaged,
    installed: app.isPackaged && isInstalled(os),
    url,
    namesPublisher: packaged.namesPublisher,
    hasKey: KEY !== undefined,
  })
  if (unable !== undefined || url === undefined) return { unable: unable ?? 'no-feed' }
  let made: Promise<Updater> | undefined
  const ready = (): Promise<Updater> => (made ??= make(url))

  async function make(feed: string): Promise<Updater> {
    const { autoUpdater } = await import('electron-updater')
    // On Linux the next run is started when this one has ended: an earlier one would find the profile in use.
    autoUpdater.autoRunAppAfterInstall = os !== 'linux'
    return updatesBy(autoUpdater, { proxies, feed, channel: policies.UpdateChannel, key: KEY, log })
  }

  return {
    check: async () => (await ready()).check(),
    download: async (onShare) => (await ready()).download(onShare),
    verify: async () => (await ready()).verify(),
    tidy: async () => (await ready()).tidy(),
    install({ onPlaced, onDeclined }) {
      let isQuitting = false
      const before = identityOf(os)
      system.once('before-quit-for-update', () => {
        isQuitting = true
        if (identityOf(os) !== before) onPlaced()
        if (os === 'linux') startAgain(os)
      })
      // Everything is closed by now: if the update fails, the old program is started again.
      const backAgain = (error?: unknown): void => {
        if (isQuitting) return
        isQuitting = true
        if (isRefusal(error)) onDeclined()
        else log.error('not-installed')
        startAgain(os)
        app.quit()
      }
      const installNow = async (): Promise<void> => {
        const updates = await ready()
        updates.install(backAgain)
        // Not earlier: a package of Linux is installed by now, which may have waited for a password.
        clock.after(PATIENCE_MS, () => backAgain())
      }
      installNow().catch(backAgain)
    },
    commandBack: (version) => commandBack(packageType(), version),
  }
}

/** On Linux: `deb` or `rpm`, as marked by the packager. */
const packageType = (): string => textOf(join(process.resourcesPath, 'package-type')).trim()

const appImage = (): string | undefined => appImageOf(process.env, process.execPath)

/** When this process has ended. */
function startAgain(os: Os): void {
  if (os === 'linux') startAfter(process.pid, appImage() ?? process.execPath, process.argv.slice(1))
  else app.relaunch()
}

const COMMANDS_BACK: Readonly<Record<string, (version: string) => string>> = {
  deb: (version) => `sudo dpkg --install parlor_${version}_${process.arch === 'x64' ? 'amd64' : process.arch}.deb`,
  rpm: (version) =>
    `sudo rpm --upgrade --oldpackage parlor-${version}.${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`,
}

/** The command of docs/it.md. */
export const commandBack = (kind: string, version: string): string | undefined => COMMANDS_BACK[kind]?.(version)

/** AppImages give their path; deb and rpm are marked by the packager. Windows and macOS have one method each. */
const isInstalled = (os: Os): boolean =>
  os !== 'linux' || appImage() !== undefined || existsSync(join(process.resourcesPath, 'package-type'))

/** Identity of the program's file: changed after a Linux package was installed. Other systems replace it later. */
function identityOf(os: Os): string | undefined {
  if (os !== 'linux') return undefined
  try {
    const { ino, mtimeMs } = statSync(appImage() ?? process.execPath)
    return `${ino} ${mtimeMs}`
  } catch {
    return undefined
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

type MakeOptions = {
  readonly proxies: Proxies
  readonly feed: string
  readonly channel: string | undefined
  readonly key: string | undefined
  readonly log: Logger
}

type Updater = Omit<UpdateCapability, 'install'> & {
  /** Ends the program, except after `failed`. */
  install(failed: (error: unknown) => void): void
}
type Listed = ListedVersion & { readonly parlorSignature?: unknown }

/** The library with our rules: no automatic updates, no older versions, and only a signed list of versions. */
export function updatesBy(updater: AppUpdater, { proxies, feed, channel, key, log }: MakeOptions): Updater {
  const http = new UpdateHttp()
  // First: the library passes its current requests to the source of lists.
  Object.assign(updater, { httpExecutor: http })
  if (channel !== undefined) updater.channel = channel
  updater.setFeedURL({ provider: 'generic', url: feed, ...(channel === undefined ? {} : { channel }) })
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  updater.logger = null
  const isSupported = updater.isUpdateSupported
  // Here, because the library remembers an accepted list and downloads its version, even if a later list is refused.
  updater.isUpdateSupported = (info) => {
    const listed: Listed = info
    if (key !== undefined && !isSignedBy(key, listed, listed.parlorSignature)) throw new AppError('update/untrusted')
    http.sizes = sizesOf(listed, feed)
    return isSupported(info)
  }
  // The promise rejects too; without a listener an error would end the process.
  updater.on('error', (error) => log.warn('updater', { reason: reasonOf(error) }))
  askOnce(updater)
  let ready: { readonly path: string; readonly sha512: string } | undefined
  const image = appImage()
  if (image !== undefined) installAsAppImage(updater, image, () => ready?.path)

  return {
    async check() {
      http.agent = await proxies.agentFor(feed)
      const result = await updater.checkForUpdates().catch((cause: unknown) => {
        throw cause instanceof AppError ? cause : new AppError('update/unreachable', { cause })
      })
      if (!result?.isUpdateAvailable) return undefined
      const { version, files } = result.updateInfo
      return { version, file: checksumOf(files) }
    },
    async download(onShare) {
      const hear = ({ percent }: { readonly percent: number }): void => onShare(percent / 100)
      updater.on('download-progress', hear)
      try {
        http.agent = await proxies.agentFor(feed)
        const [path] = await updater.downloadUpdate()
        const sha512 = (await helperOf(updater)).downloadedFileInfo?.sha512
        ready = path === undefined || sha512 === undefined ? undefined : { path, sha512 }
      } catch (cause) {
        throw cause instanceof AppError ? cause : new AppError(downloadCodeOf(cause), { cause })
      } finally {
        updater.off('download-progress', hear)
      }
    },
    async verify() {
      if (ready !== undefined && (await sha512Of(ready.path)) === ready.sha512) return
      ready = undefined
      await (await helperOf(updater)).clear()
      throw new AppError('update/gone')
    },
    async tidy() {
      await (await helperOf(updater)).clear()
    },
    install(failed) {
      updater.on('error', failed)
      updater.quitAndInstall()
    },
  }
}

/** Tracks the downloaded file, and deletes it. The library declares it as private. */
const helperOf = (updater: AppUpdater): Promise<DownloadHelper> =>
  (updater as unknown as { getOrCreateDownloadHelper(): Promise<DownloadHelper> }).getOrCreateDownloadHelper()
type DownloadHelper = {
  readonly downloadedFileInfo: { readonly sha512: string } | null
  clear(): Promise<void>
}

/** By the path of their address, as the library resolves it. */
const sizesOf = ({ files }: ListedVersion, feed: string): ReadonlyMap<string, number> =>
  new Map(
    files.flatMap(({ url, size }) => {
      const path = URL.parse(url, feed.replace(/\/?$/, '/'))?.pathname
      return path === undefined || size === undefined ? [] : [[path, size]]
    }),
  )

/** One checksum for all listed files: the library chooses among them by the kind of package. */
const checksumOf = (files: readonly { readonly sha512: string }[]): string =>
  createHash('sha256')
    .update(files.map(({ sha512 }) => sha512).join())
    .digest('hex')

/** Exit codes of pkexec: the user closed the dialog, or did not give the right password. */
const REFUSED = /exited with code 12[67]$/
const isRefusal = (error: unknown): error is Error => error instanceof Error && REFUSED.test(error.message)

/**
 * Packages of Linux: if installing fails, the library tries a repair, which asks for the password again. Not after a
 * refusal.
 */
function askOnce(updater: AppUpdater): void {
  type Runner = { runCommandWithSudoIfNeeded?(command: string[]): string }
  const runner = updater as unknown as Runner
  const run = runner.runCommandWithSudoIfNeeded?.bind(updater)
  if (run === undefined) return
  let refusal: Error | undefined
  runner.runCommandWithSudoIfNeeded = (command) => {
    if (refusal) throw refusal
    try {
      return run(command)
    } catch (error) {
      if (isRefusal(error)) refusal = error
      throw error
    }
  }
}

async function sha512Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha512')
  try {
    await pipeline(createReadStream(path), hash)
    return hash.digest('base64')
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : 'unknown'
}

/** By the error codes of the library and the system. */
const DOWNLOAD_CODES: Readonly<Record<string, string>> = {
  ERR_CHECKSUM_MISMATCH: 'update/untrusted',
  ERR_UPDATER_INVALID_SIGNATURE: 'update/untrusted',
  ENOSPC: 'update/no-space',
  EDQUOT: 'update/no-space',
}

const downloadCodeOf = (error: unknown): string => DOWNLOAD_CODES[reasonOf(error)] ?? 'update/not-downloaded'

/** Longer than any pause of a working server. */
const SILENCE_MS = 60_000
/** A list has a few lines; anything longer is not a list. */
const MOST_LIST_BYTES = 1_000_000
/** Requests for one list or file, including redirects: the library itself has no limit. */
const MOST_REQUESTS = 10
/** Space that remains free: messages are stored on the same disk. */
const KEPT_FREE_BYTES = 100_000_000

/**
 * The updater's requests, with the same proxy and certificate authorities as every other request of main.
 */
class UpdateHttp extends HttpExecutor<ClientRequest> {
  agent: Agent | undefined
  /** Sizes of the listed files, by the path of their address. */
  sizes: ReadonlyMap<string, number> = new Map()

  #mostBytes = Infinity
  #requestsLeft = Infinity

  /** For the updater, which reads lists of versions this way. */
  override async request(options: RequestOptions, token?: CancellationToken): Promise<string | null> {
    this.#mostBytes = MOST_LIST_BYTES
    return this.#limited(super.request.bind(this, options, token)).finally(() => (this.#mostBytes = Infinity))
  }

  /** For the updater, which downloads whole files itself. */
  async download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    const size = this.sizes.get(url.pathname)
    if (size === undefined) throw newError('The list names no size for this file.', 'ERR_CHECKSUM_MISMATCH')
    const { bavail, bsize } = await statfs(dirname(destination))
    if (bavail * bsize < size + KEPT_FREE_BYTES) throw new AppError('update/no-space')
    await this.#limited(() => this.#fetch(url, destination, size, options))
    return destination
  }

  #fetch(url: URL, destination: string, size: number, options: DownloadOptions): Promise<void> {
    const request: RequestOptions = { headers: { ...options.headers } }
    configureRequestUrl(url, request)
    configureRequestOptions(request)
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const settle = (error: Error | null): void => (error ? reject(error) : resolve())
      let isAnswered = false
      // The library itself leaves the file open after an error: even deleted, it would still fill the disk.
      const responseHandler = (answer: IncomingMessage): void => {
        isAnswered = true
        void save([answer, ...checks(size, options)], destination).then(() => settle(null), settle)
      }
      // From the first byte on, the pipeline has the best reason for the end.
      const callback = (error: Error | null): void => void (isAnswered || settle(error))
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler }, 0)
    })
  }

  async #limited<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#requestsLeft = MOST_REQUESTS
    try {
      return await work()
    } finally {
      this.#requestsLeft = Infinity
    }
  }

  /** Also for redirects: every URL passes the rule of addresses. */
  override createRequest(options: RequestOptions, callback: (answer: IncomingMessage) => void): ClientRequest {
    const { protocol = 'https:', hostname, port, path = '/' } = options
    const address = `${protocol}//${hostname ?? ''}${port ? `:${port}` : ''}${path}`
    if (!isFeedAddress(address)) return refused('The address is not encrypted.')
    this.#requestsLeft -= 1
    if (this.#requestsLeft < 0) return refused('Too many redirects.')
    const send = protocol === 'http:' ? httpRequest : httpsRequest
    const { agent } = this
    const most = this.#mostBytes
    const sent = send({ ...options, ...(agent ? { agent } : {}) }, (answer) => {
      if (most !== Infinity) limit(answer, most)
      callback(answer)
    })
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error('timeout')))
    return sent
  }
}

/** Fails like a request, without a connection: an exception thrown in a redirect would end the process. */
function refused(why: string): ClientRequest {
  const request = httpRequest({ createConnection: () => new PassThrough() })
  return request.destroy(new Error(why))
}

/** Settles when the file is closed: one that is still being opened would appear after it was deleted. */
async function save(streams: readonly (IncomingMessage | Transform)[], path: string): Promise<void> {
  const file = createWriteStream(path)
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()))
  try {
    await pipeline([...streams, file])
  } finally {
    await closed
  }
}

function limit(answer: IncomingMessage, most: number): void {
  let bytes = 0
  answer.on('data', (chunk: Buffer | string) => {
    bytes += chunk.length
    if (bytes > most) answer.destroy(new Error('The list is too long.'))
  })
}

/** The file must have the listed size and hash; an endless one is not read to its end. */
function checks(size: number, { sha512, cancellationToken, onProgress }: DownloadOptions): Transform[] {
  let bytes = 0
  const other = (): Error => newError('The file has another size than listed.', 'ERR_CHECKSUM_MISMATCH')
  const sized = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > size) done(other())
      else done(null, chunk)
    },
    flush: (done) => (bytes < size ? done(other()) : done()),
  })
  return [
    sized,
    ...(onProgress === undefined ? [] : [new ProgressCallbackTransform(size, cancellationToken, onProgress)]),
    new DigestTransform(sha512 ?? ''),
  ]
}
