import { OWN_COMMANDS } from '../composer/commands.ts'

/**
 * Filler for a problem report: what replaces the texts and ids of people. It has the length and the kinds of characters of
 * the original, because bugs depend on them, and nothing else of it.
 */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Filler by kind of character, first match wins. What is written from right to left stays so, and what is wide stays wide. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\s/u, ''],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u, '🙂'],
  [/^\p{N}/u, '0'],
  [/^\p{Script=Hebrew}/u, 'א'],
  [/^\p{Script=Arabic}/u, 'ش'],
  [/^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul})/u, '字'],
  [/^(?=\p{Lu})\p{Script=Cyrillic}/u, 'Ж'],
  [/^\p{Script=Cyrillic}/u, 'ж'],
  [/^\p{Lu}/u, 'X'],
  [/^\p{L}/u, 'x'],
]
/** Marks of Markdown, mentions, commands and sentences, which the app reads. */
const KEPT = /^[!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]$/
const OTHER = '·'

function fillerOf(grapheme: string): string {
  const kind = KINDS.find(([pattern]) => pattern.test(grapheme))
  if (kind === undefined) return KEPT.test(grapheme) ? grapheme : OTHER
  if (kind[1] !== '') return kind[1]
  return /^[ \n\t]$/.test(grapheme) ? grapheme : ' '
}

const plain = (text: string): string => Array.from(graphemes.segment(text), ({ segment }) => fillerOf(segment)).join('')

/** An address is read as a link only with its scheme. */
const SCHEME = /https?:\/\/(?=\S)/gi
const COMMANDS: ReadonlySet<string> = new Set(OWN_COMMANDS)

/** The text with every letter, digit, emoji and other character of its writer replaced by one of the same kind. */
export function filler(text: string): string {
  const first = /^\/[a-z]+(?=\s|$)/.exec(text)?.[0] ?? ''
  const command = COMMANDS.has(first.slice(1)) ? first : ''
  const rest = text.slice(command.length)
  const schemes = rest.match(SCHEME) ?? []
  const parts = rest.split(SCHEME).map(plain)
  return command + parts.map((part, at) => part + (schemes[at]?.toLowerCase() ?? '')).join('')
}

const PLACE = /\{\{[^}]*\}\}/
/** With less of its own, almost any text would look like it. */
const OWN_LETTERS = 4

/**
 * Replaces the names of controls: the app's own texts stay, and what people named in them becomes filler. `texts` are those
 * of the interface, with their `{{places}}`. A name that is none of them is filler as a whole.
 */
export function nameFiller(texts: readonly string[]): (name: string) => string {
  const lines = texts.map(oneLine)
  const own = new Set(lines.filter((text) => !PLACE.test(text)))
  const templates = lines
    .map((text) => text.split(PLACE))
    .filter((parts) => parts.length > 1 && parts.join('').replaceAll(/\P{L}/gu, '').length >= OWN_LETTERS)
  return (given) => {
    const name = oneLine(given)
    if (own.has(name)) return name
    for (const parts of templates) {
      const values = valuesIn(name, parts)
      if (values !== undefined) return parts.map((part, at) => part + filler(values[at] ?? '')).join('')
    }
    return filler(name)
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** What is in the places of a text between its parts, if the name is made of it. */
function valuesIn(name: string, parts: readonly string[]): readonly string[] | undefined {
  const [first = '', ...others] = parts
  if (!name.startsWith(first)) return undefined
  const values: string[] = []
  let from = first.length
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1
    const to = isLast ? name.length - part.length : name.indexOf(part, from + 1)
    if (to <= from || !name.startsWith(part, to)) return undefined
    values.push(name.slice(from, to))
    from = to + part.length
  }
  return values
}

/** Stable names for ids: the same id always gets the same one, and nothing of the id is in it. */
export class Pseudonyms {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** @param kind one letter: `u` of a person, `c` of a channel, `m` of a message */
  of(kind: 'u' | 'c' | 'm', id: string): string {
    const key = `${kind} ${id}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const made = `${kind}${count}`
    this.#known.set(key, made)
    return made
  }

  /** Whether the id has a name. */
  knows(kind: 'u' | 'c' | 'm', id: string): boolean {
    return this.#known.has(`${kind} ${id}`)
  }
}
