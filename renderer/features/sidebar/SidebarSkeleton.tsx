import { useTexts } from '../../i18n/index.ts'
import { Skeleton } from '../../ui/View/Skeleton.tsx'
import { LoadingText } from '../connection/index.ts'
import styles from './Sidebar.module.css'

const CHANNEL_WIDTHS = [120, 96, 140, 84, 132, 104, 150, 76]
const DIRECT_WIDTHS = [110, 130, 98, 124]

/** Placeholder while nothing is cached. */
export function SidebarSkeleton() {
  const t = useTexts('sidebar')
  return (
    <div className={styles['scroll']}>
      <LoadingText what={t('loading')} />
      <div className={styles['skeletonHead']}>{t('sections.channels')}</div>
      {CHANNEL_WIDTHS.map((width) => (
        <div key={width} className={styles['skeletonRow']}>
          <Skeleton width={18} height={18} />
          <Skeleton width={width} />
        </div>
      ))}
      <div className={styles['skeletonHead']}>{t('sections.direct')}</div>
      {DIRECT_WIDTHS.map((width) => (
        <div key={width} className={styles['skeletonRow']}>
          <Skeleton width={20} height={20} arch />
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  )
}
