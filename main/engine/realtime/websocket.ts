import { CLOSE_WAIT_MS } from '#shared/constants.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import type { Clock } from '#main/lib/clock.ts'
import { queryText } from '../api/client.ts'
import type { Socket, SocketPort } from '../ports.ts'
import type { Dial, TransportConnection, TransportHandlers, Transport } from './transport.ts'

type WebsocketOptions = {
  /** http or https; the scheme is replaced. A function if the address can change; read for every attempt. */
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  readonly clientName: string
  readonly sockets: SocketPort
  readonly clock: Clock
}

/** The realtime websocket. See docs/wire.md 2.1, 2.5, 2.6. */
export function websocketTransport(options: WebsocketOptions): Transport {
  return { kind: 'websocket', open: (dial, handlers) => openSocket(options, dial, handlers) }
}

function openSocket(options: WebsocketOptions, dial: Dial, handlers: TransportHandlers): TransportConnection {
  let silent = false
  let ended: (() => void) | undefined
  const socket: Socket = options.sockets.open(addressOf(options, dial), {
    onOpen: () => {},
    onFrame: (text) => {
      if (!silent) handlers.onFrame(parsed(text))
    },
    onClose: (code, reason) => {
      ended?.()
      if (!silent) handlers.onLost({ kind: code === CLOSE_CODES.normal ? 'ended' : 'lost', code, reason })
      silent = true
    },
  })
  return {
    ping: (clientId) => socket.send(JSON.stringify([{ type: 'health.check', client_id: clientId }])),
    close() {
      silent = true
      return new Promise((resolve) => {
        const stop = options.clock.after(CLOSE_WAIT_MS, () => {
          resolve()
          socket.terminate()
        })
        ended = () => {
          stop()
          resolve()
        }
        socket.close(CLOSE_CODES.normal, 'the person signed out or left')
      })
    },
    drop() {
      silent = true
      socket.terminate()
    },
  }
}

function addressOf(options: WebsocketOptions, dial: Dial): string {
  const query = queryText({
    json: dial.payload,
    api_key: options.apiKey,
    authorization: dial.token,
    'stream-auth-type': dial.authType,
    'X-Stream-Client': options.clientName,
  })
  const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl()
  return `${baseUrl.replace(/^http/, 'ws')}/connect?${query}`
}

/** `undefined` for text that is not JSON: the connection counts it as malformed. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A truncated or foreign frame. The next one may be complete again.
    return undefined
  }
}
