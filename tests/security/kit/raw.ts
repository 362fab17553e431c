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

/** One request on a line of its own, with the path as it stands here and any header, `Host` too. */
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

export type Line = {
  readonly socket: Socket
  /** All that came so far. */
  text(): string
  /** Resolves when the other side has ended the line. */
  readonly ended: Promise<void>
}

/** A bare line to the server: what is written is what it gets. */
export async function dial(base: string): Promise<Line> {
  const socket = connect(portOf(base), '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => socket.destroy())
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return { socket, text: () => Buffer.concat(parts).toString('latin1'), ended }
}

/** Writes to a bare line and answers all that comes until it ends. */
export async function speak(base: string, text: string): Promise<string> {
  const line = await dial(base)
  line.socket.write(text)
  await line.ended
  return line.text()
}

/** The code of an error body; undefined for what is none. */
export function codeIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { code?: number }).code
  } catch {
    return undefined
  }
}
