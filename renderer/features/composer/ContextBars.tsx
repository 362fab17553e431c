import { excerpt } from '#shared/rules/messages/text.ts'
import { contentOf } from '#shared/domain/message.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppSelector, useUser, useAppDispatch } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import type { ComposerState } from '../../store/composers/composers.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { contentKeyOf } from '../attachments/index.ts'
import { EmojiText } from '../emoji/index.ts'
import type { Place } from './place.ts'
import styles from './Composer.module.css'
import { useCommandTexts, writtenName } from './suggestions/written-command.ts'
import type { ComposerModel } from './use-composer.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { settleConflict } from './send/commands.ts'
import { selectComposer } from './selectors.ts'

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
  const messages = useTexts('messages')
  const author = useUser(message?.userId)
  if (message === undefined) return <span className={styles['contextText']}>{t('replyingToGone')}</span>
  const text = excerpt(message.text, EXCERPT_LENGTH) || messages(contentKeyOf(contentOf(message) ?? 'file'))
  const name = author?.name ?? message.userId
  return (
    <span className={styles['contextText']}>
      {richText((values) => t('replyingTo', values), { name, text: <EmojiText text={text} /> })}
    </span>
  )
}

/** Above the field: the command in the text, its arguments, and a button that removes it. */
export function CommandBar({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  const text = useCommandTexts()
  const { written } = model.command
  if (written === undefined || model.composer.editing !== undefined) return null
  const { name, args } = written.command
  const remove = (): void => {
    model.edit({ from: 0, to: writtenName(model.composer.text).length, insert: '', selectFrom: 0, selectTo: 0 })
  }
  return (
    <div className={styles['context']}>
      <Icon name="slash" size={16} />
      <span className={styles['contextText']}>
        <b>
          {/* A command is code and always left to right. */}
          <bdi dir="ltr">{`/${name} ${args}`.trim()}</bdi>
        </b>{' '}
        {text(written.command)}
      </span>
      <IconButton icon="x" size="tiny" label={t('commands.remove', { name })} onClick={remove} />
    </div>
  )
}

const CONFLICT_EXCERPT_LENGTH = 120

/** The draft was also edited in another window or on another device: the user chooses which text to use. */
export function ConflictBar({ place, editing }: { readonly place: Place; readonly editing: boolean }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const current = useAppSelector((state) => selectComposer(state, place.key).text)
  if (draft?.conflict === undefined || editing) return null
  // The field may show either text: the newer one that arrived, or the one typed here.
  const other = draft.conflict.text.includes(current) ? draft.text : draft.conflict.text
  return (
    <div className={cx(styles['context'], styles['choice'])} role="group" aria-label={t('conflict.label')}>
      <Icon name="laptop" size={16} />
      <span className={styles['contextText']}>
        {richText((values) => t('conflict.text', values), {
          text: <EmojiText text={excerpt(other, CONFLICT_EXCERPT_LENGTH) || t('conflict.nothing')} />,
        })}
      </span>
      <Button size="small" onClick={() => void dispatch(settleConflict(place, other))}>
        {t('conflict.use')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => void dispatch(settleConflict(place, current))}>
        {t('conflict.own')}
      </Button>
    </div>
  )
}
