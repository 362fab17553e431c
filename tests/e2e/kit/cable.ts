import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A network cable between an app and its server that can be unplugged and plugged in again while both keep running. */
export class Cable {
  readonly #server: Server
  readonly #to: number
  readonly #open = new Set<Socket>()
  readonly #near = new Set<Socket>()
  #cut = false
  #held = false

  private constructor(to: number) {
    this.#to = to
    this.#server = createServer((near) => this.#plug(near))
  }

  /** To a server's address. */
  static async to(serverUrl: string): Promise<Cable> {
    const cable = new Cable(Number(new URL(serverUrl).port))
    await new Promise<void>((resolve) => cable.#server.listen(0, '127.0.0.1', resolve))
    return cable
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  cut(): void {
    this.#cut = true
    for (const socket of this.#open) socket.destroy()
  }

  mend(): void {
    this.#cut = false
  }

  /** From now on no data of the app reaches the server, though both are connected, as in an overloaded network. */
  hold(): void {
    this.#held = true
    for (const socket of this.#near) socket.pause()
  }

  release(): void {
    this.#held = false
    for (const socket of this.#near) socket.resume()
  }

  async end(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #plug(near: Socket): void {
    if (this.#cut) return void near.destroy()
    const far = connect(this.#to, '127.0.0.1')
    for (const [here, there] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(here)
      // Either end may close at any time; the other one is closed with it.
      here.on('error', () => there.destroy())
      here.on('close', () => {
        this.#open.delete(here)
        there.destroy()
      })
    }
    // A server responds only under its own host name; every free port has five digits, so lengths stay right.
    near.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1').replaceAll(new URL(this.url).host, `127.0.0.1:${this.#to}`)
      far.write(text, 'latin1')
    })
    far.pipe(near)
    this.#near.add(near)
    near.on('close', () => this.#near.delete(near))
    if (this.#held) near.pause()
  }
}
