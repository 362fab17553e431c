import { useEffect, useRef, type ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { announce } from '../../lib/page/announce.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { IconButton } from '../Button/IconButton.tsx'
import styles from './Toast.module.css'

type Announcement = {
  readonly text: string
  /** Announced again when it changes, not when only the text does; the text itself if absent. */
  readonly id?: string
  readonly assertive?: boolean
}

type Props = {
  readonly icon: IconName
  readonly tone: 'error' | 'warning' | 'info' | 'success'
  readonly title: string
  readonly announcement: Announcement
  readonly dismissLabel: string
  readonly onDismiss: () => void
  readonly children?: ReactNode
}

/**
 * A card in the corner: what happened, and the actions on it. It is no live region: one that comes with its text is often
 * not read out, so the regions that are always there announce it.
 */
export function Toast({ icon, tone, title, announcement, dismissLabel, onDismiss, children }: Props) {
  useAnnouncedOnce(announcement)
  return (
    <div role="group" aria-label={title} className={cx(styles['toast'], styles[tone])}>
      <Icon name={icon} size={20} />
      <div className={styles['main']}>
        <div className={styles['title']}>{title}</div>
        {children}
      </div>
      <IconButton icon="x" size="tiny" iconSize={15} label={dismissLabel} tooltipSide="above" onClick={onDismiss} />
    </div>
  )
}

/** Announces a text when it is shown first, and again when what it is about changes. */
export function useAnnouncedOnce({ text, id = text, assertive = false }: Announcement): void {
  const announced = useRef<string>(undefined)
  useEffect(() => {
    if (announced.current === id) return
    announced.current = id
    announce(text, { assertive })
  }, [id, text, assertive])
}

/** The buttons below a toastâs text. */
export function ToastActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
