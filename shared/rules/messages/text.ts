import { isBlank } from '#shared/lib/clean-text.ts'
import { plainText } from './plain-text.ts'
import type { UserId } from '#shared/lib/brand.ts'

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

/** Mentions are kept only if the text contains the user's id or name after an @. See docs/wire.md 7.16. */
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
