import { excerpt } from '#shared/rules/messages/text.ts'
import type { Message } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppSelector, useUser } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import type { ComposerState } from '../../store/composers/composers.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { EmojiText } from '../emoji/index.ts'
import type { Place } from './place.ts'
import styles from './Composer.module.css'

type Props = { readonly place: Place; readonly composer: ComposerState; readonly onLeave: () => boolean }

/** The quoted message, or the message being edited. Its button or Escape cancels either. */
export function ContextBar({ composer, onLeave }: Props) {
  const t = useTexts('composer')
  if (composer.editing !== undefined) {
    return (
      <div className={styles['context']}>
        <Icon name="pencil" size={16} />
        <EditSummary messageId={composer.editing.messageId} />
        <IconButton icon="x" size="tiny" label={t('cancelEdit')} keys={['Esc']} onClick={onLeave} />
      </div>
    )
  }
  if (composer.quotedId === undefined) return null
  return (
    <div className={styles['context']}>
      <Icon name="reply" size={16} />
      <QuoteSummary messageId={composer.quotedId} />
      <IconButton icon="x" size="tiny" label={t('removeQuote')} keys={['Esc']} onClick={onLeave} />
    </div>
  )
}

function EditSummary({ messageId }: { readonly messageId: string }) {
  const t = useTexts('composer')
  const { time } = useFormats()
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const at = message === undefined ? '' : time(message.createdAt)
  return <span className={styles['contextText']}>{richText((values) => t('editing', values), { time: at })}</span>
}

const EXCERPT_LENGTH = 160

function QuoteSummary({ messageId }: { readonly messageId: string }) {
  const t = useTexts('composer')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const author = useUser(message?.userId)
  if (message === undefined) return <span className={styles['contextText']}>{t('replyingToGone')}</span>
  const text = excerpt(message.text, EXCERPT_LENGTH) || t(hasPicture(message) ? 'quotedPicture' : 'quotedFile')
  const name = author?.name ?? message.userId
  return (
    <span className={styles['contextText']}>
      {richText((values) => t('replyingTo', values), { name, text: <EmojiText text={text} /> })}
    </span>
  )
}

const hasPicture = (message: Message): boolean => message.attachments[0]?.kind === 'image'
