import { Fragment, useEffect, useRef } from 'react'
import { emojiCode, emojiNameIn, splitEmoji } from '#shared/rules/messages/emoji.ts'
import { cx } from '../../lib/cx.ts'
import { isMotionReduced } from '../../lib/page/environment.ts'
import { selectEmojiByName } from '../../store/selectors.ts'
import { useAppSelector, useMediaUrl, useSetting } from '../../store/hooks.ts'
import styles from './CustomEmoji.module.css'

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
  const motion = useSetting('motion')
  if (emoji === undefined || failed) return otherwise
  const isStill = emoji.moves && (motion === 'reduced' || isMotionReduced())
  return (
    <span
      className={cx(styles['emoji'], square && styles['square'])}
      title={emojiCode(emoji.name)}
      data-emoji={emoji.name}
    >
      {url === undefined ? (
        <span className={styles['picture']} />
      ) : isStill ? (
        <Still src={url} onError={onError} />
      ) : (
        <img className={styles['picture']} src={url} alt="" draggable={false} onError={onError} />
      )}
      <span className={styles['code']}>{emojiCode(name)}</span>
    </span>
  )
}

/** The first frame of an animated emoji. */
function Still({ src, onError }: { readonly src: string; readonly onError: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const failing = useRef(onError)
  useEffect(() => {
    failing.current = onError
  })
  useEffect(() => {
    const image = new Image()
    let live = true
    const draw = (): void => {
      const target = canvas.current
      if (!live || target === null) return
      target.width = image.naturalWidth
      target.height = image.naturalHeight
      target.getContext('2d')?.drawImage(image, 0, 0)
    }
    image.addEventListener('load', draw)
    image.addEventListener('error', () => live && failing.current())
    image.src = src
    return () => {
      live = false
    }
  }, [src])
  return <canvas ref={canvas} className={styles['picture']} aria-hidden="true" />
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
