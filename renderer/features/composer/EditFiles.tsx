import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { attachmentDropped, type ComposerState } from '../../store/composers.ts'
import { useAppDispatch, useAppSelector, useMediaUrl } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Icon } from '../../ui/Icon.tsx'
import { iconOf, isPicture, mediaRef, ownName, wordOf } from '../attachments/index.ts'
import type { Place } from './place.ts'
import styles from './Tray.module.css'

/** What the message being edited carries: each can be taken from it, and goes when the edit is saved. */
export function EditFiles({ place, composer }: { readonly place: Place; readonly composer: ComposerState }) {
  const t = useTexts('composer')
  const id = composer.editing?.messageId
  const attachments = useAppSelector((state) => (id === undefined ? undefined : selectMessage(state, id)?.attachments))
  const files = attachments?.filter(({ kind }) => kind !== 'link') ?? []
  if (id === undefined || files.length === 0) return null
  return (
    <ul className={styles['tray']} aria-label={t('edit.files')}>
      {files.map((file) => (
        <EditFile
          key={file.index}
          place={place}
          messageId={id}
          file={file}
          dropped={composer.editing?.dropped?.includes(file.index) ?? false}
        />
      ))}
    </ul>
  )
}

type Props = {
  readonly place: Place
  readonly messageId: MessageId
  readonly file: Attachment
  readonly dropped: boolean
}

function EditFile({ place, messageId, file, dropped }: Props) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const words = useTexts('messages')
  const name = ownName(file) || words(wordOf(file))
  return (
    <li className={cx(styles['tile'], dropped && styles['blocked'])}>
      <Look messageId={messageId} file={file} />
      <div className={styles['words']}>
        <div className={styles['name']} title={name}>
          <span className="ellipsis">{name}</span>
        </div>
        <div className={styles['state']}>{dropped ? t('edit.goes') : null}</div>
      </div>
      <button
        type="button"
        className={styles['remove']}
        aria-label={dropped ? t('edit.keep', { name }) : t('edit.drop', { name })}
        onClick={() => dispatch(attachmentDropped({ key: place.key, index: file.index, on: !dropped }))}
      >
        <Icon name={dropped ? 'undo' : 'x'} size={12} />
      </button>
    </li>
  )
}

function Look({ messageId, file }: Pick<Props, 'messageId' | 'file'>) {
  const shows = isPicture(file) || file.hasThumb
  const { url, onError } = useMediaUrl(shows ? mediaRef(messageId, file.index) : undefined, 'thumb')
  return (
    <span className={styles['thumb']} aria-hidden="true">
      {url === undefined ? (
        <Icon name={iconOf(file)} size={20} />
      ) : (
        <img src={url} alt="" draggable={false} onError={onError} />
      )}
    </span>
  )
}
