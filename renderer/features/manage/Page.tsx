import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner } from '../connection/index.ts'
import styles from './Manage.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  /** One fact beside the title, such as how many are waiting. */
  readonly fact?: string
  /** In a single column: goes back to the list of pages. */
  readonly onBack?: () => void
  /** At the end of the head: a switch of views, one action. */
  readonly actions?: ReactNode
  /** Pills that narrow a list. */
  readonly filters?: ReactNode
  /** What follows from the main column, at its end; absent where the window is too narrow for it. */
  readonly aside?: ReactNode
  /** Details of the open row. They cover the list where both do not fit. */
  readonly panel?: ReactNode
  /** A decision about what is shown. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page of administration: head, filters, list, foot, and what stands beside them. */
export function Page({ icon, title, fact, onBack, actions, filters, aside, panel, foot, children }: Props) {
  const common = useTexts('common')
  const breakpoint = useBreakpoint()
  const covers = panel !== undefined && (breakpoint === 'small' || breakpoint === 'narrow')
  return (
    <View
      icon={icon}
      title={title}
      subtitle={fact}
      back={onBack && { label: common('back'), onPress: onBack }}
      actions={actions}
      banner={
        <>
          <ConnectionBanner />
          {filters === undefined || covers ? null : <div className={styles['filters']}>{filters}</div>}
        </>
      }
    >
      <div className={styles['columns']}>
        {covers ? null : (
          <div className={styles['main']}>
            <div className={styles['list']}>{children}</div>
            {foot === undefined ? null : <footer className={styles['foot']}>{foot}</footer>}
          </div>
        )}
        {panel === undefined ? null : <div className={styles['panel']}>{panel}</div>}
        {aside === undefined || breakpoint !== 'wide' ? null : <div className={styles['aside']}>{aside}</div>}
      </div>
    </View>
  )
}
