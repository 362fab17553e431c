import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'

export type RawAnswer = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

export type RawRequest = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const portOf = (base: string): number => Number(new URL(base).port)

/** One request on its own connection, with exactly this path and any header, also `Host`. */
export function ask(
  base: string,
  { method = 'GET', path = '/hi', headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: portOf(base), agent: false as const, method, path, headers }
    const request = httpRequest(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
    })
    request.on('error', reject)
    request.end(body)
  })
}

export type RawConnection = {
  readonly socket: Socket
  /** All bytes received so far. */
  text(): string
  /** Resolves when the other side has closed the connection. */
  readonly ended: Promise<void>
}

/** A raw connection to the server: it receives exactly what is written. */
export async function dial(base: string): Promise<RawConnection> {
  const socket = connect(portOf(base), '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => socket.destroy())
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return { socket, text: () => Buffer.concat(parts).toString('latin1'), ended }
}

/** Writes to a raw connection and returns everything received until it closes. */
export async function speak(base: string, text: string): Promise<string> {
  const connection = await dial(base)
  connection.socket.write(text)
  await connection.ended
  return connection.text()
}

/** The code of an error body; undefined for any other body. */
export function codeIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { code?: number }).code
  } catch {
    return undefined
  }
}
