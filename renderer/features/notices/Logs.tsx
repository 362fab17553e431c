import { useRef } from 'react'
import { createSelector } from '@reduxjs/toolkit'
import { useTexts, useErrorText, useFormats } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppSelector, useAppDispatch } from '../../store/hooks.ts'
import type { LocalNotice } from '../../store/window/notices.ts'
import { undoRecent, type RecentAction } from '../../store/window/recent.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { EmojiText } from '../emoji/index.ts'
import { NoticeReason } from './NoticeCard.tsx'
import { selectEngineNotices, selectLocal } from './Notices.tsx'
import styles from './Notices.module.css'

/** All notices of this session, newest first. */
const selectNoticeLog = createSelector(
  [selectEngineNotices, selectLocal],
  (fromEngine, local): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local].toSorted((a, b) => b.createdAt - a.createdAt),
)

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

/** The last actions of the user that can be undone, newest first, with one press each. */
export function RecentActions() {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const recent = useAppSelector((state) => state.recent)
  return (
    <Dialog title={t('recent.title')} onClose={() => dispatch(dialogClosed())}>
      <DialogText muted>{t(recent.length === 0 ? 'recent.empty' : 'recent.hint')}</DialogText>
      {recent.length === 0 ? null : (
        <ul className={styles['log']}>
          {recent.toReversed().map((action) => (
            <Entry key={action.id} action={action} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Entry({ action }: { readonly action: RecentAction }) {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const state = useRef<HTMLSpanElement>(null)
  const text = errorText(action)
  const undo = async (): Promise<void> => {
    // The button is gone once it is undone: the focus stays in its row.
    if (await dispatch(undoRecent(action.id, { quiet: true }))) state.current?.focus()
  }
  const isUndone = action.state === 'undone'
  return (
    <li className={styles['action']} data-state={action.state}>
      <time dateTime={new Date(action.at).toISOString()}>{formats.time(action.at)}</time>
      <div>
        <EmojiText text={text} />
        {action.error === undefined ? null : (
          <p className={styles['refusal']} role="alert">
            {errorText(action.error)}
          </p>
        )}
      </div>
      <span ref={state} role="status" tabIndex={-1} className={styles['undone']}>
        {isUndone ? t('recent.undone') : null}
      </span>
      {isUndone ? null : (
        <Button
          size="small"
          aria-label={t('recent.undoOf', { action: text })}
          working={action.state === 'undoing'}
          onClick={() => void undo()}
        >
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
