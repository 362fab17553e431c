import { connect, type Socket } from 'node:net'

const [QUERY_TREE, INTERN_ATOM, GET_PROPERTY, GRAB_KEY] = [15, 16, 20, 33] as const
const [GRAB_SERVER, QUERY_EXTENSION, GET_KEYBOARD_MAPPING] = [36, 98, 101] as const
const [PRESS, RELEASE] = [2, 3] as const
const KEYSYMS: Readonly<Record<string, number>> = { Ctrl: 0xffe3, Shift: 0xffe1, Alt: 0xffe9, Enter: 0xff0d }
const MODIFIERS: Readonly<Record<string, number>> = { Shift: 1, Ctrl: 4, Alt: 8 }
const ASYNCHRONOUS = 1
/** The property with a window's title in UTF-8. */
const TITLE = '_NET_WM_NAME'

/** Presses keys together on an X screen as a keyboard does (the XTEST extension), whatever window has the focus. */
export async function pressKeys(display: string, names: readonly string[]): Promise<void> {
  const screen = await Screen.connect(socketOf(display))
  const codes = await screen.keycodes(names.map(keysymOf))
  for (const code of codes) screen.fake(PRESS, code)
  for (const code of codes.toReversed()) screen.fake(RELEASE, code)
  // A reply to a later request: the keys were taken.
  await screen.keycodes([])
  screen.close()
}

/** Another program that holds these keys as a global shortcut. The returned function ends it. */
export async function holdKeys(display: string, names: readonly string[]): Promise<() => void> {
  const screen = await Screen.connect(socketOf(display))
  const key = names.find((name) => MODIFIERS[name] === undefined) ?? ''
  const modifiers = names.reduce((all, name) => all | (MODIFIERS[name] ?? 0), 0)
  const [keycode = 0] = await screen.keycodes([keysymOf(key)])
  screen.grab(keycode, modifiers)
  // A reply to a later request: the keys are held; a refusal would have come first.
  await screen.keycodes([])
  return () => screen.close()
}

/** Titles of the windows on a screen, also of those that belong to no page. */
export async function windowTitles(display: string): Promise<readonly string[]> {
  const screen = await Screen.connect(socketOf(display))
  const titles = await screen.titles()
  screen.close()
  return titles
}

const socketOf = (display: string): string => `/tmp/.X11-unix/X${display.replace(':', '')}`
const keysymOf = (name: string): number => KEYSYMS[name] ?? name.toLowerCase().charCodeAt(0)

class Screen {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #enough: (() => void) | undefined
  #firstKeycode = 0
  #lastKeycode = 0
  #root = 0
  #xtest = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#enough?.()
    })
  }

  static async connect(path: string): Promise<Screen> {
    const socket = connect(path)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    const screen = new Screen(socket)
    // Little-endian, protocol 11.0, no authorization.
    socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    const head = await screen.#take(8)
    if (head[0] !== 1) throw new Error('The X server refused the connection.')
    const setup = await screen.#take(4 * head.readUInt16LE(6))
    screen.#firstKeycode = setup.readUInt8(26)
    screen.#lastKeycode = setup.readUInt8(27)
    // After the fixed part: the vendor's name in whole words, and the formats of 8 bytes each.
    const vendor = Math.ceil(setup.readUInt16LE(16) / 4) * 4
    screen.#root = setup.readUInt32LE(32 + vendor + 8 * setup.readUInt8(21))
    await screen.#findXtest()
    return screen
  }

  async keycodes(keysyms: readonly number[]): Promise<number[]> {
    const count = this.#lastKeycode - this.#firstKeycode + 1
    const request = Buffer.from([GET_KEYBOARD_MAPPING, 0, 2, 0, this.#firstKeycode, count, 0, 0])
    this.#socket.write(request)
    const head = await this.#reply()
    const perKey = head.readUInt8(1)
    const all = await this.#take(4 * head.readUInt32LE(4))
    return keysyms.map((keysym) => {
      for (let key = 0; key < count; key += 1) {
        if (all.readUInt32LE(4 * key * perKey) === keysym) return this.#firstKeycode + key
      }
      throw new Error(`No key for ${keysym}.`)
    })
  }

  /** The connection must be closed afterwards: until then no other program is served, and no window closes. */
  async titles(): Promise<string[]> {
    this.#socket.write(Buffer.from([GRAB_SERVER, 0, 1, 0]))
    const titles: string[] = []
    const title = await this.#atom(TITLE)
    for (const window of await this.#windows()) {
      const request = Buffer.alloc(24)
      request.set([GET_PROPERTY, 0, 6, 0])
      request.writeUInt32LE(window, 4)
      request.writeUInt32LE(title, 8)
      request.writeUInt32LE(1_000, 20)
      this.#socket.write(request)
      const head = await this.#reply()
      const text = await this.#take(4 * head.readUInt32LE(4))
      if (text.length > 0) titles.push(text.toString('utf8', 0, head.readUInt32LE(16)))
    }
    return titles
  }

  async #atom(name: string): Promise<number> {
    const text = Buffer.alloc(Math.ceil(name.length / 4) * 4)
    text.write(name)
    this.#socket.write(
      Buffer.concat([Buffer.from([INTERN_ATOM, 0, 2 + text.length / 4, 0, name.length, 0, 0, 0]), text]),
    )
    return (await this.#reply()).readUInt32LE(8)
  }

  async #windows(): Promise<number[]> {
    const request = Buffer.from([QUERY_TREE, 0, 2, 0, 0, 0, 0, 0])
    request.writeUInt32LE(this.#root, 4)
    this.#socket.write(request)
    const head = await this.#reply()
    const all = await this.#take(4 * head.readUInt32LE(4))
    return Array.from({ length: all.length / 4 }, (_, at) => all.readUInt32LE(4 * at))
  }

  fake(type: number, keycode: number): void {
    const request = Buffer.alloc(36)
    request.set([this.#xtest, 2, 9, 0, type, keycode])
    this.#socket.write(request)
  }

  /** The keys are sent to this connection alone, wherever they are pressed. */
  grab(keycode: number, modifiers: number): void {
    const request = Buffer.from([GRAB_KEY, 1, 4, 0, 0, 0, 0, 0, 0, 0, keycode, ASYNCHRONOUS, ASYNCHRONOUS, 0, 0, 0])
    request.writeUInt32LE(this.#root, 4)
    request.writeUInt16LE(modifiers, 8)
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }

  async #findXtest(): Promise<void> {
    const name = Buffer.from('XTEST\0\0\0')
    this.#socket.write(Buffer.concat([Buffer.from([QUERY_EXTENSION, 0, 4, 0, 5, 0, 0, 0]), name]))
    const reply = await this.#reply()
    if (reply.readUInt8(8) !== 1) throw new Error('The X server has no XTEST.')
    this.#xtest = reply.readUInt8(9)
  }

  /** The next reply; events between, as of a new keyboard, are passed over. */
  async #reply(): Promise<Buffer> {
    for (;;) {
      const packet = await this.#take(32)
      if (packet[0] === 0) throw new Error(`The X server refused a request (${packet[1]}).`)
      if (packet[0] === 1) return packet
    }
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#received.length < length) await new Promise<void>((resolve) => (this.#enough = resolve))
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }
}
