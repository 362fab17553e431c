import { WebSocket } from 'ws'
import type { SocketPort } from '#main/engine/ports.ts'

/** A larger frame closes the socket with 1009, and the reconnect recovers. Source: reliability promise R32. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024

/** WebSockets over Node, for both hosts. Text frames only; compression off, as the contract's clients do. */
export function nodeSockets(): SocketPort {
  return {
    open(url, handlers) {
      const socket = new WebSocket(url, {
        maxPayload: MAX_FRAME_BYTES,
        perMessageDeflate: false,
        followRedirects: false,
      })
      let closed = false
      const close = (code: number, reason: string): void => {
        if (closed) return
        closed = true
        handlers.onClose(code, reason)
      }
      socket.on('open', () => handlers.onOpen())
      socket.on('message', (data, isBinary) => {
        if (!isBinary && !closed) handlers.onFrame((data as Buffer).toString('utf8'))
      })
      // The close event that follows every error carries all that can be said.
      socket.on('error', () => undefined)
      socket.on('close', (code, reason) => close(code, reason.toString()))
      return {
        send(text) {
          if (socket.readyState === WebSocket.OPEN) socket.send(text)
        },
        close: (code, reason) => socket.close(code, reason),
        terminate() {
          socket.terminate()
          close(1006, '')
        },
      }
    },
  }
}
