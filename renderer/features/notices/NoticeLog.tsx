import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { NoticeReason } from './NoticeReason.tsx'
import { selectNoticeLog } from './selectors.ts'
import styles from './Notices.module.css'

/** Every notice of this session, newest first. */
export function NoticeLog() {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const log = useAppSelector(selectNoticeLog)
  return (
    <Dialog title={t('log.title')} onClose={() => dispatch(dialogClosed())}>
      {log.length === 0 ? <DialogText muted>{t('log.empty')}</DialogText> : null}
      <ul className={styles['log']}>
        {log.map((notice) => (
          <li key={notice.id} className={cx(styles['logLine'], styles[notice.severity])}>
            <time dateTime={new Date(notice.createdAt).toISOString()}>{formats.time(notice.createdAt)}</time>
            <div>
              {errorText(notice)}
              <NoticeReason notice={notice} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
