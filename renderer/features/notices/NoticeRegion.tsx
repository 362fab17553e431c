import { useState, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import { NoticeCard } from './NoticeCard.tsx'
import { selectShownNotices } from './selectors.ts'
import styles from './Notices.module.css'

/**
 * The newest notices over the lower corner. Their time stops while they have the pointer or focus, or the page is not in
 * view. `children`: notices of other features, shown below until they are dismissed.
 */
export function NoticeRegion({ children }: { readonly children?: ReactNode }) {
  const t = useTexts('notices')
  const shown = useAppSelector(selectShownNotices)
  const overComposer = useAppSelector((state) => state.ui.route.view === 'channel')
  const inView = usePageInView()
  const [interacting, setInteracting] = useState(false)
  return (
    <section
      className={overComposer ? styles['region'] : `${styles['region']} ${styles['low']}`}
      aria-label={t('region')}
      data-region="notices"
    >
      <div
        role="presentation"
        className={styles['stack']}
        onPointerEnter={() => setInteracting(true)}
        onPointerLeave={() => setInteracting(false)}
        onFocus={() => setInteracting(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setInteracting(false)}
      >
        {shown.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} paused={interacting || !inView} />
        ))}
        {children}
      </div>
    </section>
  )
}
