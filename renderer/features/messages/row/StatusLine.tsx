import type { Message } from '#shared/domain/message.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { UndoButton } from './UndoButton.tsx'
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
