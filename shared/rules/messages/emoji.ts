import { EMOJI_NAME_LENGTH } from '../../domain/emoji.ts'

/** Custom emoji rules shared by the window, the engine and the server. Source: ADR 19. */

/** A reaction's type has at most 30 characters. See docs/wire.md 3.3. */
const NAME = /^[a-z0-9_-]{2,30}$/

/** Short codes that clients of the contract send as reactions, and the emoji they mean. */
export const REACTION_CODES: Readonly<Record<string, string>> = {
  like: '👍',
  thumbsup: '👍',
  love: '❤️',
  heart: '❤️',
  haha: '😂',
  laugh: '😂',
  wow: '😮',
  sad: '😢',
  angry: '😠',
  fire: '🔥',
  clap: '👏',
  tada: '🎉',
  eyes: '👀',
  hiking_boot: '🥾',
  rocket: '🚀',
  joy: '😂',
  smile: '😄',
  pray: '🙏',
  raised_hands: '🙌',
  brain: '🧠',
  mountain: '⛰️',
  mountain_snow: '🏔️',
  snow_capped_mountain: '🏔️',
  mountain_snowy: '🏔️',
  white_check_mark: '✅',
  check: '✅',
  '+1': '👍',
  '-1': '👎',
  thumbsdown: '👎',
  thumbs_up: '👍',
  thumbs_down: '👎',
  red_heart: '❤️',
  party: '🎉',
  party_popper: '🎉',
  hundred: '💯',
  '100': '💯',
  cry: '😢',
  thinking: '🤔',
  coffee: '☕',
  bulb: '💡',
  star: '⭐',
}

export type EmojiNameFault = 'form' | 'reserved' | 'taken'

/** Why an emoji cannot have this name; `taken` are the names and aliases of all other emoji. */
export function emojiNameFault(name: string, taken: ReadonlySet<string>): EmojiNameFault | undefined {
  if (!NAME.test(name)) return 'form'
  if (Object.hasOwn(REACTION_CODES, name)) return 'reserved'
  return taken.has(name) ? 'taken' : undefined
}

/** Typed text or a file name converted to a valid name: "Party Parrot.gif" is `party_parrot`. */
export function asEmojiName(text: string): string {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replace(/\.[a-z0-9]{2,5}$/, '')
  return plain
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, EMOJI_NAME_LENGTH)
}

/** As written in a text. */
export const emojiCode = (name: string): string => `:${name}:`

/** `:name:` not adjacent to a letter or digit: `12:30:45` is a time. */
const CODE = /(?<![\p{L}\p{N}]):([a-z0-9_-]{2,30}):(?![\p{L}\p{N}])/gu
const CODE_HERE = new RegExp(CODE.source, 'uy')

/** The name of the `:name:` that begins at this index of a text. */
export function emojiNameAt(text: string, at: number): string | undefined {
  if (text[at] !== ':') return undefined
  CODE_HERE.lastIndex = at
  return CODE_HERE.exec(text)?.[1]
}

/** Splits a text at possible custom emoji. Whether one of that name exists is not checked here. */
export function splitEmoji(text: string): readonly ({ readonly text: string } | { readonly name: string })[] {
  if (!text.includes(':')) return [{ text }]
  const parts: ({ readonly text: string } | { readonly name: string })[] = []
  let from = 0
  for (const match of text.matchAll(CODE)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ name: match[1] ?? '' })
    from = match.index + match[0].length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** The name in `:name:`, if that is the whole text. */
export const emojiNameIn = (text: string): string | undefined => /^:([a-z0-9_-]{2,30}):$/.exec(text)?.[1]

/**
 * Emoji that are graphical by default need no variation selector, and other clients send them without one: two spellings
 * of one reaction would count as two reactions.
 */
export function plainPicture(unicode: string): string {
  return /^\p{Emoji_Presentation}\uFE0F$/u.test(unicode) ? unicode.slice(0, -1) : unicode
}
