import type { LoadingPart } from '#shared/domain/connection.ts'
import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/use-delayed.ts'
import { useAppDispatch, useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { LoadingText, SKELETON_DELAY_MS } from './LoadingText.tsx'
import { reconnect } from './commands.ts'

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
