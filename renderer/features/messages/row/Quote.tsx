import type { MessageId } from '#shared/lib/brand.ts'
import type { QuotedMessage } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useLanguageMark } from '../../../lib/text/language-mark.ts'
import { hueOf } from '../../../lib/portrait.ts'
import { contentKeyOf, mediaRef, oneLine, Picture, useBlurred, useHidesMedia } from '../../attachments/index.ts'
import { useUser } from '../../../store/hooks.ts'
import { EmojiText } from '../../emoji/index.ts'
import { useName } from '../../people/index.ts'
import { useScope } from '../list/scope.ts'
import styles from './Quote.module.css'

type Props = {
  readonly quoted: QuotedMessage
  /** The message that contains the quote, to return to. */
  readonly from: MessageId
}

/** The quoted message: author, one line, a thumbnail. A click jumps to it. */
export function Quote({ quoted, from }: Props) {
  const t = useTexts('messages')
  const scope = useScope()
  const name = useName(quoted.userId)
  const author = useUser(quoted.userId)
  const hidesMedia = useHidesMedia(scope.cid)
  const { isBlurred } = useBlurred(mediaRef(quoted.id, quoted.thumb?.index ?? 0))
  const text = quoted.deleted ? t('deleted') : oneLine(quoted.text)
  const shown = text === '' ? t(contentKeyOf(quoted.content ?? (quoted.thumb === undefined ? 'file' : 'image'))) : text
  const marked = useLanguageMark<HTMLElement>(quoted.deleted ? '' : quoted.text, author?.language)
  return (
    <button
      type="button"
      className={styles['quote']}
      data-hue={hueOf(quoted.userId)}
      aria-label={t('quote.label', { name, text: shown })}
      onClick={() => scope.jump(quoted.id, from)}
    >
      <bdi className={styles['quoteName']}>{name}</bdi>
      <bdi ref={marked} className={styles['quoteText']}>
        <EmojiText text={shown} />
      </bdi>
      {quoted.thumb === undefined || quoted.deleted || hidesMedia ? null : (
        <span className={styles['quoteThumb']}>
          <Picture
            mediaKey={mediaRef(quoted.id, quoted.thumb.index)}
            variant={quoted.thumb.hasThumb ? 'thumb' : 'full'}
            alt=""
            blurred={isBlurred}
            moves
          />
        </span>
      )}
    </button>
  )
}
