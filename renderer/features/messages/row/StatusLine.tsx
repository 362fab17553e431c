import type { Message } from '#shared/domain/message.ts'
import { useErrorText, useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useAppDispatch } from '../../../store/hooks.ts'
import { undoHeld } from '../../../store/composers/unsent.ts'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { Faces, useNames } from '../../people/index.ts'
import { useScope } from '../list/scope.ts'
import type { ActionId } from '../actions/actions.ts'
import styles from './StatusLine.module.css'

/** "Sending" is shown only after this time. */
const SHOW_SENDING_AFTER_MS = 600

/** Status of an own message that the server does not have yet, with actions. */
export function StatusLine({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const errorText = useErrorText()
  const slow = useDelayed(message.status === 'sending', SHOW_SENDING_AFTER_MS)
  if (message.undoUntil !== undefined) {
    return (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="clock" size={15} />
        <span>{t('status.held')}</span>
        <UndoButton message={message} />
      </div>
    )
  }
  if (message.status === 'sending') {
    return slow ? (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="clock" size={15} />
        <span>{t('status.sending')}</span>
      </div>
    ) : null
  }
  if (message.status === 'queued') {
    return (
      <div className={styles['status']} data-status={message.status}>
        <Icon name="cloud-off" size={15} />
        <span>{t('status.queued')}</span>
        <Act message={message} action="edit" label={t('status.edit')} />
        <Act message={message} action="delete" label={t('status.remove')} />
      </div>
    )
  }
  const reason = message.failure === undefined ? '' : errorText(message.failure)
  const retryable = message.failure?.retryable !== false
  return (
    <div className={styles['status']} data-status={message.status}>
      <Icon name="alert-circle" size={15} />
      <span>{t('status.failed', { reason })}</span>
      {retryable ? (
        <Act message={message} action="retry" label={t('status.retry')} />
      ) : (
        <Act message={message} action="edit" label={t('status.edit')} />
      )}
      <Act message={message} action="delete" label={t('status.delete')} />
    </div>
  )
}

type ActProps = { readonly message: Message; readonly action: ActionId; readonly label: string }

function Act({ message, action, label }: ActProps) {
  const scope = useScope()
  return (
    <button type="button" onClick={(event) => scope.act(message, action, event.currentTarget)}>
      {label}
    </button>
  )
}

/** Undoes a held message or deletion: the text returns to the composer, or the message stays. */
export function UndoButton({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  return (
    <button type="button" data-undo={message.id} onClick={() => void dispatch(undoHeld(message))}>
      {t('status.undo')}
    </button>
  )
}

type ReadByProps = {
  readonly readers: readonly string[]
  /** The viewer's newest message: says Sent, Delivered or Seen. */
  readonly own: boolean
  readonly delivered: boolean
}

const MAX_NAMES = 4

/** Small portraits of people who have read up to here, and the status of the viewer's newest message. */
export function ReadBy({ readers, own, delivered }: ReadByProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const language = useLanguage()
  const names = useNames(readers.slice(0, MAX_NAMES))
  const others = readers.length - names.length
  const text =
    readers.length === 0
      ? t(delivered ? 'status.delivered' : 'status.sent')
      : others > 0
        ? t('status.seenByMore', { names: names.join(', '), count: others })
        : t('status.seenBy', { names: formats.list(names) })
  if (readers.length === 0 && !own) return null
  return (
    <Tooltip text={text} side="above">
      <div className={styles['readBy']} lang={language} role="img" aria-label={text}>
        {own ? <Icon name={readers.length === 0 && !delivered ? 'check' : 'check-double'} size={15} /> : null}
        {readers.length === 0 ? null : <Faces userIds={readers} size={16} />}
      </div>
    </Tooltip>
  )
}
