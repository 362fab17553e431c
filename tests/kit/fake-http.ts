import { type HttpResponse, type HttpPort, type HttpRequest, TransportError } from '#main/engine/ports.ts'

export type FakeCall = HttpRequest & {
  readonly at: URL
  /** The body as it was sent, parsed. */
  readonly json: unknown
}
export type FakeReply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | TransportError
export type FakeHandler = (call: FakeCall) => FakeReply | Promise<FakeReply>

type Route = { readonly method: string; readonly path: RegExp; readonly handler: FakeHandler }

/** A refusal in the form of the contract. */
export const refusal = (status: number, code?: number, extra: Record<string, unknown> = {}): FakeReply => ({
  status,
  body: { ...(code === undefined ? {} : { code }), message: 'refused', StatusCode: status, details: [], ...extra },
})

export const networkDown = (): TransportError => new TransportError('network', false)

/**
 * An HTTP port that responds from a table. Later routes win, so a test overrides its setup. An unexpected call fails
 * with 404 code 16 and is listed in `unexpected`.
 */
export class FakeHttp implements HttpPort {
  readonly calls: FakeCall[] = []
  readonly unexpected: string[] = []
  /** While set, every call fails without a response. */
  down = false
  readonly #routes: Route[] = []

  /** `path` may contain `:name` parts, for example `/channels/:type/:id/message`. */
  on(method: string, path: string, handler: FakeHandler | FakeReply): this {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    this.#routes.unshift({
      method,
      path: pattern,
      handler: typeof handler === 'function' ? handler : () => handler,
    })
    return this
  }

  /** Calls to one path so far. */
  to(method: string, path: string): readonly FakeCall[] {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    return this.calls.filter((call) => call.method === method && pattern.test(call.at.pathname))
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const call = seen(request)
    this.calls.push(call)
    if (request.signal?.aborted) throw new TransportError('aborted', false)
    if (this.down) throw networkDown()
    const reply = await aborting(this.#answer(call), request.signal)
    if (reply instanceof TransportError) throw reply
    return {
      status: reply.status ?? 200,
      headers: { 'content-type': 'application/json', ...reply.headers },
      text: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    }
  }

  async download(request: HttpRequest): Promise<{ status: number; mimeType: string; sizeBytes: number }> {
    const answer = await this.request(request)
    return {
      status: answer.status,
      mimeType: answer.headers['content-type'] ?? '',
      sizeBytes: Buffer.byteLength(answer.text),
    }
  }

  async #answer(call: FakeCall): Promise<FakeReply> {
    const route = this.#routes.find((route) => route.method === call.method && route.path.test(call.at.pathname))
    if (route) return route.handler(call)
    this.unexpected.push(`${call.method} ${call.at.pathname}`)
    return refusal(404, 16)
  }
}

function seen(request: HttpRequest): FakeCall {
  const json: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : undefined
  return { ...request, at: new URL(request.url), json }
}

function aborting<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new TransportError('aborted', true)), { once: true })
    work.then(resolve, reject)
  })
}
