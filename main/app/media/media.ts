import { createHash } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { MediaVariant } from '#shared/bridge/media-url.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import * as media from '#main/cache/messages/media.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Reader } from '#main/cache/store.ts'
import type { Api } from '#main/engine/api/client.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import { isLoopbackHost } from '#main/engine/session/server-url.ts'
import type { MediaFile, Host, DownloadCapability } from '#main/hosts/host.ts'
import { pause, type Clock } from '#main/lib/clock.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import { openDecision } from '#main/hosts/rules/pages/openable.ts'
import type { Account } from '../accounts/account.ts'
import type { CallWindow } from '../windows/windows.ts'

type MediaOptions = {
  /** The account's folder: files are stored in `media/` below it. */
  readonly folder: string
  readonly cache: Reader
  readonly outbox: Reader
  readonly api: Pick<Api, 'download'>
  readonly files: FilesPort
  readonly clock: Clock
  /** Address of the local server once it runs, or of a shared workspace; absent for any other account. */
  readonly localUrl?: () => Promise<string>
  readonly budgetBytes?: number
  /** Addresses of pictures that are not stored: see `LinkPreview.picture` and `ReportedProfile.picture`. */
  readonly knownPicture?: (ref: string) => string | undefined
  readonly log: Logger
}

export type Media = {
  /**
   * The file of `att/<messageId>.<index>`, `user/<id>.<tag>`, `channel/<cid>.<tag>`, `emoji/<name>.<tag>`, `upload/<id>`,
   * `profile/<id>.<tag>` or `preview/<id>`: from disk if it was fetched before, otherwise fetched now, once for all callers.
   * `undefined` if there is no such file or it cannot be fetched.
   */
  resolve(ref: string, variant: MediaVariant): Promise<MediaFile | undefined>
  /** The same, but only if it is on disk: nothing is fetched. */
  stored(ref: string, variant: MediaVariant): Promise<MediaFile | undefined>
}

/** Copies for other programs, in the account's folder. */
export const OPENED_FOLDER = 'opened'

const MEDIA_FOLDER = 'media'
const LOCAL_TRIES = 5
const LOCAL_PAUSE_MS = 1_000
/** After this many interruptions the download fails, and the user may retry. */
const MOST_BREAKS = 20

export function createMedia(options: MediaOptions): Media {
  const { files, log } = options
  const mediaFolder = join(options.folder, MEDIA_FOLDER)
  const budget = createMediaBudget(mediaFolder, log, options.budgetBytes)
  void budget.tidy()
  const cleared = clearBeginnings(mediaFolder)
  void rm(join(options.folder, OPENED_FOLDER), { recursive: true, force: true }).catch(() => undefined)
  const fetching = new Map<string, Promise<MediaFile | undefined>>()

  async function describe(path: string): Promise<MediaFile | undefined> {
    const sizeBytes = await files.size(path)
    if (sizeBytes === undefined) return undefined
    return { path, sizeBytes, mimeType: sniff(await files.read(path, 0, SNIFF_BYTES)) }
  }

  /** The local server may be starting or stopping: a picture is requested a second time. */
  async function download(address: string, partial: string): Promise<{ sizeBytes: number }> {
    const isLocal = options.localUrl !== undefined && localPath(address) !== undefined
    let came = 0
    let breaks = 0
    for (let left = isLocal ? LOCAL_TRIES : 1; ;) {
      try {
        const url = await presentUrl(address, options.localUrl)
        return await options.api.download(url, partial, { maxBytes: UPLOAD_LIMIT_BYTES })
      } catch (error) {
        if (!isInterrupted(error)) throw error
        const before = came
        came = (await files.size(partial)) ?? 0
        breaks += 1
        // Each interrupted request continues the download, so progress is made even on a bad connection.
        if (came > before && breaks < MOST_BREAKS) continue
        left -= 1
        if (left < 1) throw error
        await pause(options.clock, LOCAL_PAUSE_MS)
      }
    }
  }

  async function fetchTo(path: string, address: string): Promise<MediaFile | undefined> {
    const partial = `${path}${PARTIAL}`
    await cleared
    try {
      const { sizeBytes } = await download(address, partial)
      await rename(partial, path)
      budget.added(sizeBytes)
      return await describe(path)
    } catch (error) {
      // A partial file is stored for the next request if the server supports ranges.
      if (!isInterrupted(error)) await rm(partial, { force: true })
      if (!(error instanceof AppError)) throw error
      log.warn('fetch-failed', { code: error.code })
      return undefined
    }
  }

  function fetchOnce(path: string, address: string): Promise<MediaFile | undefined> {
    const running = fetching.get(path)
    if (running) return running
    const started = fetchTo(path, address).finally(() => fetching.delete(path))
    fetching.set(path, started)
    return started
  }

  return {
    async resolve(ref, variant) {
      const place = placeOf(options, ref, variant)
      if (place === undefined) return undefined
      const { path, address } = place
      return (await describe(path)) ?? (address === undefined ? undefined : fetchOnce(path, address))
    },
    async stored(ref, variant) {
      const place = placeOf(options, ref, variant)
      return place && describe(place.path)
    },
  }
}

/** Where the file of a reference is on disk, or would be. */
function placeOf(
  { folder, cache, outbox, knownPicture, localUrl }: MediaOptions,
  ref: string,
  variant: MediaVariant,
): { readonly path: string; readonly address?: string } | undefined {
  if (ref.startsWith('upload/')) {
    const staged = uploads.byId(outbox, ref.slice('upload/'.length))?.stagedName
    return staged === undefined ? undefined : { path: join(folder, 'staging', basename(staged)) }
  }
  const known = knownPicture?.(ref)
  const source = known === undefined ? media.source(cache, ref) : { url: known, thumbUrl: undefined }
  const address = variant === 'thumb' ? (source?.thumbUrl ?? source?.url) : source?.url
  if (address === undefined) return undefined
  return { path: join(folder, MEDIA_FOLDER, fileName(address, localUrl !== undefined)), address }
}

/** Deletes partial downloads of an earlier run: the data needed to continue them is lost. */
async function clearBeginnings(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const begun = names.filter((name) => name.endsWith(PARTIAL))
  await Promise.all(begun.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)))
}

/** The connection was lost; the part received so far is valid. */
const isInterrupted = (error: unknown): boolean => error instanceof AppError && error.code === 'network/offline'

/** Path of a file of the local server, with any port or without an origin. */
function localPath(address: string): string | undefined {
  const parsed = URL.parse(address, 'http://127.0.0.1')
  const isOurs = parsed && isLoopbackHost(parsed.hostname) && parsed.pathname.startsWith('/files/')
  return isOurs ? `${parsed.pathname}${parsed.search}` : undefined
}

/**
 * By address; for the local server without the origin, because the port may change between runs, and without the
 * signature, which changes daily.
 */
function fileName(address: string, isLocal: boolean): string {
  const name = isLocal ? media.unsigned(localPath(address) ?? address) : address
  return createHash('sha256').update(name).digest('hex')
}

/** The current address of a file: the local server's port may have changed since it was stored. */
async function presentUrl(address: string, localUrl: (() => Promise<string>) | undefined): Promise<string> {
  const path = localUrl && localPath(address)
  return localUrl && path !== undefined ? new URL(path, await localUrl()).href : address
}

/** Pictures and files of an account, read from its stores and fetched over its connection. */
export function mediaOf(account: Account, host: Host): Media {
  const { cache, outbox } = account.engine.stores
  const { workspace } = account
  return createMedia({
    folder: account.folder,
    cache: cache.reader,
    outbox: outbox.reader,
    api: account.api,
    files: host.ports.files,
    clock: host.ports.clock,
    knownPicture: (ref) => account.engine.previewPicture(ref) ?? account.engine.reportedPicture(ref),
    localUrl: workspace ? () => workspace.running() : joinedUrl(account),
    log: logger('media', host.log),
  })
}

/** A shared workspace names its files by the address that only its own device can use. */
function joinedUrl({ ref, baseUrl }: Account): (() => Promise<string>) | undefined {
  return ref.kind === 'hosted' && ref.certificate !== undefined ? () => Promise.resolve(baseUrl()) : undefined
}

/** Limit of fetched pictures and files on disk, per account. All of them can be fetched again. */
const MEDIA_BUDGET_BYTES = 500_000_000
/** Suffix of an incomplete download. */
const PARTIAL = '.part'

type MediaBudget = {
  /** Measures the folder and deletes the oldest files over the limit. Resolves when that is done. */
  tidy(): Promise<void>
  /** A file of this size was added. */
  added(sizeBytes: number): void
}

type StoredFile = { readonly path: string; readonly sizeBytes: number; readonly at: number }

/** Keeps a folder of fetched files within its limit: it is scanned only when the running total exceeds it. */
export function createMediaBudget(folder: string, log: Logger, budgetBytes = MEDIA_BUDGET_BYTES): MediaBudget {
  let sumBytes = 0
  let running: Promise<void> | undefined

  async function shrink(): Promise<void> {
    const stored = (await filesIn(folder)).toSorted((a, b) => a.at - b.at)
    sumBytes = stored.reduce((sum, file) => sum + file.sizeBytes, 0)
    for (const file of stored) {
      if (sumBytes <= budgetBytes) return
      await rm(file.path, { force: true })
      sumBytes -= file.sizeBytes
    }
  }

  const tidy = (): Promise<void> =>
    (running ??= shrink()
      // A file that cannot be deleted now is tried again after the next download.
      .catch((error: unknown) => log.warn('tidy-failed', { error: error instanceof Error ? error.name : 'unknown' }))
      .finally(() => (running = undefined)))

  return {
    tidy,
    added(sizeBytes) {
      sumBytes += sizeBytes
      if (sumBytes > budgetBytes) void tidy()
    },
  }
}

async function filesIn(folder: string): Promise<readonly StoredFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => !name.endsWith(PARTIAL))
      .map(async (name) => {
        const path = join(folder, name)
        const known = await stat(path).catch(() => undefined)
        return known?.isFile() ? [{ path, sizeBytes: known.size, at: known.mtimeMs }] : []
      }),
  )
  return found.flat()
}

/** The type of a file by its first bytes. Names and declared types cannot be trusted. */
type Signature = { readonly mimeType: string; readonly at: number; readonly bytes: readonly number[] }

const ascii = (text: string): readonly number[] => Array.from(text, (char) => char.charCodeAt(0))

const SIGNATURES: readonly Signature[] = [
  { mimeType: 'image/png', at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { mimeType: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mimeType: 'image/gif', at: 0, bytes: ascii('GIF8') },
  { mimeType: 'image/webp', at: 8, bytes: ascii('WEBP') },
  { mimeType: 'image/avif', at: 4, bytes: ascii('ftypavi') },
  { mimeType: 'audio/wav', at: 8, bytes: ascii('WAVE') },
  { mimeType: 'audio/mp4', at: 4, bytes: ascii('ftypM4A') },
  { mimeType: 'video/quicktime', at: 4, bytes: ascii('ftypqt') },
  { mimeType: 'video/mp4', at: 4, bytes: ascii('ftyp') },
  { mimeType: 'video/webm', at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { mimeType: 'audio/ogg', at: 0, bytes: ascii('OggS') },
  { mimeType: 'audio/flac', at: 0, bytes: ascii('fLaC') },
  { mimeType: 'audio/mpeg', at: 0, bytes: ascii('ID3') },
  { mimeType: 'audio/mpeg', at: 0, bytes: [0xff, 0xfb] },
  { mimeType: 'application/pdf', at: 0, bytes: ascii('%PDF-') },
  // Programs of Windows, Linux and macOS, and scripts with an interpreter line: never opened, whatever their name.
  { mimeType: 'application/x-executable', at: 0, bytes: ascii('MZ') },
  { mimeType: 'application/x-executable', at: 0, bytes: [0x7f, ...ascii('ELF')] },
  { mimeType: 'application/x-executable', at: 0, bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { mimeType: 'application/x-executable', at: 0, bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { mimeType: 'application/x-executable', at: 0, bytes: ascii('#!') },
]

const SNIFF_BYTES = 32

/** Unknown types, including HTML and SVG, can be saved but are not shown. */
export function sniff(head: Uint8Array): string {
  const found = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  return found?.mimeType ?? 'application/octet-stream'
}

/** Files that the user saved, and actions on them. An executable file is shown in its folder, never opened. */
export function downloadCalls({
  downloads,
  folders,
  ports,
}: Pick<Host, 'downloads' | 'folders' | 'ports'>): Pick<
  HandlersOf<'desktop', CallWindow>,
  'downloads' | 'download' | 'clearDownloads'
> {
  const here = (): DownloadCapability => {
    if (!downloads) throw new AppError('desktop/unable')
    return downloads
  }
  /** It may have been moved or deleted since. */
  async function pathOf(id: string): Promise<string> {
    const path = here().pathOf(id)
    if (path === undefined || (await ports.files.size(path)) === undefined) throw new AppError('desktop/download-gone')
    return path
  }
  async function open(path: string): Promise<void> {
    const decision = openDecision(basename(path), sniff(await ports.files.read(path, 0, SNIFF_BYTES)))
    if (decision !== 'open') throw new AppError(decision === 'runs' ? 'data/file-runs' : 'data/file-mismatch')
    await folders?.open(path)
  }
  return {
    downloads: () => here().list(),
    async download({ id, what }) {
      if (what === 'again') here().retry(id)
      else if (what === 'cancel') here().cancel(id)
      else if (what === 'open') await open(await pathOf(id))
      else await folders?.show(await pathOf(id))
    },
    clearDownloads: () => here().clear(),
  }
}
