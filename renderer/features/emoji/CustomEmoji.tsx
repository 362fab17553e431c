import { Fragment, useState } from 'react'
import { emojiCode, emojiNameIn, splitEmoji } from '#shared/rules/messages/emoji.ts'
import { cx } from '../../lib/cx.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { selectEmojiByName } from '../../store/selectors.ts'
import { useAppSelector, useMediaUrl, useStill } from '../../store/hooks.ts'
import { Still } from '../../ui/View/Still.tsx'
import styles from './CustomEmoji.module.css'

/** A picture that takes longer, as offline, is its code meanwhile. */
const SLOW_MS = 1_000

type Props = {
  readonly name: string
  /** The text to show if the workspace does not have this emoji. */
  readonly otherwise?: string
  /** At most as wide as a standard emoji, for grids and rows of emoji. */
  readonly square?: boolean
}

/**
 * A custom emoji as an image, as tall as the line of text; its code if there is no image. The code is also in the document
 * with zero size, so that it is read out, selected and copied like text.
 */
export function CustomEmoji({ name, otherwise = emojiCode(name), square = false }: Props) {
  const emoji = useAppSelector((state) => selectEmojiByName(state).get(name))
  const { url, failed, onError } = useMediaUrl(emoji?.image, 'full')
  const isStill = useStill(emoji?.moves === true)
  const [shown, setShown] = useState<string>()
  const isSlow = useDelayed(emoji !== undefined && (url === undefined || shown !== url), SLOW_MS)
  if (emoji === undefined || failed) return otherwise
  const onLoad = (): void => setShown(url)
  return (
    <span
      className={cx(styles['emoji'], square && styles['square'])}
      title={emojiCode(emoji.name)}
      data-emoji={emoji.name}
    >
      {url === undefined ? (
        isSlow ? null : (
          <span className={styles['picture']} />
        )
      ) : isStill ? (
        <Still className={styles['picture']} src={url} onLoad={onLoad} onError={onError} />
      ) : (
        <img
          className={cx(styles['picture'], isSlow && styles['late'])}
          src={url}
          alt=""
          draggable={false}
          onLoad={onLoad}
          onError={onError}
        />
      )}
      <span className={isSlow ? undefined : styles['code']}>{emojiCode(name)}</span>
    </span>
  )
}

/** An emoji as picked and stored: a character, or `:name:` of a custom one. */
export function EmojiGlyph({ text }: { readonly text: string }) {
  const name = emojiNameIn(text)
  return name === undefined ? text : <CustomEmoji name={name} square />
}

/** Plain text with custom emoji, without other message formatting. */
export const EmojiText = ({ text }: { readonly text: string }) =>
  splitEmoji(text).map((part, index) =>
    'name' in part ? <CustomEmoji key={index} name={part.name} /> : <Fragment key={index}>{part.text}</Fragment>,
  )
