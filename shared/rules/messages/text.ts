import { isBlank } from '../../lib/clean-text.ts'
import type { UserId } from '../../lib/brand.ts'

/** A message without Markdown formatting: for lists, notifications and quotes. */
export function plainText(markdown: string): string {
  // Fast path: most messages contain no Markdown, and lists convert hundreds of them.
  if (!/[*_~`>#[\]|\\<-]/.test(markdown)) return markdown
  const verbatim: string[] = []
  /** Sets literal text aside; `\0` cannot occur in a message. */
  const stash = (text: string): string => `\0${verbatim.push(text) - 1}\0`
  let text = markdown.replaceAll('\0', '')
  for (const [sign, shown] of SHOWN_AS_WRITTEN)
    text = text.replaceAll(sign, (_all, inner: string) => stash(shown(inner)))
  for (const [sign, by] of SIGNS) text = text.replaceAll(sign, by)
  return text.replaceAll(/\0(\d+)\0/g, (_all, index: string) => verbatim[Number(index)] ?? '')
}

const SHOWN_AS_WRITTEN: readonly (readonly [RegExp, (inner: string) => string])[] = [
  [/^[ \t]*```[^\n]*\n([\s\S]*?)(?:\n[ \t]*```[ \t]*$|(?![\s\S]))/gm, (inner) => inner],
  [/``([^\n]{1,1000}?)``/g, (inner) => inner.trim()],
  [/`([^`\n]{1,1000})`/g, (inner) => inner],
  [/\\([\\`*_{}[\]()#+\-.!|~>])/g, (inner) => inner],
  // The name of a custom emoji may contain `_`, which is not emphasis there.
  [/(?<![\p{L}\p{N}])(:[a-z0-9_-]{2,30}:)(?![\p{L}\p{N}])/gu, (inner) => inner],
  // A URL may contain any Markdown character.
  [/(https?:\/\/[^\s)>\]]+)/g, (inner) => inner],
]

/** Lengths are bounded, so that the cost is not quadratic in the length of a message. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g, '$1'],
  [/<(\0\d+\0)>/g, '$1'],
  [/^[ \t]{0,3}(?:>[ \t]?)+/gm, ''],
  [/^[ \t]{0,3}#{1,6}[ \t]+/gm, ''],
  [/^[ \t]*[-*+][ \t]+\[([ xX])\][ \t]+/gm, ''],
  [/^[ \t]*[-*+][ \t]+/gm, ''],
  [/^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*$\n?/gm, ''],
  [/^[ \t]*\|(.*)\|[ \t]*$/gm, '$1'],
  [/(\*\*\*|\*\*|\*)(?=\S)([^\n]{0,1000}?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])(___|__|_)(?=\S)([^\n]{0,1000}?\S)\1(?![\p{L}\p{N}_])/gu, '$2'],
  [/~~(?=\S)([^\n]{0,1000}?\S)~~/g, '$1'],
]

/** Fragments that are only Markdown characters. */
const EMPTY_FRAGMENTS: ReadonlySet<string> = new Set(['', '>', '**', '__', '``', '``````', '****', '____'])

/** Text counts as empty when it is blank or only a Markdown-like fragment. See docs/wire.md 7.17. */
export function isEmptyText(text: string): boolean {
  return isBlank(text) || EMPTY_FRAGMENTS.has(text.trim())
}

/** Characters as client, server and the composer's counter count them: code points, so most emoji are one. */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength && textLength(text) > maxLength
}

/** Cuts to the maximum edit length, if there is one, without splitting a character. See docs/wire.md 7.16. */
export function cutText(text: string, maxLength: number | undefined): string {
  if (maxLength === undefined || !isLongerThan(text, maxLength)) return text
  return Array.from(text).slice(0, maxLength).join('')
}

/** Line endings as the server stores them. See docs/wire.md 7.16 "Pasted CRLF becomes LF". */
export function withUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Mentions remain only if the text contains the user's id or name after an @. See docs/wire.md 7.16. */
export function presentMentions(
  text: string,
  mentioned: readonly { readonly id: UserId; readonly name?: string }[],
): UserId[] {
  const present = new Set<UserId>()
  for (const { id, name } of mentioned) {
    if (text.includes(`@${id}`) || (name !== undefined && name !== '' && text.includes(`@${name}`))) present.add(id)
  }
  return [...present]
}

/** Beginning of a message on one line, without Markdown, for a list. */
export function excerpt(text: string, maxLength: number): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').trim()
  return isLongerThan(line, maxLength) ? `${cutText(line, maxLength - 1).trimEnd()}…` : line
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
