import { useCallback, useEffect, useState } from 'react'
import { NOTICE_DURATION_MS } from '#shared/constants.ts'
import type { Notice } from '#shared/domain/notification.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { asSentence } from '../../lib/text/rich.tsx'
import { useCountdown } from '../../lib/time/clocks.ts'
import { command } from '../../store/command.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { type LocalNotice, noticeDismissed } from '../../store/window/notices.ts'
import { undoRecent } from '../../store/window/recent.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
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

export function NoticeReason({ notice }: { readonly notice: Notice }) {
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
