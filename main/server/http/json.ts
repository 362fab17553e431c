import { cleaned } from '#shared/lib/clean-text.ts'
import { refuse } from './refusal.ts'

/**
 * A part of a response that is JSON already: bytes instead of objects. `jsonBytes` sends them as they are. Code that
 * reads a response of ours instead of sending it takes {@link plain}.
 */
export class WrittenJson<T> {
  readonly pieces: readonly Uint8Array[]
  /** What reading it gives; never set. */
  declare readonly value?: T

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }

  /** For `JSON.stringify` of an object that has it as a part: right, and slow. */
  toJSON(): T {
    return JSON.parse(Buffer.concat(this.pieces).toString('utf8')) as T
  }
}

/** An object of which some parts are already written. */
export type PartlyWritten<T> = { readonly [Key in keyof T]: T[Key] | WrittenJson<T[Key]> }

/** The objects that a client would read. */
export const plain = <T extends object>(reply: PartlyWritten<T>): T =>
  Object.fromEntries(
    Object.entries(reply).map(([key, part]) => [key, part instanceof WrittenJson ? part.toJSON() : part]),
  ) as T

/** Bytes of a JSON body. */
export const MAX_BODY_BYTES = 1024 * 1024
const MAX_DEPTH = 32
const MAX_KEYS = 1_000
const MAX_ITEMS = 10_000

export type Json = Readonly<Record<string, unknown>>

/**
 * Parses a JSON object and refuses what is nested too deep or has too many keys or items. An empty text is an empty
 * object.
 */
export function parseBody(text: string): Json {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('input', 'the body is not valid JSON')
  }
  if (!isObject(value)) return refuse('input', 'the body must be a JSON object')
  checkShape(value, 1)
  if (hasDuplicateKeys(text)) refuse('input', 'the body names a key twice')
  return UNCLEAN.test(text) ? (cleanedWhole(value) as Json) : value
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** From so many objects on, a list is turned into bytes item by item. */
const LONG = 16

/**
 * The bytes of `JSON.stringify`, made piece by piece: as one text, a single letter that is not Latin makes all of it
 * twice as large, and a list of channels has a million letters. In pieces it takes half the time.
 */
export const jsonBytes = (value: object): Buffer => Buffer.concat(jsonPieces(value))

function jsonPieces(value: object): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const last = write(value, '', pieces)
  if (last !== '') pieces.push(Buffer.from(last))
  return pieces
}

/** A list whose items are partly written: they are sent without being read. */
export function writtenList<T extends object>(items: readonly PartlyWritten<T>[]): WrittenJson<readonly T[]> {
  const pieces: Uint8Array[] = []
  let text = '['
  for (const [index, item] of items.entries()) text = write(item, index === 0 ? text : `${text},`, pieces)
  pieces.push(Buffer.from(`${text}]`))
  return new WrittenJson(pieces)
}

/** Returns the text that follows the pieces, which begins with `text`. */
function write(value: unknown, text: string, pieces: Uint8Array[]): string {
  if (value instanceof WrittenJson) {
    if (text !== '') pieces.push(Buffer.from(text))
    for (const piece of value.pieces) pieces.push(piece)
    return ''
  }
  if (isLong(value)) {
    let after = text + '['
    for (const [index, item] of value.entries()) {
      pieces.push(Buffer.from(write(item, index === 0 ? after : ',', pieces)))
      after = ''
    }
    return ']'
  }
  if (!isObject(value) || 'toJSON' in value || !Object.values(value).some(isApart)) {
    return text + (JSON.stringify(value) ?? 'null')
  }
  let rest = text
  let mark = '{'
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined || typeof part === 'function') continue
    rest = write(part, `${rest}${mark}${JSON.stringify(key)}:`, pieces)
    mark = ','
  }
  return mark === '{' ? `${rest}{}` : `${rest}}`
}

const isLong = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= LONG && typeof value[0] === 'object' && value[0] !== null

const isApart = (value: unknown): boolean => value instanceof WrittenJson || isLong(value)

/** How JSON escapes NUL and surrogates; valid pairs match too, and cleaning leaves them as they are. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/i

/** Cleans every text and key of a value. */
function cleanedWhole(value: unknown): unknown {
  if (typeof value === 'string') return cleaned(value)
  if (Array.isArray(value)) return value.map(cleanedWhole)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [cleaned(key), cleanedWhole(part)]))
}

function checkShape(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) refuse('input', `the body is nested deeper than ${MAX_DEPTH} levels`)
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (Array.isArray(value) && parts.length > MAX_ITEMS) refuse('input', `a list has more than ${MAX_ITEMS} items`)
  if (!Array.isArray(value) && parts.length > MAX_KEYS) refuse('input', `an object has more than ${MAX_KEYS} keys`)
  for (const part of parts) checkShape(part, depth + 1)
}

/**
 * Query values as the contract sends them: objects and lists as JSON, `null`, `undefined` and empty texts as absent.
 */
export function parseQuery(search: URLSearchParams): Json {
  // Without a prototype: `constructor` and `__proto__` are ordinary keys.
  const query = Object.create(null) as Record<string, unknown>
  for (const [key, raw] of search) {
    const text = cleaned(raw)
    if (text === '' || text === 'null' || text === 'undefined') continue
    const value = /^[[{]/.test(text) ? parseValue(key, text) : text
    query[key] = key in query && typeof value === 'string' ? `${String(query[key])},${value}` : value
  }
  return query
}

function parseValue(key: string, text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('input', `${key} is not valid JSON`, { [key]: 'not valid JSON' })
  }
  checkShape(value, 1)
  if (hasDuplicateKeys(text)) refuse('input', `${key} names a key twice`, { [key]: 'duplicate key' })
  return UNCLEAN.test(text) ? cleanedWhole(value) : value
}

/**
 * True when an object of this valid JSON names a key twice: `JSON.parse` silently takes the last of two, and another
 * reader might take the first.
 */
export function hasDuplicateKeys(text: string): boolean {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(undefined)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = stringEnd(text, at)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) {
        const key = keyOf(text.slice(at, end))
        if (keys.has(key)) return true
        keys.add(key)
      }
      at = end - 1
    }
  }
  return false
}

/** The position after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function isKey(text: string, from: number): boolean {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}

/** `"\u0061"` and `"a"` are one key. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}
