import type { ReactNode } from 'react'
import type { LoadingPart } from '#shared/domain/session.ts'
import { useTexts } from '../../i18n/index.ts'
import { PartFallback } from '../../lib/page/part.tsx'
import { useDelayed } from '../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useAppSelector } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { routeOpened } from '../../store/window/ui.ts'
import { selectHostUnavailable } from '../../store/window/host.ts'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { reconnect, StoppedText } from './ConnectionState.tsx'
import styles from './Connection.module.css'

type Props = {
  readonly part: LoadingPart
  /** Error code of the last try, if known. */
  readonly error?: string
}

/** In place of an empty list whose rows have not been loaded yet: loading, offline, or failed. */
export function NotLoaded({ part, error }: Props) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const { state, offline, stillLoading } = useConnection()
  const isFailed = state === 'healthy' && (error !== undefined || stillLoading?.includes(part) === true)
  const isWaiting = useDelayed(!isFailed && !offline, SKELETON_DELAY_MS)
  const again = (): void => void dispatch(reconnect(undefined))
  if (isFailed) {
    return (
      <Empty scene="offline" title={t('unanswered.failed')} action={<Button onClick={again}>{t('tryAgain')}</Button>}>
        {t('unanswered.failedText')}
      </Empty>
    )
  }
  if (offline) {
    return (
      <Empty scene="offline" title={t('unanswered.offline')}>
        {t('unanswered.offlineText')}
      </Empty>
    )
  }
  return isWaiting ? <LoadingText what={t('unanswered.loading')} onRetry={again} /> : null
}

/** Delay before a skeleton is shown. */
export const SKELETON_DELAY_MS = 150
/** After that: what is loading is shown after a second in total, and what to do about it after ten. */
const TEXT_DELAY_MS = 1_000 - SKELETON_DELAY_MS
const LONG_MS = 10_000 - SKELETON_DELAY_MS

type LoadingTextProps = {
  /** "Loading messages…". */
  readonly what: string
  /** Loads again. */
  readonly onRetry?: () => void
}

/** The text of a loading state, beside its skeleton. Renders nothing at first. */
export function LoadingText({ what, onRetry }: LoadingTextProps) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const hasText = useDelayed(true, TEXT_DELAY_MS)
  const isLong = useDelayed(true, LONG_MS)
  return (
    <div role="status" className={hasText ? styles['loading'] : undefined}>
      {hasText ? <p>{isLong ? `${what} ${t('awaited.long')}` : what}</p> : null}
      {isLong ? (
        <p className={styles['actions']}>
          {onRetry === undefined ? null : (
            <Button size="small" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            onClick={() => dispatch(routeOpened({ view: 'settings', section: 'advanced' }))}
          >
            {t('awaited.why')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

type UntilLoadedProps = {
  /** Shown while the code is loading normally. */
  readonly meanwhile?: ReactNode
  /** Set for dialogs: closes the placeholder. Absent for a part of the window. */
  readonly onClose?: () => void
  /** It is a small part of something else, where one line is room enough. */
  readonly small?: boolean
  readonly children: ReactNode
}

/** What the parts in it show until their code is loaded. While main is unreachable: that they cannot load; they open once main is back. */
export function UntilLoaded({ children, ...how }: UntilLoadedProps) {
  return <PartFallback value={<Meanwhile {...how} />}>{children}</PartFallback>
}

function Meanwhile({ meanwhile = null, onClose, small = false }: Omit<UntilLoadedProps, 'children'>) {
  const t = useTexts('common')
  const isUnavailable = useAppSelector(selectHostUnavailable)
  const isShut = useAppSelector(({ host }) => host.state === 'shut')
  if (!isUnavailable) return meanwhile
  const text = isShut ? <StoppedText /> : t('host.opens')
  if (small) return <p className={styles['loading']}>{isShut ? text : t('host.opensWithWhy')}</p>
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
