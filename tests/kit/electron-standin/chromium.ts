import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHROMIUM_FLAGS, findChromium } from '../../../.ci/chromium.ts'

type Params = Record<string, unknown>
type Listener = (params: Params) => void

/** A Chromium under our control, over its debugging protocol. One connection, one flat session per window. */
export class Chromium {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve: (result: Params) => void; reject: (error: Error) => void }>()
  readonly #listeners = new Map<string, Listener>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', (event) => this.#take(JSON.parse(String(event.data)) as Params))
  }

  static async start(): Promise<Chromium> {
    const path = findChromium()
    if (path === undefined) throw new Error('The Electron stand-in needs a Chromium; set CHROMIUM_PATH.')
    const headless = process.env['DISPLAY'] ? [] : ['--headless=new']
    const profile = mkdtempSync(join(tmpdir(), 'standin-'))
    const flags = [...CHROMIUM_FLAGS, '--disable-default-apps']
    const child = spawn(
      path,
      [...flags, ...headless, `--user-data-dir=${profile}`, '--remote-debugging-port=0', '--no-startup-window'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const endpoint = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        process.stderr.write(chunk)
        text += chunk
        const found = /DevTools listening on (ws:\S+)/.exec(text)
        if (found?.[1]) resolve(found[1])
      })
      child.once('exit', () => reject(new Error('Chromium ended at once')))
    })
    const socket = new WebSocket(endpoint)
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    return new Chromium(socket)
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    })
  }

  /** Hears one kind of event of one session (or of the browser itself). */
  on(method: string, sessionId: string | undefined, listener: Listener): void {
    this.#listeners.set(`${sessionId ?? ''} ${method}`, listener)
  }

  #take(message: Params): void {
    const { id, method, params, result, error, sessionId } = message
    if (typeof id === 'number') {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(new Error((error as { message: string }).message))
      else waiting?.resolve(result as Params)
      return
    }
    this.#listeners.get(`${(sessionId as string | undefined) ?? ''} ${String(method)}`)?.(params as Params)
  }
}
