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
const COMMAND = new RegExp(`^/(?:${OWN_COMMANDS.join('|')})(?=\\s|$)`)

/** The text with every letter, digit, emoji and other character of its writer replaced by one of the same kind. */
export function filler(text: string): string {
  const command = COMMAND.exec(text)?.[0] ?? ''
  const rest = text.slice(command.length)
  const schemes = rest.match(SCHEME) ?? []
  const parts = rest.split(SCHEME).map(plain)
  return command + parts.map((part, at) => part + (schemes[at]?.toLowerCase() ?? '')).join('')
}

/** A text of the interface: what is between its parts comes from people. */
type Template = { readonly pattern: RegExp; readonly parts: readonly string[] }

const PLACE = /\{\{[^}]*\}\}/
/** With less of its own, almost any text would look like it. */
const OWN_LETTERS = 4

/**
 * Replaces the names of controls: the app's own texts stay, and what people named in them becomes filler. `texts` are those
 * of the interface, with their `{{places}}`. A name that is none of them is filler as a whole.
 */
export function nameFiller(texts: readonly string[]): (name: string) => string {
  const own = new Set(texts.filter((text) => !PLACE.test(text)).map(oneLine))
  const templates = texts.flatMap((text) => templateOf(oneLine(text)))
  return (given) => {
    const name = oneLine(given)
    if (own.has(name)) return name
    const template = templates.find(({ pattern }) => pattern.test(name))
    if (template === undefined) return filler(name)
    const values = (template.pattern.exec(name) ?? []).slice(1)
    return template.parts.map((part, at) => part + filler(values[at] ?? '')).join('')
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function templateOf(text: string): Template[] {
  const parts = text.split(new RegExp(PLACE, 'g'))
  if (parts.length < 2 || parts.join('').replaceAll(/\P{L}/gu, '').length < OWN_LETTERS) return []
  const quoted = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return [{ pattern: new RegExp(`^${quoted.join('(.+)')}$`, 's'), parts }]
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
}
