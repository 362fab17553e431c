import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/use-delayed.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import styles from './Connection.module.css'

/** Delay before a skeleton is shown. */
export const SKELETON_DELAY_MS = 150
/** After that: what is loading is shown after a second in total, and what to do about it after ten. */
const TEXT_DELAY_MS = 1_000 - SKELETON_DELAY_MS
const LONG_MS = 10_000 - SKELETON_DELAY_MS

type Props = {
  /** "Loading messages…". */
  readonly what: string
  /** Loads again. */
  readonly onRetry?: () => void
}

/** The text of a loading state, beside its skeleton. Renders nothing at first. */
export function LoadingText({ what, onRetry }: Props) {
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
