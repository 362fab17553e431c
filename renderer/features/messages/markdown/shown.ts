import { shownText } from '#shared/lib/clean-text.ts'
import { type Block, type Mentionable, parseMessage } from '#shared/rules/markdown/parse.ts'
import { splitEmoji } from '#shared/rules/messages/emoji.ts'
import { emojiAlone } from '../../../lib/text/emoji-text.ts'

/** Whether a text is only a few emoji, which are shown large. `isCustom`: whether the workspace has an emoji of that name. */
export function isEmojiOnly(text: string, isCustom: (name: string) => boolean = () => false): boolean {
  const trimmed = text.trim()
  if (trimmed.length > 60 + MAX_LARGE_EMOJI * 32) return false
  const parts = splitEmoji(trimmed)
  if (parts.some((part) => 'name' in part && !isCustom(part.name))) return false
  const plain = parts.map((part) => ('name' in part ? '⭐' : part.text)).join('')
  if (plain.length > 60) return false
  const count = emojiAlone(plain)
  return count > 0 && count <= MAX_LARGE_EMOJI
}
const MAX_LARGE_EMOJI = 8

/** Cache size: two windows of messages, so that switching between two conversations parses nothing twice. */
const MAX_CACHED = 600
const NO_PEOPLE: readonly Mentionable[] = []
const cache = new Map<string, readonly Block[]>()

/**
 * Blocks of a message text, cached: rows mount and unmount while scrolling, and a text is needed both for rendering and
 * for its accessible name.
 */
export function parsed(text: string, people: readonly Mentionable[] = NO_PEOPLE): readonly Block[] {
  const key = people.length === 0 ? text : JSON.stringify([text, people.map(({ id, name, all }) => [id, name, all])])
  const cached = cache.get(key)
  if (cached !== undefined) {
    // Moved to the end, so that the least recently used entry is evicted first.
    cache.delete(key)
    cache.set(key, cached)
    return cached
  }
  const blocks = parseMessage(shownText(text), people)
  cache.set(key, blocks)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
  return blocks
}

/** Longer texts are folded, so that one message does not fill more than about a screen. */
const MAX_SHOWN_LINES = 40
const MAX_SHOWN_CHARS = 4_000

type Folded = {
  readonly text: string
  /** Hidden lines; 0 when nothing is cut. */ readonly lines: number
}

/** The start of a long text, cut between lines (or words); an open code fence is closed. */
export function fold(text: string): Folded {
  const lines = text.split('\n')
  if (lines.length <= MAX_SHOWN_LINES && text.length <= MAX_SHOWN_CHARS) return { text, lines: 0 }
  const shown: string[] = []
  let chars = 0
  for (const line of lines.slice(0, MAX_SHOWN_LINES)) {
    if (chars + line.length > MAX_SHOWN_CHARS) {
      if (shown.length === 0) shown.push(cutLine(line))
      break
    }
    shown.push(line)
    chars += line.length + 1
  }
  const fence = openFence(shown)
  return {
    text: [...shown, ...(fence === undefined ? [] : [fence])].join('\n'),
    lines: Math.max(1, lines.length - shown.length),
  }
}

/** Cuts a very long line after a word, or after a character if it has no spaces. */
function cutLine(line: string): string {
  // Never inside a surrogate pair.
  const cut = line.slice(0, MAX_SHOWN_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_SHOWN_CHARS / 2 ? cut.slice(0, space) : cut}…`
}

/** The code fence that is still open after these lines. */
function openFence(lines: readonly string[]): string | undefined {
  let open: string | undefined
  for (const line of lines) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) continue
    if (open === undefined) open = fence
    else if (fence[0] === open[0] && fence.length >= open.length) open = undefined
  }
  return open
}
