import type { Window } from '#shared/domain/changes.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { maySendMessage } from '#shared/rules/channels/capabilities.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { useChannel, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { Skeleton } from '../../../ui/View/Skeleton.tsx'
import { LoadingText, SKELETON_DELAY_MS } from '../../connection/index.ts'
import styles from './MessagePane.module.css'

type Props = {
  readonly window: Window | undefined
  readonly refused: string | undefined
  readonly cid: Cid
  readonly thread: boolean
  readonly onRetry: () => void
}

/** Shown without rows: loading, empty or failed. */
export function PaneState({ window, refused, cid, thread, onRetry }: Props) {
  const t = useTexts('messages')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const channel = useChannel(cid)
  const isOpen = channel === undefined || (!channel.blocked && maySendMessage(channel))
  const failure = window?.error ?? refused
  // The server has not confirmed yet that the channel is empty; offline, the text below says so.
  const unanswered = window?.unanswered === true && !offline
  const waiting = failure === undefined && (window === undefined || window.loading === 'initial' || unanswered)
  const slow = useDelayed(waiting, SKELETON_DELAY_MS)
  if (failure !== undefined) {
    return (
      <div className={styles['state']}>
        <Empty
          scene={offline ? 'offline' : 'chat'}
          title={t('state.failed')}
          action={<Button onClick={onRetry}>{t('status.retry')}</Button>}
        >
          {errorText({ code: failure })}
        </Empty>
      </div>
    )
  }
  if (waiting) return <Bones slow={slow} onRetry={onRetry} />
  if (thread) return null
  return (
    <div className={styles['state']}>
      <Empty scene={offline ? 'offline' : 'chat'} title={t(offline ? 'state.offline' : 'state.empty')}>
        {offline ? t('state.offlineHint') : isOpen ? t('state.emptyHint') : undefined}
      </Empty>
    </div>
  )
}

const WIDTHS = [
  [38, 92],
  [30, 60],
  [44, 78],
  [26, 48],
  [40, 86],
] as const

/** Skeleton rows in the geometry of real ones; they fade in. */
function Bones({ slow, onRetry }: { readonly slow: boolean; readonly onRetry: () => void }) {
  const t = useTexts('messages')
  return (
    <div className={styles['bones']}>
      {slow ? <LoadingText what={t('state.loading')} onRetry={onRetry} /> : null}
      {WIDTHS.map(([name, text]) => (
        <div key={name} className={styles['bone']}>
          <Skeleton width={36} height={36} arch />
          <div>
            <Skeleton width={`${name / 2}%`} height={11} />
            <Skeleton width={`${text}%`} height={11} />
          </div>
        </div>
      ))}
    </div>
  )
}
