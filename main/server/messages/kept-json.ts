import { randomUUID } from 'node:crypto'
import type { WireUser } from '#shared/wire/objects.ts'
import { WrittenJson } from '../http/written-json.ts'
import { unknownUser } from '../users/encode-users.ts'
import type { People } from './encode-messages.ts'

/**
 * What JSON that is kept leaves open, because it may be different in the next response: a person, and stored addresses of
 * files, which are signed for a time.
 */
type Gap = { readonly kind: 'person'; readonly id: string } | { readonly kind: 'files'; readonly text: string }

/** JSON with gaps. */
export type KeptJson = {
  /** One more than gaps: what is before, between and after them. */
  readonly parts: readonly Uint8Array[]
  readonly gaps: readonly Gap[]
  /** About how many bytes of memory it takes. */
  readonly size: number
}

/** Each part is an object of its own. */
const PART_BYTES = 150

/** Nobody knows it, so no text of anybody contains it. */
const MARK = randomUUID()

/**
 * Something is encoded with these people instead of the real ones, and then kept: where one of them stands, there is a
 * gap.
 */
export function createGaps(): { readonly people: People; readonly keep: (value: object) => KeptJson } {
  const all: Gap[] = []
  const marked = (gap: Gap): string => `${MARK}${all.push(gap) - 1}`
  const known = new Map<string, WireUser>()
  const person = (id: string): WireUser => {
    const found = known.get(id)
    if (found) return found
    const mark = marked({ kind: 'person', id })
    const made = { ...unknownUser(id), toJSON: () => mark }
    known.set(id, made)
    return made
  }
  const fresh = (text: string): string =>
    text.includes('/files/') ? JSON.stringify(marked({ kind: 'files', text })) : text
  const nothing = (): void => undefined
  return {
    people: Object.assign(person, { whole: person, load: nothing, forget: nothing, fresh }),
    keep(value) {
      const [first = '', ...others] = JSON.stringify(value).split(`"${MARK}`)
      // Of each of the others, the number of its gap, a quote, and what follows the gap.
      const ends = others.map((text) => text.indexOf('"'))
      const parts = inOneBuffer([first, ...others.map((text, index) => text.slice((ends[index] ?? 0) + 1))])
      return {
        parts,
        gaps: others.flatMap((text, index) => all[Number(text.slice(0, ends[index]))] ?? []),
        size: parts.reduce((sum, part) => sum + part.length + PART_BYTES, 0),
      }
    },
  }
}

const BEFORE_USER = Buffer.from('{"user":')

/** `{"user": …}` with a gap there and these other parts: for small objects that change often. */
export function keepBesideUser(id: string, others: object): KeptJson {
  const after = Buffer.from(`,${JSON.stringify(others).slice(1)}`)
  return { parts: [BEFORE_USER, after], gaps: [{ kind: 'person', id }], size: after.length + PART_BYTES }
}

/** Not from Node's pool, of which each piece keeps eight kilobytes alive. */
function inOneBuffer(texts: readonly string[]): Uint8Array[] {
  const sizes = texts.map((text) => Buffer.byteLength(text))
  const whole = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  return texts.map((text, index) => {
    const size = sizes[index] ?? 0
    whole.write(text, at)
    at += size
    return whole.subarray(at - size, at)
  })
}

/** Fills the gaps of one response: each person is written once. */
export type Filling = {
  /** Before the first gap with them, so that people are read with one query. */
  load(kept: Iterable<KeptJson>): void
  /** A list of what is kept, and of JSON without gaps. */
  list<T>(items: readonly (KeptJson | Uint8Array)[]): WrittenJson<readonly T[]>
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const EMPTY = Buffer.from('[]')

export function createFilling(people: People): Filling {
  const written = new Map<string, Uint8Array>()
  const person = (id: string): Uint8Array => {
    const known = written.get(id)
    if (known) return known
    const made = Buffer.from(JSON.stringify(people(id)))
    written.set(id, made)
    return made
  }
  const fill = ({ parts, gaps }: KeptJson, pieces: Uint8Array[]): void => {
    for (const [index, part] of parts.entries()) {
      pieces.push(part)
      const gap = gaps[index]
      if (gap) pieces.push(gap.kind === 'person' ? person(gap.id) : Buffer.from(people.fresh(gap.text)))
    }
  }
  return {
    load(all) {
      const ids = new Set<string>()
      for (const { gaps } of all) for (const gap of gaps) if (gap.kind === 'person') ids.add(gap.id)
      people.load(ids)
    },
    list(items) {
      if (items.length === 0) return new WrittenJson([EMPTY])
      const pieces: Uint8Array[] = []
      for (const [index, item] of items.entries()) {
        pieces.push(index === 0 ? OPEN : COMMA)
        if (item instanceof Uint8Array) pieces.push(item)
        else fill(item, pieces)
      }
      pieces.push(CLOSE)
      return new WrittenJson(pieces)
    },
  }
}
