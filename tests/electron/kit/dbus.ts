import { connect, type Socket } from 'node:net'

/** What D-Bus carries. A variant is read as its value and written as a {@link Variant}; an `a{s…}` is a record. */
export type Value =
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | readonly Value[]
  | { readonly [key: string]: Value }
  | Variant

export class Variant {
  readonly signature: string
  readonly value: Value
  constructor(signature: string, value: Value) {
    this.signature = signature
    this.value = value
  }
}

export function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') throw new Error(`Not a text: ${typeof value}`)
  return value
}

export type Message = {
  readonly type: number
  readonly serial: number
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly sender: string
  readonly body: readonly Value[]
}

/** What a service returns: the values and their types, or nothing if it does not know the call. */
export type Answer = { readonly signature: string; readonly values: readonly Value[] } | undefined

const [CALL, RETURN, ERROR, SIGNAL] = [1, 2, 3, 4] as const
const [PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE] = [
  1, 2, 3, 4, 5, 6, 7, 8,
] as const

/** One connection to a real D-Bus daemon, enough of the protocol to be a desktop's services and to call a program's. */
export class Bus {
  readonly #socket: Socket
  readonly #pending = new Map<number, { resolve(values: readonly Value[]): void; reject(error: Error): void }>()
  readonly #services: ((message: Message) => Answer)[] = []
  readonly #listeners: ((message: Message) => void)[] = []
  #serial = 0
  #received = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async connect(path: string): Promise<Bus> {
    const socket = connect(path)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
    const greeted = new Promise<void>((resolve, reject) => {
      socket.once('data', (line) => (String(line).startsWith('OK ') ? resolve() : reject(new Error(String(line)))))
    })
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`)
    await greeted
    socket.write('BEGIN\r\n')
    const bus = new Bus(socket)
    socket.on('data', (chunk) => bus.#receive(chunk))
    await bus.#daemon('Hello', '', [])
    return bus
  }

  /** Takes a name and responds to calls there. */
  async serve(name: string, answer: (message: Message) => Answer): Promise<void> {
    this.#services.push(answer)
    await this.#daemon('RequestName', 'su', [name, 0])
  }

  async onSignal(match: string, listener: (message: Message) => void): Promise<void> {
    this.#listeners.push(listener)
    await this.#daemon('AddMatch', 's', [`type='signal',${match}`])
  }

  call(
    destination: string,
    path: string,
    of: string,
    member: string,
    signature = '',
    values: readonly Value[] = [],
  ): Promise<readonly Value[]> {
    return new Promise((resolve, reject) => {
      const serial = this.#send(CALL, { destination, path, interface: of, member }, signature, values)
      this.#pending.set(serial, { resolve, reject })
    })
  }

  signal(path: string, of: string, member: string, signature: string, values: readonly Value[]): void {
    this.#send(SIGNAL, { path, interface: of, member }, signature, values)
  }

  close(): void {
    this.#socket.destroy()
  }

  #daemon(member: string, signature: string, values: readonly Value[]): Promise<readonly Value[]> {
    const name = 'org.freedesktop.DBus'
    return this.call(name, '/org/freedesktop/DBus', name, member, signature, values)
  }

  #send(
    type: number,
    to: { path?: string; interface?: string; member?: string; destination?: string; replyTo?: number; error?: string },
    signature: string,
    values: readonly Value[],
  ): number {
    const fields: Value[] = []
    const field = (code: number, as: string, value: Value | undefined): void => {
      if (value !== undefined) fields.push([code, new Variant(as, value)])
    }
    field(PATH, 'o', to.path)
    field(INTERFACE, 's', to.interface)
    field(MEMBER, 's', to.member)
    field(ERROR_NAME, 's', to.error)
    field(REPLY_SERIAL, 'u', to.replyTo)
    field(DESTINATION, 's', to.destination)
    if (signature !== '') field(SIGNATURE, 'g', signature)
    const body = new Writer()
    body.all(signature, values)
    this.#serial += 1
    const head = new Writer()
    head.all('yyyyuua(yv)', ['l'.charCodeAt(0), type, 0, 1, body.length, this.#serial, fields])
    head.align(8)
    this.#socket.write(Buffer.concat([head.bytes(), body.bytes()]))
    return this.#serial
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    while (this.#received.length >= 16) {
      const fields = this.#received.readUInt32LE(12)
      const start = 16 + fields + ((8 - (fields % 8)) % 8)
      const end = start + this.#received.readUInt32LE(4)
      if (this.#received.length < end) return
      const whole = this.#received.subarray(0, end)
      this.#received = this.#received.subarray(end)
      this.#take(whole, start)
    }
  }

  #take(whole: Buffer, start: number): void {
    const [, type, , , , serial, pairs] = new Reader(whole).all('yyyyuua(yv)') as [
      0,
      number,
      0,
      0,
      0,
      number,
      [number, Value][],
    ]
    const fields = new Map(pairs)
    const text = (code: number): string => textOf(fields.get(code) ?? '')
    const body = new Reader(whole.subarray(start)).all(text(SIGNATURE))
    const message: Message = {
      type,
      serial,
      path: text(PATH),
      interface: text(INTERFACE),
      member: text(MEMBER),
      sender: text(SENDER),
      body,
    }
    if (type === CALL) this.#answer(message)
    else if (type === SIGNAL) for (const listener of this.#listeners) listener(message)
    else {
      const waiting = this.#pending.get(Number(fields.get(REPLY_SERIAL)))
      this.#pending.delete(Number(fields.get(REPLY_SERIAL)))
      if (type === RETURN) waiting?.resolve(body)
      else waiting?.reject(new Error(`${text(ERROR_NAME)}: ${textOf(body[0] ?? '')}`))
    }
  }

  #answer(message: Message): void {
    const to = { destination: message.sender, replyTo: message.serial }
    for (const service of this.#services) {
      const answer = service(message)
      if (answer) return void this.#send(RETURN, to, answer.signature, answer.values)
    }
    this.#send(ERROR, { ...to, error: 'org.freedesktop.DBus.Error.UnknownMethod' }, '', [])
  }
}

/** The types of a signature one by one: `sa{sv}` is `s` and `a{sv}`. */
function typesOf(signature: string): string[] {
  const types: string[] = []
  for (let at = 0; at < signature.length;) {
    const end = endOf(signature, at)
    types.push(signature.slice(at, end))
    at = end
  }
  return types
}

function endOf(signature: string, at: number): number {
  if (signature[at] === 'a') return endOf(signature, at + 1)
  if (!'({'.includes(signature[at] ?? '')) return at + 1
  let open = 0
  for (let end = at; end < signature.length; end += 1) {
    if ('({'.includes(signature[end] ?? '')) open += 1
    if (')}'.includes(signature[end] ?? '')) open -= 1
    if (open === 0) return end + 1
  }
  throw new Error(`Not a signature: ${signature}`)
}

/** Little-endian sizes of the fixed types; strings, arrays and structures are written by hand. */
const SIZES: Readonly<Record<string, number>> = { y: 1, b: 4, n: 2, q: 2, i: 4, u: 4, h: 4, x: 8, t: 8, d: 8 }
const alignmentOf = (type: string): number =>
  SIZES[type[0] ?? ''] ?? { s: 4, o: 4, a: 4, g: 1, v: 1 }[type[0] ?? ''] ?? 8

class Writer {
  #bytes = Buffer.alloc(0)

  get length(): number {
    return this.#bytes.length
  }

  bytes = (): Buffer => this.#bytes

  align(to: number): void {
    this.#add(Buffer.alloc((to - (this.length % to)) % to))
  }

  all(signature: string, values: readonly Value[]): void {
    for (const [index, type] of typesOf(signature).entries()) this.#one(type, values[index] as Value)
  }

  #one(type: string, value: Value): void {
    this.align(alignmentOf(type))
    const [kind] = type
    if (kind === 'v') {
      const { signature, value: inner } = value as Variant
      this.#one('g', signature)
      this.#one(signature, inner)
    } else if (kind === 'a') this.#array(type.slice(1), value)
    else if (kind === '(' || kind === '{') this.all(type.slice(1, -1), value as readonly Value[])
    else if (kind === 's' || kind === 'o' || kind === 'g') this.#text(kind, textOf(value))
    else this.#number(type, value as number | bigint | boolean)
  }

  #array(of: string, value: Value): void {
    const lengthAt = this.length
    this.#add(Buffer.alloc(4))
    this.align(alignmentOf(of))
    const start = this.length
    if (Buffer.isBuffer(value)) this.#add(value)
    else {
      const items = Array.isArray(value) ? (value as Value[]) : Object.entries(value as Record<string, Value>)
      for (const item of items) this.#one(of, item)
    }
    this.#bytes.writeUInt32LE(this.length - start, lengthAt)
  }

  #text(kind: string, text: string): void {
    const bytes = Buffer.from(text)
    if (kind === 'g') this.#add(Buffer.from([bytes.length]))
    else this.#number('u', bytes.length)
    this.#add(bytes)
    this.#add(Buffer.alloc(1))
  }

  #number(type: string, value: number | bigint | boolean): void {
    const part = Buffer.alloc(SIZES[type] ?? 0)
    if (type === 'y') part.writeUInt8(Number(value))
    else if (type === 'n') part.writeInt16LE(Number(value))
    else if (type === 'q') part.writeUInt16LE(Number(value))
    else if (type === 'i') part.writeInt32LE(Number(value))
    else if (type === 'x') part.writeBigInt64LE(BigInt(value))
    else if (type === 't') part.writeBigUInt64LE(BigInt(value))
    else if (type === 'd') part.writeDoubleLE(Number(value))
    else part.writeUInt32LE(Number(value))
    this.#add(part)
  }

  #add(part: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, part])
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  all = (signature: string): Value[] => typesOf(signature).map((type) => this.#one(type))

  #one(type: string): Value {
    this.#align(alignmentOf(type))
    const [kind] = type
    if (kind === 'v') return this.#one(textOf(this.#one('g')))
    if (kind === 'a') return this.#array(type.slice(1))
    if (kind === '(' || kind === '{') return this.all(type.slice(1, -1))
    if (kind === 'g') return this.#text(this.#bytes.readUInt8(this.#at++))
    if (kind === 's' || kind === 'o') return this.#text(Number(this.#number('u')))
    return this.#number(type)
  }

  #array(of: string): Value {
    const length = Number(this.#number('u'))
    this.#align(alignmentOf(of))
    const end = this.#at + length
    if (of === 'y') {
      const bytes = this.#bytes.subarray(this.#at, end)
      this.#at = end
      return bytes
    }
    const items: Value[] = []
    while (this.#at < end) items.push(this.#one(of))
    return of.startsWith('{s') ? Object.fromEntries(items as [string, Value][]) : items
  }

  #text(length: number): string {
    const text = this.#bytes.toString('utf8', this.#at, this.#at + length)
    this.#at += length + 1
    return text
  }

  #number(type: string): boolean | number | bigint {
    const at = this.#at
    this.#at += SIZES[type] ?? 0
    if (type === 'y') return this.#bytes.readUInt8(at)
    if (type === 'b') return this.#bytes.readUInt32LE(at) === 1
    if (type === 'n') return this.#bytes.readInt16LE(at)
    if (type === 'q') return this.#bytes.readUInt16LE(at)
    if (type === 'i') return this.#bytes.readInt32LE(at)
    if (type === 'x') return this.#bytes.readBigInt64LE(at)
    if (type === 't') return this.#bytes.readBigUInt64LE(at)
    if (type === 'd') return this.#bytes.readDoubleLE(at)
    return this.#bytes.readUInt32LE(at)
  }

  #align(to: number): void {
    this.#at += (to - (this.#at % to)) % to
  }
}
