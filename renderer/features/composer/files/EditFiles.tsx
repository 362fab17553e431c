import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { attachmentDropped, attachmentErased, type ComposerState } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector, useConnection, useMediaUrl } from '../../../store/hooks.ts'
import { selectMessage, selectSession } from '../../../store/selectors.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { iconOf, isPicture, mediaRef, ownName, labelKeyOf } from '../../attachments/index.ts'
import type { Place } from '../place.ts'
import styles from './Tray.module.css'

/** Attachments of the message being edited. Each can be marked for removal; saving the edit removes them. */
export function EditFiles({ place, composer }: { readonly place: Place; readonly composer: ComposerState }) {
  const t = useTexts('composer')
  const id = composer.editing?.messageId
  const attachments = useAppSelector((state) => (id === undefined ? undefined : selectMessage(state, id)?.attachments))
  const own = useAppSelector((state) => {
    const author = id === undefined ? undefined : selectMessage(state, id)?.userId
    return author !== undefined && author === selectSession(state).userId
  })
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
          erased={composer.editing?.erased?.includes(file.index) ?? false}
          own={own}
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
  /** The file itself is deleted from the server too. */
  readonly erased: boolean
  /** The viewer's own file; only these can be deleted. */
  readonly own: boolean
}

function EditFile({ place, messageId, file, dropped, erased, own }: Props) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const text = useTexts('messages')
  const name = ownName(file) || text(labelKeyOf(file))
  return (
    <li className={cx(styles['tile'], dropped && styles['blocked'])}>
      <Thumb messageId={messageId} file={file} />
      <div className={styles['info']}>
        <div className={styles['name']} title={name}>
          <span className="ellipsis">{name}</span>
        </div>
        <div className={styles['state']}>{erased ? t('edit.erased') : dropped ? t('edit.dropped') : null}</div>
      </div>
      <button
        type="button"
        className={styles['remove']}
        aria-label={dropped ? t('edit.restore', { name }) : t('edit.drop', { name })}
        onClick={() => dispatch(attachmentDropped({ key: place.key, index: file.index, on: !dropped }))}
      >
        <Icon name={dropped ? 'undo' : 'x'} size={12} />
      </button>
      {dropped && own && file.hasMedia ? <Erase place={place} index={file.index} name={name} on={erased} /> : null}
    </li>
  )
}

type EraseProps = {
  readonly place: Place
  readonly index: number
  readonly name: string
  readonly on: boolean
}

/** Deletes the file from the server, not only from this message. Not queued in the outbox, so it needs a connection. */
function Erase({ place, index, name, on }: EraseProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  return (
    <Tooltip text={t(offline ? 'edit.eraseOffline' : 'edit.eraseHint')} side="above">
      <button
        type="button"
        className={styles['describe']}
        aria-label={offline ? `${t('edit.erase', { name })}. ${t('edit.eraseOffline')}` : t('edit.erase', { name })}
        aria-pressed={on}
        aria-disabled={(offline && !on) || undefined}
        onClick={() => (on || !offline) && dispatch(attachmentErased({ key: place.key, index, on: !on }))}
      >
        <Icon name="trash" size={14} />
      </button>
    </Tooltip>
  )
}

function Thumb({ messageId, file }: Pick<Props, 'messageId' | 'file'>) {
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
