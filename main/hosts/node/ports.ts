import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WebSocket, type ClientOptions } from 'ws'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { Ports, FilesPort, Socket, SocketHandlers, SocketPort } from '#main/engine/ports.ts'
import { nodeHttp, KEEP_ALIVE_MS } from './http-port.ts'
import { type Proxies, pinnedTo } from './network.ts'

/** The real ports: this machine's clock, random numbers, network and disk. */
export function nodePorts(log: LogSink, proxies?: Proxies): Ports {
  return {
    clock: systemClock,
    ids: systemIds,
    http: nodeHttp(proxies),
    sockets: nodeSockets(proxies),
    files: nodeFiles(),
    log,
  }
}

/** The disk, for both hosts. Folders 0700, files 0600. */
export function nodeFiles(): FilesPort {
  return {
    async append(path, bytes) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await appendFile(path, bytes, { mode: 0o600 })
    },
    sync: (path) => withFile(path, 'r+', (file) => file.sync()),
    read: (path, start, length) =>
      withFile(path, 'r', async (file) => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      }),
    async size(path) {
      return (await absentIfMissing(stat(path)))?.size
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    async list(folder) {
      return (await absentIfMissing(readdir(folder))) ?? []
    },
  }
}

async function withFile<T>(
  path: string,
  flags: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function absentIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A larger frame closes the socket with 1009, and the reconnect recovers. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024

/** WebSockets over Node, for both hosts. Text frames only; compression off, as the contract's clients do. */
export function nodeSockets(proxies?: Proxies): SocketPort {
  return {
    open: (url, handlers, certificate) =>
      certificate !== undefined
        ? // The type of the library asks for a boolean, where Node asks for an error.
          openSocket(url, handlers, pinnedTo(certificate) as unknown as ClientOptions)
        : proxies === undefined || proxies.isDirect(url)
          ? openSocket(url, handlers, { ...proxies?.identityFor(url) })
          : openWith(proxies, url, handlers),
  }
}

function openSocket(url: string, handlers: SocketHandlers, proxyOptions: ClientOptions): Socket {
  const socket = new WebSocket(url, {
    ...proxyOptions,
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
  socket.on('upgrade', (answer) => answer.socket.setKeepAlive(true, KEEP_ALIVE_MS))
  socket.on('open', () => handlers.onOpen())
  socket.on('message', (data, isBinary) => {
    if (!isBinary && !closed) handlers.onFrame((data as Buffer).toString('utf8'))
  })
  // A close event follows every error and reports it.
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
}

/** The proxy is looked up first; until then nothing can be sent, and a close ends the lookup. */
function openWith(proxies: Proxies, url: string, handlers: SocketHandlers): Socket {
  let socket: Socket | undefined
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    handlers.onClose(1006, '')
  }
  async function openNow(): Promise<void> {
    const agent = await proxies.agentFor(url)
    if (!isOver) socket = openSocket(url, handlers, { ...proxies.identityFor(url), agent })
  }
  openNow().catch(end)
  return {
    send: (text) => socket?.send(text),
    close: (code, reason) => (socket ? socket.close(code, reason) : end()),
    terminate: () => (socket ? socket.terminate() : end()),
  }
}
