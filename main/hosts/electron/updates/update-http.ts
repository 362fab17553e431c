import { request as httpRequest, type Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { PassThrough } from 'node:stream'
import { configureRequestOptions, configureRequestUrl, HttpExecutor, type DownloadOptions } from 'builder-util-runtime'
import { isFeedAddress } from '../../rules/network/update-feed.ts'

/** Longer than any pause of a working server. */
const SILENCE_MS = 60_000

/**
 * The updater's requests, with the same proxy and certificate authorities as every other request of main.
 */
export class UpdateHttp extends HttpExecutor<ClientRequest> {
  agent: Agent | undefined

  /** For the updater, which downloads whole files itself. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    const request: RequestOptions = { headers: { ...options.headers } }
    configureRequestUrl(url, request)
    configureRequestOptions(request)
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const callback = (error: Error | null): void => (error ? reject(error) : resolve(destination))
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }

  /** Also for redirects: every URL passes the rule of addresses. */
  override createRequest(options: RequestOptions, callback: (answer: IncomingMessage) => void): ClientRequest {
    const { protocol = 'https:', hostname, port, path = '/' } = options
    const address = `${protocol}//${hostname ?? ''}${port ? `:${port}` : ''}${path}`
    if (!isFeedAddress(address)) return refused()
    const send = protocol === 'http:' ? httpRequest : httpsRequest
    const { agent } = this
    const sent = send({ ...options, ...(agent ? { agent } : {}) }, callback)
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error('timeout')))
    return sent
  }
}

/** Fails like a request, without a connection: an exception thrown in a redirect would end the process. */
function refused(): ClientRequest {
  const request = httpRequest({ createConnection: () => new PassThrough() })
  return request.destroy(new Error('The address is not encrypted.'))
}
