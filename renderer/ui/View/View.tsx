import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { IconButton } from '../Button/Button.tsx'
import styles from './View.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  /** One line next to the title: what the view contains. */
  readonly subtitle?: string
  /** Below 640 px: the button back to the list, with its name. */
  readonly back?: { readonly label: string; readonly onPress: () => void }
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode
  /** Between the head and the scrolling content. */
  readonly banner?: ReactNode
  /** For a view that moves the focus to its heading, for example when its last row was removed. */
  readonly heading?: RefObject<HTMLHeadingElement | null>
  readonly children: ReactNode
}

/** The frame of a view that is not a conversation: drafts, reminders. Its heading takes the focus, so that it is read out. */
export function View({ icon, title, subtitle, back, actions, banner, heading, children }: Props) {
  const own = useRef<HTMLHeadingElement>(null)
  const h1 = heading ?? own
  useEffect(() => h1.current?.focus({ preventScroll: true }), [h1])
  return (
    <main className={styles['sheet']} aria-label={title}>
      <header
        className={cx(styles['head'], styles['wraps'])}
        data-region="header"
        data-back={back === undefined ? undefined : ''}
      >
        {back === undefined ? null : <IconButton icon="arrow-left" label={back.label} onClick={back.onPress} />}
        <h1 ref={h1} tabIndex={-1} className={styles['title']}>
          <Icon name={icon} size={19} />
          <span className={styles['titleText']}>{title}</span>
        </h1>
        {subtitle === undefined ? null : (
          <span className={cx(styles['topic'], styles['roomy'], 'ellipsis')}>{subtitle}</span>
        )}
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </header>
      {banner}
      <div className={styles['body']} data-region="messages">
        {children}
      </div>
    </main>
  )
}
