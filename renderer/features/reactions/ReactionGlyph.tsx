import { CustomEmoji } from '../emoji/index.ts'
import { selectEmojiByName } from '../../store/emoji.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { glyphOf } from './glyphs.ts'

type Props = {
  readonly type: string
  /** CSS class for emoji. `textClass`: for other types, shown as text. */
  readonly emojiClass: string | undefined
  readonly textClass: string | undefined
}

/** A reaction type: an emoji, a custom emoji of that name, or the type as text. */
export function ReactionGlyph({ type, emojiClass, textClass }: Props) {
  const isCustom = useAppSelector((state) => selectEmojiByName(state).has(type))
  const { text, emoji } = glyphOf(type)
  if (isCustom && !emoji) {
    return (
      <span className={emojiClass}>
        <CustomEmoji name={type} otherwise={text} />
      </span>
    )
  }
  return <span className={emoji ? emojiClass : textClass}>{text}</span>
}
