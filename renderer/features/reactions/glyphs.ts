import { REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import { isEmoji } from '../../lib/text/emoji-text.ts'

/** Maximum number of groups shown; the rest is "+n". */
export const MAX_GROUPS = 50

/** How to show a reaction type: an emoji, the emoji of a known code, or the type as text. */
export function glyphOf(type: string): { readonly text: string; readonly emoji: boolean } {
  const code = REACTION_CODES[type.toLowerCase()]
  if (code !== undefined) return { text: code, emoji: true }
  return { text: type.slice(0, 30), emoji: isEmoji(type) }
}
