import { useState } from 'react'
import type { NotifyRecord } from '#shared/domain/notification.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { openDestination } from '../../../store/window/destination.ts'
import { selectChannel } from '../../../store/selectors.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { askNotifications } from '../commands.ts'
import { useReason } from './use-reason.ts'
import styles from './Notifications.module.css'

/** Log of recent messages: notified or not, and why. Loaded on request; never stored. */
export function LastOnes() {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [records, setRecords] = useState<readonly NotifyRecord[]>()
  const ask = async (): Promise<void> => {
    const answer = await dispatch(askNotifications())
    if (answer.ok) setRecords(answer.value)
  }
  return (
    <section aria-labelledby="last-ones" className={styles['last']}>
      <h2 id="last-ones">{t('page.last')}</h2>
      <p className={styles['hint']}>{t('page.lastHint')}</p>
      <Button onClick={() => void ask()}>{t(records === undefined ? 'page.showLast' : 'page.showLastAgain')}</Button>
      {records === undefined ? null : records.length === 0 ? (
        <p>{t('page.noneLast')}</p>
      ) : (
        <ul>
          {records.map((record) => (
            <Line key={record.messageId} record={record} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ record }: { readonly record: NotifyRecord }) {
  const t = useTexts('notifications')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const channel = useAppSelector((state) => selectChannel(state, record.cid))
  const reason = useReason(record)
  const { cid, messageId, at, notifies } = record
  return (
    <li className={styles['line']}>
      <time dateTime={new Date(at).toISOString()}>{formats.dayAndTime(at)}</time>
      <span>
        <button type="button" onClick={() => openDestination(dispatch, { type: 'focus', cid, messageId })}>
          {channel?.name ?? cid}
        </button>
        <strong>{t(notifies ? 'trail.told' : 'trail.notTold')}</strong> {reason}
      </span>
    </li>
  )
}
