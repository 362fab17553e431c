import { createHash } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import type { MediaVariant } from '#shared/bridge/media-url.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as media from '#main/cache/tables/media.ts'
import * as uploads from '#main/cache/tables/uploads.ts'
import type { Reader } from '#main/cache/tx.ts'
import type { Api } from '#main/engine/api/client.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import { isLoopbackHost } from '#main/engine/session/server-url.ts'
import type { MediaFile } from '#main/hosts/host.ts'
import type { Logger } from '#main/lib/logger.ts'
import { sniff, SNIFF_BYTES } from './sniff.ts'

export type MediaOptions = {
  /** The account's folder: bytes are kept in `media/` below it. */
  readonly folder: string
  readonly cache: Reader
  readonly outbox: Reader
  readonly api: Pick<Api, 'download'>
  readonly files: FilesPort
  /** Address of the local server now; absent for a hosted account. */
  readonly localUrl?: () => string
  readonly log: Logger
}

export type Media = {
  /**
   * The file behind `att/<messageId>.<index>`, `user/<id>.<tag>`, `channel/<cid>.<tag>` or `upload/<id>`: from the disk
   * if it was fetched before, otherwise fetched now, once however many ask. `undefined` when there are no such bytes or
   * they cannot be had.
   */
  resolve(ref: string, variant: MediaVariant): Promise<MediaFile | undefined>
}

export function createMedia(options: MediaOptions): Media {
  const { files, log } = options
  const fetching = new Map<string, Promise<MediaFile | undefined>>()

  async function describe(path: string): Promise<MediaFile | undefined> {
    const sizeBytes = await files.size(path)
    if (sizeBytes === undefined) return undefined
    return { path, sizeBytes, mimeType: sniff(await files.read(path, 0, SNIFF_BYTES)) }
  }

  async function fetchTo(path: string, url: string): Promise<MediaFile | undefined> {
    const partial = `${path}.part`
    try {
      await options.api.download(url, partial, { maxBytes: UPLOAD_LIMIT_BYTES })
      await rename(partial, path)
      return await describe(path)
    } catch (error) {
      await rm(partial, { force: true })
      if (!(error instanceof AppError)) throw error
      log.warn('fetch-failed', { code: error.code })
      return undefined
    }
  }

  function fetchOnce(path: string, url: string): Promise<MediaFile | undefined> {
    const running = fetching.get(path)
    if (running) return running
    const started = fetchTo(path, url).finally(() => fetching.delete(path))
    fetching.set(path, started)
    return started
  }

  return {
    async resolve(ref, variant) {
      if (ref.startsWith('upload/')) {
        const staged = uploads.byId(options.outbox, ref.slice('upload/'.length))?.stagedName
        return staged === undefined ? undefined : describe(join(options.folder, 'staging', basename(staged)))
      }
      const source = media.source(options.cache, ref)
      const address = variant === 'thumb' ? (source?.thumbUrl ?? source?.url) : source?.url
      if (address === undefined) return undefined
      const url = relocated(address, options.localUrl?.())
      const path = join(options.folder, 'media', fileName(url))
      return (await describe(path)) ?? fetchOnce(path, url)
    },
  }
}

/** By address without the origin of a local server, whose port may change from run to run. */
function fileName(url: string): string {
  const parsed = URL.parse(url)
  const name = parsed && isLoopbackHost(parsed.hostname) ? `${parsed.pathname}${parsed.search}` : url
  return createHash('sha256').update(name).digest('hex')
}

/** An address that the local server gave out under an earlier port, or without an origin, at its present one. */
function relocated(address: string, localUrl: string | undefined): string {
  if (localUrl === undefined || localUrl === '') return address
  const parsed = URL.parse(address, localUrl)
  if (!parsed || !isLoopbackHost(parsed.hostname)) return address
  return new URL(`${parsed.pathname}${parsed.search}`, localUrl).href
}
