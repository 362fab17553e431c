import { Suspense, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectHostUnavailable } from '../../store/window/host.ts'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { StoppedText } from './ConnectionBanner.tsx'
import styles from './Connection.module.css'

type Props = {
  /** Shown while the code is loading normally. */
  readonly meanwhile?: ReactNode
  /** Set for dialogs: closes the placeholder. Absent for a part of the window. */
  readonly onClose?: () => void
  /** It is a small part of something else, where one line is room enough. */
  readonly small?: boolean
  readonly children: ReactNode
}

/** `Suspense` for code loaded on demand. While main is unreachable shows that it cannot load; it opens once main is back. */
export function HostSuspense({ children, ...how }: Props) {
  return <Suspense fallback={<Meanwhile {...how} />}>{children}</Suspense>
}

function Meanwhile({ meanwhile = null, onClose, small = false }: Omit<Props, 'children'>) {
  const t = useTexts('common')
  const isUnavailable = useAppSelector(selectHostUnavailable)
  const isShut = useAppSelector(({ host }) => host.state === 'shut')
  if (!isUnavailable) return meanwhile
  const text = isShut ? <StoppedText /> : t('host.opens')
  if (small) return <p className={styles['awaited']}>{isShut ? text : t('host.opensWithWhy')}</p>
  if (onClose === undefined) {
    return (
      <Empty scene="chat" title={t('host.stopped')}>
        {text}
      </Empty>
    )
  }
  return (
    <Dialog title={t('host.stopped')} width={400} onClose={onClose}>
      <DialogText>{text}</DialogText>
    </Dialog>
  )
}
