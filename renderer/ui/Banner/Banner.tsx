import type { ReactNode } from 'react'
import { Button } from '../Button/Button.tsx'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import styles from './Banner.module.css'

type Props = {
  readonly icon: IconName
  readonly children: ReactNode
  readonly action?: string
  readonly working?: boolean
  /** Its text is announced elsewhere, or changes too often to be read out. */
  readonly silent?: boolean
  readonly onAction?: () => void
}

/** A line under a header: the problem, and one action. */
export function Banner({ icon, children, action, working = false, silent = false, onAction }: Props) {
  return (
    <div className={styles['banner']} role={silent ? undefined : 'status'} data-region="banner">
      <Icon name={icon} size={17} />
      <span className={styles['text']}>{children}</span>
      {action === undefined ? null : (
        <span className={styles['action']}>
          <Button variant="link" size="small" working={working} onClick={onAction}>
            {action}
          </Button>
        </span>
      )}
    </div>
  )
}
