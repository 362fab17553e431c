export { CustomEmoji, EmojiGlyph, EmojiText } from './CustomEmoji.tsx'
export { EmojiPicker, EmojiPopover } from './EmojiPicker.tsx'
export {
  searchEmoji,
  withTone,
  type Emoji,
  loadEmoji,
  emojiByName,
  reactionTypeOf,
  selectCustomEntries,
} from './emoji-list.ts'
export { readTone, recentIn } from './memory.ts'
