import { useMemo } from 'react'
import type { Block } from '#shared/domain/message.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { isPlainText, plainBlocks } from '#shared/rules/markdown/plain.ts'
import { splitEmoji } from '#shared/rules/messages/emoji.ts'
import { codeOf, useCode } from '../../../lib/page/part.tsx'
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

/** No part of what a window starts with: main parses the texts of messages. */
const parser = codeOf(async () => (await import('#shared/rules/markdown/parse.ts')).parseText)

/**
 * Blocks of a text: those that main sent with it, or those of a text without formatting; any other text is parsed here,
 * and is as it was written until the parser is loaded.
 */
export function useBlocks(text: string, sent?: readonly Block[]): readonly Block[] {
  const isHere = sent === undefined && !isPlainText(text)
  const parse = useCode(parser, isHere)
  return useMemo(
    () => sent ?? (isHere && parse !== undefined ? parse(shownText(text)) : plainBlocks(shownText(text))),
    [text, sent, isHere, parse],
  )
}

/** Blocks of a text, wherever it is from. */
export const blocksOf = async (text: string): Promise<readonly Block[]> =>
  isPlainText(text) ? plainBlocks(text) : (await parser.load())(text)
