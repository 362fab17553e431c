import { useCallback, useEffect, useState, useRef } from 'react'
import { createSelector } from '@reduxjs/toolkit'
import { NOTICE_DURATION_MS } from '#shared/constants.ts'
import type { Notice } from '#shared/domain/notification.ts'
import { useErrorText, useTexts, useFormats } from '../../i18n/index.ts'
import { asSentence } from '../../lib/text/rich.tsx'
import { useCountdown } from '../../lib/time/clocks.ts'
import { command } from '../../store/command.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { type LocalNotice, noticeDismissed } from '../../store/window/notices.ts'
import { undoRecent, type RecentAction } from '../../store/window/recent.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
import { cx } from '../../lib/cx.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { EmojiText } from '../emoji/index.ts'
import { selectEngineNotices, selectLocal } from './Notices.tsx'
import styles from './Notices.module.css'

/** Rules of uploads, of the channel or of the composer that refused a file. */
const RULES = [
  'allowed_file_extensions',
  'blocked_file_extensions',
  'allowed_mime_types',
  'blocked_mime_types',
  'size_limit',
  'empty',
  'capability',
  'slots',
] as const
const isRule = (reason: string): reason is (typeof RULES)[number] => RULES.some((rule) => rule === reason)

/** The reason and the file, if the notice has them: its agreed text has neither. */
function useReason(notice: Notice): string | undefined {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const { reason, name } = notice.params ?? {}
  if (typeof reason !== 'string') return undefined
  const text = isRule(reason) ? t(`reasons.${reason}`) : errorText({ code: reason })
  // The reason would repeat the notice.
  if (text === errorText(notice)) return undefined
  return typeof name === 'string' && name !== '' ? t('why', { name, reason: text }) : text
}

function NoticeReason({ notice }: { readonly notice: Notice }) {
  const reason = useReason(notice)
  return reason === undefined ? null : <p className={styles['reason']}>{reason}</p>
}

const ICONS: Readonly<Record<LocalNotice['severity'], IconName>> = {
  error: 'alert-circle',
  warning: 'alert-triangle',
  info: 'info',
  success: 'circle-check',
}

/** Quiet: the engine raises a notice if the upload no longer exists. */
const uploadRetried = command(
  'uploads/retried',
  (upload: { readonly id: string }, engine) => engine.uploads.retry(upload),
  { quiet: true },
)

const exportedShown = command('data/exportedShown', (_input: void, engine) =>
  engine.data.showFolder({ which: 'exported' }),
)

type Props = {
  readonly notice: LocalNotice
  readonly paused: boolean
  /** A card that had the focus or the pointer and is gone reports neither blur nor leave. */
  readonly onGone: () => void
}

/** One notice. Dismissed automatically after its time, which stops while `paused`, or when its cause has ended. */
export function NoticeCard({ notice, paused, onGone }: Props) {
  useEffect(() => onGone, [onGone])
  const t = useTexts('notices')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const dismiss = useCallback(() => dispatch(noticeDismissed({ id: notice.id })), [dispatch, notice.id])
  const noticeSeconds = useSetting('noticeSeconds')
  const chosen = Math.max(notice.durationMs ?? NOTICE_DURATION_MS, noticeSeconds * 1_000)
  useCountdown(chosen, paused || noticeSeconds === 0 || notice.lasting === true, dismiss)
  const reason = useReason(notice)
  const about = notice.about && errorText(notice.about)
  const parts = [errorText(notice), about, reason].filter((part) => part !== undefined)
  const assertive = notice.severity === 'error' || notice.severity === 'warning'
  return (
    <Toast
      icon={ICONS[notice.severity]}
      tone={notice.severity}
      title={errorText(notice)}
      announcement={{ id: notice.id, text: parts.map(asSentence).join(' '), assertive }}
      dismissLabel={t('dismiss')}
      onDismiss={dismiss}
    >
      {about === undefined ? null : <p className={styles['reason']}>{about}</p>}
      {reason === undefined ? null : <p className={styles['reason']}>{reason}</p>}
      <UndoRecent notice={notice} onDone={dismiss} />
      <TryAgain notice={notice} onDone={dismiss} />
      <ShowExported notice={notice} onDone={dismiss} />
      {notice.detail === undefined ? null : <CopyDetails notice={notice} detail={notice.detail} />}
    </Toast>
  )
}

/** Retries a failed upload, like the button on its tile. */
function TryAgain({ notice, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const uploadId = notice.params?.['uploadId']
  if (typeof uploadId !== 'string') return null
  return <Action label={t('tryAgain')} onPress={() => void dispatch(uploadRetried({ id: uploadId }))} onDone={onDone} />
}

/** Undoes what the notice says, unless that happened elsewhere meanwhile. */
function UndoRecent({ notice: { undoId }, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const action = useAppSelector(({ recent }) => recent.find(({ id }) => id === undoId))
  if (action?.state !== 'done') return null
  return <Action label={t('undo')} onPress={() => void dispatch(undoRecent(action.id))} onDone={onDone} />
}

/** Shows the file that the notice is about in its folder. */
function ShowExported({ notice: { showsExported = false }, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  if (!showsExported) return null
  return <Action label={t('showInFolder')} onPress={() => void dispatch(exportedShown())} onDone={onDone} />
}

type ActionProps = { readonly notice: LocalNotice; readonly onDone: () => void }

/** What can be done about a notice; it is done with then. */
function Action({
  label,
  onPress,
  onDone,
}: Pick<ActionProps, 'onDone'> & { readonly label: string; readonly onPress: () => void }) {
  return (
    <ToastActions>
      <button
        type="button"
        onClick={() => {
          onPress()
          onDone()
        }}
      >
        {label}
      </button>
    </ToastActions>
  )
}

function CopyDetails({ notice, detail }: { readonly notice: LocalNotice; readonly detail: string }) {
  const t = useTexts('common')
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(`${notice.code}\n${detail}\n${new Date(notice.createdAt).toISOString()}`)
    setCopied(true)
  }
  return (
    <ToastActions>
      <button type="button" onClick={() => void copy()}>
        {copied ? t('copied') : t('copyDetails')}
      </button>
    </ToastActions>
  )
}

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
