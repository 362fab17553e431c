import { CustomEmoji } from '../emoji/index.ts'
import { selectEmojiByName } from '../../store/emoji.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { glyphOf } from './glyphs.ts'

type Props = {
  readonly type: string
  /** How an emoji is drawn, and how words are. */
  readonly emojiClass: string | undefined
  readonly wordClass: string | undefined
}

/** A reaction's type as it is drawn: an emoji, a custom emoji of that name, or its own words. */
export function ReactionGlyph({ type, emojiClass, wordClass }: Props) {
  const isCustom = useAppSelector((state) => selectEmojiByName(state).has(type))
  const { text, emoji } = glyphOf(type)
  if (isCustom && !emoji) {
    return (
      <span className={emojiClass}>
        <CustomEmoji name={type} otherwise={text} />
      </span>
    )
  }
  return <span className={emoji ? emojiClass : wordClass}>{text}</span>
}
