import { REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import { isEmoji } from '../../lib/text/emoji-text.ts'

/** Most groups that are drawn; the rest is "+n". */
export const MAX_GROUPS = 50

/** What a reaction's type looks like: an emoji, the emoji of a known code, or its own words. */
export function glyphOf(type: string): { readonly text: string; readonly emoji: boolean } {
  const code = REACTION_CODES[type.toLowerCase()]
  if (code !== undefined) return { text: code, emoji: true }
  return { text: type.slice(0, 30), emoji: isEmoji(type) }
}
