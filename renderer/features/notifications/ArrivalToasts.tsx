import { useCallback, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { asSentence } from '../../lib/text/rich.tsx'
import { usePageInView } from '../../lib/page/environment.ts'
import { useCountdown } from '../../lib/time/clocks.ts'
import { type ArrivalNotice, arrivalRemoved } from '../../store/window/notices.ts'
import { openDestination } from '../../store/window/destination.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
import { EmojiText } from '../emoji/index.ts'
import styles from './ArrivalToasts.module.css'

/** How long a toast is shown. */
const SHOWN_MS = 8_000

/** Notifications inside the window, for hosts where the system does not show them. */
export function ArrivalToasts() {
  return useAppSelector((state) => state.arrivals).map((notice) => <Arrival key={notice.tag} notice={notice} />)
}

function Arrival({ notice }: { readonly notice: ArrivalNotice }) {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const inView = usePageInView()
  const [interacting, setInteracting] = useState(false)
  const { tag, title, body, opens } = notice
  const dismiss = useCallback(() => dispatch(arrivalRemoved({ tag })), [dispatch, tag])
  useCountdown(SHOWN_MS, interacting || !inView, dismiss)
  const open = (): void => {
    dismiss()
    openDestination(dispatch, opens)
  }
  return (
    <div
      role="presentation"
      onPointerEnter={() => setInteracting(true)}
      onPointerLeave={() => setInteracting(false)}
      onFocus={() => setInteracting(true)}
      onBlur={() => setInteracting(false)}
    >
      <Toast
        icon="bell"
        tone="info"
        title={title}
        announcement={{ text: `${asSentence(title)} ${body}` }}
        dismissLabel={t('toast.dismiss')}
        onDismiss={dismiss}
      >
        <div className={styles['text']}>
          <EmojiText text={body} />
        </div>
        <ToastActions>
          <button type="button" onClick={open}>
            {t('toast.open')}
          </button>
        </ToastActions>
      </Toast>
    </div>
  )
}
