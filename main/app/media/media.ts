import { createHash } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { MediaVariant } from '#shared/bridge/media-url.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as media from '#main/cache/messages/media.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Reader } from '#main/cache/tx.ts'
import type { Api } from '#main/engine/api/client.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import { isLoopbackHost } from '#main/engine/session/server-url.ts'
import type { MediaFile } from '#main/hosts/host.ts'
import { pause, type Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { createMediaBudget, PARTIAL } from './media-budget.ts'
import { sniff, SNIFF_BYTES } from './sniff.ts'

type MediaOptions = {
  /** The account's folder: files are stored in `media/` below it. */
  readonly folder: string
  readonly cache: Reader
  readonly outbox: Reader
  readonly api: Pick<Api, 'download'>
  readonly files: FilesPort
  readonly clock: Clock
  /** Address of the local server once it runs; absent for a hosted account. */
  readonly localUrl?: () => Promise<string>
  readonly budgetBytes?: number
  /** Addresses of pictures that are in no message yet: see `LinkPreview.picture`. */
  readonly previewPicture?: (ref: string) => string | undefined
  readonly log: Logger
}

export type Media = {
  /**
   * The file of `att/<messageId>.<index>`, `user/<id>.<tag>`, `channel/<cid>.<tag>`, `emoji/<name>.<tag>`, `upload/<id>` or
   * `preview/<id>`: from disk if it was fetched before, otherwise fetched now, once for all callers. `undefined` if there is
   * no such file or it cannot be fetched.
   */
  resolve(ref: string, variant: MediaVariant): Promise<MediaFile | undefined>
}

/** Copies for other programs, in the account's folder. */
export const OPENED_FOLDER = 'opened'

const LOCAL_TRIES = 5
const LOCAL_PAUSE_MS = 1_000
/** After this many interruptions the download fails, and the user may retry. */
const MOST_BREAKS = 20

export function createMedia(options: MediaOptions): Media {
  const { files, log } = options
  const mediaFolder = join(options.folder, 'media')
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
      if (ref.startsWith('upload/')) {
        const staged = uploads.byId(options.outbox, ref.slice('upload/'.length))?.stagedName
        return staged === undefined ? undefined : describe(join(options.folder, 'staging', basename(staged)))
      }
      const preview = options.previewPicture?.(ref)
      const source = preview === undefined ? media.source(options.cache, ref) : { url: preview, thumbUrl: undefined }
      const address = variant === 'thumb' ? (source?.thumbUrl ?? source?.url) : source?.url
      if (address === undefined) return undefined
      const path = join(mediaFolder, fileName(address, options.localUrl !== undefined))
      return (await describe(path)) ?? fetchOnce(path, address)
    },
  }
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
