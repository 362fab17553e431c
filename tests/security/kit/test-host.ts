import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { HostFrame, PageFrame } from '#shared/bridge/transport.ts'
import { startBrowserHost, type BrowserHost } from '#main/hosts/browser/host.ts'
import { silentSink } from '#main/lib/logger.ts'
import { shiftedClock } from './manual-clock.ts'

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parlor</title>
<script type="module" src="/assets/page.js"></script></head><body></body></html>`
/** Says hello with the code of its address and writes the response into the title. */
const SCRIPT = `const socket = new WebSocket('ws://127.0.0.1:' + location.port + '/bridge')
const code = location.hash.slice(6)
socket.onopen = () => socket.send(JSON.stringify({ hello: { code } }))
socket.onmessage = (event) => { document.title = Object.keys(JSON.parse(event.data))[0] }`
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type TestHost = BrowserHost & {
  readonly clock: ReturnType<typeof shiftedClock>
  /** Names of the calls that reached the app. */
  readonly calls: string[]
  readonly announced: string[]
  readonly closed: string[]
  readonly idle: { count: number }
  code(asUserId?: string): string
}

/** The real browser host with a page of two files and an app that returns the name of every call. */
export async function startTestHost(): Promise<TestHost> {
  const data = mkdtempSync(join(tmpdir(), 'parlor-host-'))
  const renderer = join(data, 'out', 'renderer')
  mkdirSync(join(renderer, 'assets'), { recursive: true })
  writeFileSync(join(renderer, 'index.html'), PAGE)
  writeFileSync(join(renderer, 'assets', 'page.js'), SCRIPT)
  writeFileSync(join(renderer, 'secret.txt'), 'not in the manifest')
  writeFileSync(join(data, 'out', 'renderer-files.json'), JSON.stringify(['/index.html', '/assets/page.js']))
  const picture = join(data, 'picture.png')
  writeFileSync(picture, Buffer.from(PICTURE, 'base64'))
  const clock = shiftedClock()
  const calls: string[] = []
  const announced: string[] = []
  const closed: string[] = []
  const idle = { count: 0 }
  const host = await startBrowserHost({
    version: '0.0.0',
    paths: { data, renderer, resources: data, notices: '' },
    serverEntry: '/nowhere.js',
    log: silentSink,
    clock,
    show: false,
    stay: true,
    announce: (url) => void announced.push(url),
    onIdle: () => void (idle.count += 1),
    requests: {
      call(window, name, input) {
        calls.push(name)
        if (name === 'push') window.push({ kind: 'effect', effect: { type: 'command', action: String(input) } })
        return Promise.resolve({
          ok: true,
          value: { as: window.asUserId ?? 'self', window: window.id, count: calls.length },
        })
      },
      closed: (window) => void closed.push(window.id),
      media: (_window, ref) =>
        Promise.resolve(ref === 'user/alice' ? { path: picture, mimeType: 'image/png', sizeBytes: 70 } : undefined),
    },
  })
  return {
    ...host,
    clock,
    calls,
    announced,
    closed,
    idle,
    code: (asUserId) => host.reusableUrl(asUserId).split('#code=')[1] ?? '',
    async stop() {
      await host.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

export type Answer = {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** A request with exactly these headers, path unchanged: `fetch` would normalize or forbid them. */
export function raw(
  port: number,
  path: string,
  options: { method?: string; headers?: string[] } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = options.headers ?? ['Host', `127.0.0.1:${port}`]
    const outgoing = request(
      { host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers, setHost: false },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** A page's end of the socket, without a page. */
export class FakePage {
  readonly frames: HostFrame[] = []
  readonly #socket: WebSocket
  readonly closed: Promise<number>
  #wake: () => void = () => undefined

  constructor(port: number, headers: Record<string, string> = { Origin: `http://127.0.0.1:${port}` }) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, { headers })
    this.closed = new Promise((resolve) => {
      this.#socket.on('close', resolve)
      this.#socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString('utf8')) as HostFrame)
      this.#wake()
    })
  }

  async opened(): Promise<this> {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      await new Promise((resolve) => this.#socket.once('open', resolve))
    }
    return this
  }

  send(frame: PageFrame | string): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** The next frame that contains this part, searched from the start. */
  async frame<Part extends string>(part: Part): Promise<Extract<HostFrame, Record<Part, unknown>>> {
    for (;;) {
      const found = this.frames.find((frame) => part in frame)
      if (found) {
        this.frames.splice(this.frames.indexOf(found), 1)
        return found as Extract<HostFrame, Record<Part, unknown>>
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async enter(hello: Extract<PageFrame, { hello: unknown }>['hello']) {
    await this.opened()
    this.send({ hello })
    return (await this.frame('welcome')).welcome
  }

  async refusal(hello: Extract<PageFrame, { hello: unknown }>['hello']): Promise<string> {
    await this.opened()
    this.send({ hello })
    return (await this.frame('refused')).refused.reason
  }

  /** Closes as a tab does that is closed. */
  leave(): void {
    this.#socket.close(1_001)
  }

  /** Closes as a network does that breaks. */
  drop(): void {
    this.#socket.terminate()
  }
}
