import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import { countCall, identifyCaller, toRefusal } from '#main/server/http/calls.ts'
import { parseQuery } from '#main/server/http/json.ts'
import { errorBody } from '#main/server/http/refusal.ts'
import type { Incoming } from '#main/server/http/server.ts'
import { longpoll, type Longpoll } from '#main/server/realtime/longpoll.ts'
import type { Services } from '#main/server/work.ts'

/** The server's own long-poll, called as its HTTP server would. A response comes when the server has events. */
export type SimLongpoll = Pick<Longpoll, 'size' | 'stop'> & { ask(request: HttpRequest): Promise<HttpResponse> }

/** As much of a response as the long-poll writes to. A reader that disconnects closes it unfinished. */
class SimResponse extends EventEmitter {
  headersSent = false
  destroyed = false
  writableFinished = false
  #status = 200
  readonly #answer: (answer: HttpResponse) => void

  constructor(answer: (answer: HttpResponse) => void) {
    super()
    this.#answer = answer
  }

  writeHead(status: number): void {
    this.#status = status
    this.headersSent = true
  }

  end(bytes: Uint8Array): void {
    this.writableFinished = true
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    this.#answer({ status: this.#status, headers, text: Buffer.from(bytes).toString('utf8') })
    this.emit('close')
  }

  /** The connection broke before a response. */
  leave(): void {
    if (this.writableFinished || this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

export function simLongpoll(services: Services): SimLongpoll {
  const polls = longpoll(services)
  const ask: SimLongpoll['ask'] = (request) =>
    new Promise((resolve) => {
      const response = new SimResponse(resolve)
      request.signal?.addEventListener('abort', () => response.leave(), { once: true })
      const url = new URL(request.url)
      const query = parseQuery(url.searchParams)
      const headers = request.headers
      const incoming: Incoming = {
        request: {
          method: request.method,
          url: url.pathname + url.search,
          headers,
          socket: { remoteAddress: '127.0.0.1' },
        } as unknown as IncomingMessage,
        response: response as unknown as ServerResponse,
        url,
        query,
        count: (who, operation) => countCall(who, operation, services),
        admit: (operation) => identifyCaller({ query, headers }, services, { operation }),
      }
      try {
        void polls.special(incoming)?.run()
      } catch (error) {
        const refusal = toRefusal(error, services, 'Longpoll')
        const text = JSON.stringify(errorBody(refusal, 'Longpoll', '0.00ms'))
        resolve({ status: refusal.status, headers: { 'content-type': 'application/json; charset=utf-8' }, text })
      }
    })
  return { ask, size: () => polls.size(), stop: (close) => polls.stop(close) }
}
