import { typedPart } from '../../lib/page/part.tsx'

export const EmojiPopover = typedPart(async () => (await import('./EmojiPicker.tsx')).EmojiPopover)
export { CustomEmoji, EmojiGlyph, EmojiText } from './CustomEmoji.tsx'
export {
  searchEmoji,
  withTone,
  type Emoji,
  loadEmoji,
  emojiByName,
  reactionTypeOf,
  selectCustomEntries,
} from './emoji-list.ts'
export { readTone, recentIn } from './emoji-list.ts'
