import { useCallback, useState } from 'react'
import { NOTICE_DURATION_MS } from '#shared/constants.ts'
import { asCid } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useCountdown } from '../../lib/time/use-countdown.ts'
import { command } from '../../store/command.ts'
import { sendCommand } from '../../store/commands.ts'
import { useAppDispatch, useSetting } from '../../store/hooks.ts'
import { noticeDismissed, type LocalNotice } from '../../store/window/notices.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
import { undoHide } from '../sidebar/index.ts'
import { NoticeReason } from './NoticeReason.tsx'

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

type Props = { readonly notice: LocalNotice; readonly paused: boolean }

/** One notice. Dismissed automatically after its time, which stops while `paused`, or when its cause has ended. */
export function NoticeCard({ notice, paused }: Props) {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const dismiss = useCallback(() => dispatch(noticeDismissed({ id: notice.id })), [dispatch, notice.id])
  const noticeSeconds = useSetting('noticeSeconds')
  const chosen = Math.max(notice.durationMs ?? NOTICE_DURATION_MS, noticeSeconds * 1_000)
  useCountdown(chosen, paused || noticeSeconds === 0 || notice.lasting === true, dismiss)
  const grave = notice.severity === 'error' || notice.severity === 'warning'
  return (
    <Toast
      icon={ICONS[notice.severity]}
      tone={notice.severity}
      role={grave ? 'alert' : 'status'}
      title={errorText(notice)}
      dismissLabel={t('dismiss')}
      onDismiss={dismiss}
    >
      <NoticeReason notice={notice} />
      {notice.actionId === undefined ? null : (
        <ToastActions>
          <button
            type="button"
            onClick={() => {
              if (notice.actionId !== undefined) dispatch(sendCommand('runAction', { id: notice.actionId }))
              dismiss()
            }}
          >
            {t(`actions.${notice.actionId}`)}
          </button>
        </ToastActions>
      )}
      <UndoHide notice={notice} onDone={dismiss} />
      <TryAgain notice={notice} onDone={dismiss} />
      {notice.detail === undefined ? null : <CopyDetails notice={notice} detail={notice.detail} />}
    </Toast>
  )
}

/** Retries a failed upload, like the button on its tile. */
function TryAgain({ notice, onDone }: { readonly notice: LocalNotice; readonly onDone: () => void }) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const uploadId = notice.params?.['uploadId']
  if (typeof uploadId !== 'string') return null
  const again = (): void => {
    void dispatch(uploadRetried({ id: uploadId }))
    onDone()
  }
  return (
    <ToastActions>
      <button type="button" onClick={again}>
        {t('tryAgain')}
      </button>
    </ToastActions>
  )
}

/** Shows a hidden channel again. */
function UndoHide({ notice, onDone }: { readonly notice: LocalNotice; readonly onDone: () => void }) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const { hiddenCid, wasOpen } = notice.params ?? {}
  if (typeof hiddenCid !== 'string') return null
  const undo = (): void => {
    void dispatch(undoHide(asCid(hiddenCid), wasOpen === 1))
    onDone()
  }
  return (
    <ToastActions>
      <button type="button" onClick={undo}>
        {t('actions.undoHide')}
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
