import { createWriteStream } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { dirname } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
import { AppError } from '#shared/lib/app-error.ts'
import { request as httpRequest } from '#main/lib/node-http.ts'
import { isFeedAddress } from '../../rules/network/update-feed.ts'

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
export class UpdateHttp extends HttpExecutor<ClientRequest> {
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
