import type { Socket, SocketHandlers, SocketPort } from '#main/engine/ports.ts'

/** One socket the engine opened, seen from the server's side. Nothing happens automatically. */
export class FakeSocket {
  readonly url: string
  /** Texts the engine sent. */
  readonly sent: string[] = []
  state: 'opening' | 'open' | 'closing' | 'closed' = 'opening'
  /** Code and reason with which the engine closed it. */
  requestedClose: { code: number; reason: string } | undefined
  readonly #handlers: SocketHandlers

  constructor(url: string, handlers: SocketHandlers) {
    this.url = url
    this.#handlers = handlers
  }

  get query(): URLSearchParams {
    return new URL(this.url).searchParams
  }

  open(): void {
    this.state = 'open'
    this.#handlers.onOpen()
  }

  /** A frame from the server: text as it is, anything else as JSON. Also reaches a socket that the engine gave up. */
  frame(data: unknown): void {
    this.#handlers.onFrame(typeof data === 'string' ? data : JSON.stringify(data))
  }

  /** Opens and sends the first health check. */
  accept(me: Record<string, unknown>, connectionId = 'connection-1'): void {
    this.open()
    this.frame({ type: 'health.check', connection_id: connectionId, cid: '*', created_at: '2026-03-02T09:00:00Z', me })
  }

  /** Opens, sends the error frame and closes with 1000, as the contract says. */
  refuse(code: number, message = 'refused'): void {
    this.open()
    this.frame({ error: { code, message, StatusCode: 401, duration: '', more_info: '', details: [] } })
    this.end(1000)
  }

  /** The connection ends; 1006 means without a close frame. */
  end(code = 1006, reason = ''): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.#handlers.onClose(code, reason)
  }

  engineSide(): Socket {
    return {
      send: (text) => {
        if (this.state === 'open') this.sent.push(text)
      },
      close: (code, reason) => {
        this.requestedClose = { code, reason }
        if (this.state !== 'closed') this.state = 'closing'
      },
      terminate: () => this.end(1006),
    }
  }
}

/** Records every socket that is opened. `latest` fails the test when there is none. */
export class FakeSockets implements SocketPort {
  readonly all: FakeSocket[] = []

  open(url: string, handlers: SocketHandlers): Socket {
    const socket = new FakeSocket(url, handlers)
    this.all.push(socket)
    return socket.engineSide()
  }

  get latest(): FakeSocket {
    const socket = this.all.at(-1)
    if (!socket) throw new Error('The engine opened no socket')
    return socket
  }

  /** Sockets neither closed nor being closed. More than one is a fault of the engine. */
  get live(): readonly FakeSocket[] {
    return this.all.filter((socket) => socket.state === 'opening' || socket.state === 'open')
  }
}
