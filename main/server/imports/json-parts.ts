import { StringDecoder } from 'node:string_decoder'

/** A JSON text that ends too early or is none. What came before it was read. */
export class BrokenJson extends Error {}

/** A value of a large JSON text: names of fields, and `*` for the items of a list. */
export type JsonPart = { readonly path: readonly string[]; readonly value: unknown }

/** One message with everything in it; a larger one is not of people. */
const MOST_BYTES = 16 * 1024 ** 2
const DEEPEST = 64

type Level = { readonly isList: boolean; key: string }
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'end'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c
const COLON = 0x3a
/** Space, line ends and tabs are at or below it. */
const SPACE = 0x20

/**
 * Reads a JSON text of any size in pieces: yields every plain value, and every object or list that `isWhole` wants whole.
 * A whole value that cannot be parsed or is too large is `undefined`. Throws {@link BrokenJson}.
 */
export async function* jsonParts(
  source: AsyncIterable<Buffer>,
  isWhole: (path: readonly string[]) => boolean,
): AsyncGenerator<JsonPart> {
  const scanner = new Scanner(isWhole)
  for await (const piece of source) yield* scanner.push(piece)
  yield* scanner.end()
}

class Scanner {
  readonly #isWhole: (path: readonly string[]) => boolean
  readonly #levels: Level[] = []
  #expected: Expected = 'value'
  /** What is being collected: its bytes so far, and how it ends. */
  #pieces: Buffer[] = []
  #size = 0
  #collecting: 'none' | 'key' | 'text' | 'plain' | 'whole' = 'none'
  #depth = 0
  #inText = false
  #escaped = false

  constructor(isWhole: (path: readonly string[]) => boolean) {
    this.#isWhole = isWhole
  }

  *push(piece: Buffer): Generator<JsonPart> {
    let at = 0
    while (at < piece.length) {
      if (this.#collecting === 'none') {
        at = this.#begin(piece, at)
        continue
      }
      const end = this.#endIn(piece, at)
      this.#collect(piece.subarray(at, end.at))
      at = end.at
      if (end.found) yield* this.#finish()
    }
  }

  *end(): Generator<JsonPart> {
    if (this.#collecting === 'plain') yield* this.#finish()
    if (this.#levels.length > 0 || this.#collecting !== 'none' || this.#expected !== 'end') throw new BrokenJson()
  }

  /** The byte at `at` is between values. Returns where to go on: at it again if it begins something to collect. */
  #begin(piece: Buffer, at: number): number {
    const byte = piece[at] ?? SPACE
    if (byte <= SPACE || (byte === 0xef && this.#levels.length === 0)) return at + 1
    // The rest of a byte order mark.
    if ((byte === 0xbb || byte === 0xbf) && this.#levels.length === 0) return at + 1
    if (byte === QUOTE && (this.#expected === 'key' || this.#expected === 'first-key')) return this.#open('key', at)
    if (this.#expected === 'value' || this.#expected === 'first-value') {
      const begun = this.#beginValue(byte, at)
      if (begun !== undefined) return begun
    }
    this.#punctuate(byte)
    return at + 1
  }

  #beginValue(byte: number, at: number): number | undefined {
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (this.#isWhole(this.#path())) return this.#open('whole', at)
      if (this.#levels.length >= DEEPEST) throw new BrokenJson()
      this.#levels.push({ isList: byte === OPEN_LIST, key: '*' })
      this.#expected = byte === OPEN_LIST ? 'first-value' : 'first-key'
      return at + 1
    }
    if (byte === QUOTE) return this.#open('text', at)
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT || byte === COMMA || byte === COLON) return undefined
    return this.#open('plain', at)
  }

  #punctuate(byte: number): void {
    const level = this.#levels.at(-1)
    if (byte === COLON && this.#expected === 'colon') this.#expected = 'value'
    else if (byte === COMMA && this.#expected === 'end' && level) this.#expected = level.isList ? 'value' : 'key'
    else if (this.#closes(byte, level)) {
      this.#levels.pop()
      this.#expected = 'end'
    } else throw new BrokenJson()
  }

  #closes(byte: number, level: Level | undefined): boolean {
    if (!level) return false
    if (level.isList) return byte === CLOSE_LIST && (this.#expected === 'end' || this.#expected === 'first-value')
    return byte === CLOSE_OBJECT && (this.#expected === 'end' || this.#expected === 'first-key')
  }

  #open(what: 'key' | 'text' | 'plain' | 'whole', at: number): number {
    this.#collecting = what
    this.#pieces = []
    this.#size = 0
    this.#depth = 0
    this.#inText = false
    this.#escaped = false
    return at
  }

  #collect(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size <= MOST_BYTES) this.#pieces.push(Buffer.from(piece))
    else this.#pieces = []
  }

  /** Where what is collected ends in this piece. */
  #endIn(piece: Buffer, from: number): { at: number; found: boolean } {
    if (this.#collecting === 'plain') return plainEnd(piece, from)
    const isWhole = this.#collecting === 'whole'
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0
      if (this.#escaped) this.#escaped = false
      else if (byte === QUOTE) {
        this.#inText = !this.#inText
        if (!this.#inText && !isWhole) return { at: at + 1, found: true }
      } else if (this.#inText) this.#escaped = byte === BACKSLASH
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth -= 1
        if (this.#depth === 0) return { at: at + 1, found: true }
      }
    }
    return { at: piece.length, found: false }
  }

  *#finish(): Generator<JsonPart> {
    const what = this.#collecting
    this.#collecting = 'none'
    const value = this.#size > MOST_BYTES ? undefined : parsed(Buffer.concat(this.#pieces).toString('utf8'))
    this.#pieces = []
    if (what === 'key') {
      const level = this.#levels.at(-1)
      if (level) level.key = typeof value === 'string' ? value : ''
      this.#expected = 'colon'
      return
    }
    if (what === 'plain' && value === undefined) throw new BrokenJson()
    yield { path: this.#path(), value }
    this.#expected = 'end'
  }

  #path(): string[] {
    return this.#levels.map(({ isList, key }) => (isList ? '*' : key))
  }
}

/** A number or a word ends before the next mark. */
function plainEnd(piece: Buffer, from: number): { at: number; found: boolean } {
  for (let at = from; at < piece.length; at += 1) {
    const byte = piece[at] ?? 0
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) return { at, found: true }
  }
  return { at: piece.length, found: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The values of JSON lines; `undefined` for one that cannot be parsed or is too large. */
export async function* jsonLines(source: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  const decoder = new StringDecoder('utf8')
  const line = new Line()
  for await (const piece of source) {
    // Only what is new is looked at: a line may be long.
    const [first = '', ...others] = decoder.write(piece).split('\n')
    line.add(first)
    for (const next of others) {
      yield* line.end()
      line.add(next)
    }
  }
  yield* line.end()
}

/** A line that arrives in pieces. */
class Line {
  #pieces: string[] = []
  #length = 0

  add(piece: string): void {
    this.#length += piece.length
    if (this.#length <= MOST_BYTES) this.#pieces.push(piece)
    else this.#pieces = []
  }

  /** Its value, unless it is empty; `undefined` when it cannot be parsed or is too large. */
  *end(): Generator<unknown> {
    const text = this.#pieces.join('')
    const isTooLarge = this.#length > MOST_BYTES
    this.#pieces = []
    this.#length = 0
    if (isTooLarge) yield undefined
    else if (text.trim() !== '') yield parsed(text.replace(/^\uFEFF/, ''))
  }
}
