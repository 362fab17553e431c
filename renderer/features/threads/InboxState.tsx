import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/use-delayed.ts'
import { useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { Skeleton } from '../../ui/View/Skeleton.tsx'
import { LoadingText, SKELETON_DELAY_MS } from '../connection/index.ts'
import type { ThreadFilter } from '../../store/window/views.ts'
import type { InboxList } from './use-inbox.ts'
import styles from './Inbox.module.css'

type Props = { readonly list: InboxList; readonly filter: ThreadFilter; readonly onAll: () => void }

/** Shown without rows: loading, offline, failed, or empty. */
export function InboxState({ list, filter, onAll }: Props) {
  const t = useTexts('thread')
  const errorText = useErrorText()
  const { state } = useConnection()
  const isWaiting = list.loading || list.hasMore || list.unanswered
  const late = useDelayed(isWaiting, SKELETON_DELAY_MS)
  if (list.error !== undefined) {
    return (
      <Empty scene="lines" title={t('inbox.failed')} action={<Button onClick={list.again}>{t('inbox.again')}</Button>}>
        {errorText({ code: list.error })}
      </Empty>
    )
  }
  if (isWaiting && state === 'healthy') return late ? <Waiting onRetry={list.again} /> : null
  if (state !== 'healthy' && (filter === 'all' || list.unanswered)) {
    return (
      <Empty scene="lines" title={t('inbox.absent')}>
        {t('inbox.absentText')}
      </Empty>
    )
  }
  return (
    <Empty
      scene="chat"
      title={t(`inbox.empty.${filter}`)}
      action={filter === 'all' ? undefined : <Button onClick={onAll}>{t('inbox.showAll')}</Button>}
    >
      {t(`inbox.empty.${filter}Text`)}
    </Empty>
  )
}

function Waiting({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts('thread')
  return (
    <div className={styles['waiting']}>
      <LoadingText what={t('inbox.loading')} onRetry={onRetry} />
      {[0, 1, 2].map((row) => (
        <div key={row} className={styles['card']}>
          <Skeleton width={180} />
          <div className={styles['waitingLine']}>
            <Skeleton width={32} height={32} arch />
            <Skeleton width="60%" />
          </div>
          <div className={styles['waitingLine']}>
            <Skeleton width={32} height={32} arch />
            <Skeleton width="45%" />
          </div>
        </div>
      ))}
    </div>
  )
}
