import type { CustomEmoji } from '#shared/domain/emoji.ts'
import { EMOJI_ALIASES } from '#shared/domain/emoji.ts'
import { emojiNameFault, type EmojiNameFault } from '#shared/rules/messages/emoji.ts'

/** Parses `party, :yay:` into names without duplicates. */
export const namesIn = (text: string): string[] => [...new Set(text.toLowerCase().split(/[\s,;:]+/))].filter(Boolean)

type NamesFault = { readonly field: 'name' | 'aliases'; readonly fault: EmojiNameFault | 'many'; name: string }

/** Validation error of an emoji's names; `own`: the emoji being renamed. */
export function namesFault(
  list: readonly CustomEmoji[],
  name: string,
  aliases: readonly string[],
  own?: string,
): NamesFault | undefined {
  const others = list.filter((each) => each.name !== own)
  const taken = new Set(others.flatMap((each) => [each.name, ...each.aliases]))
  const faultOf = (field: NamesFault['field'], each: string): NamesFault | undefined => {
    const fault = emojiNameFault(each, taken)
    return fault && { field, fault, name: each }
  }
  const first = faultOf('name', name) ?? aliases.map((alias) => faultOf('aliases', alias)).find(Boolean)
  // A previous name stays as an alias.
  const former = own === undefined || own === name || aliases.includes(own) ? 0 : 1
  if (!first && aliases.length + former > EMOJI_ALIASES) return { field: 'aliases', fault: 'many', name }
  return first
}
