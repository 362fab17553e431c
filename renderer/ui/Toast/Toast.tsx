import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../Icon/Icon.tsx'
import { IconButton } from '../Button/IconButton.tsx'
import type { IconName } from '../Icon/icon-names.ts'
import styles from './Toast.module.css'

type Props = {
  readonly icon: IconName
  readonly tone: 'error' | 'warning' | 'info' | 'success'
  /** `alert` and `status` are announced automatically; a `group` is announced by the code that shows it, and is named by `title`. */
  readonly role: 'alert' | 'status' | 'group'
  readonly title: string
  readonly dismissLabel: string
  readonly onDismiss: () => void
  readonly children?: ReactNode
}

/** A card in the corner: what happened, and the actions on it. */
export function Toast({ icon, tone, role, title, dismissLabel, onDismiss, children }: Props) {
  return (
    <div role={role} aria-label={role === 'group' ? title : undefined} className={cx(styles['toast'], styles[tone])}>
      <Icon name={icon} size={20} />
      <div className={styles['main']}>
        <div className={styles['title']}>{title}</div>
        {children}
      </div>
      <IconButton icon="x" size="tiny" iconSize={15} label={dismissLabel} tooltipSide="above" onClick={onDismiss} />
    </div>
  )
}

/** The buttons below a toastâs text. */
export function ToastActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
