import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { Spinner } from '../View/Waiting.tsx'
import styles from './Button.module.css'

type Props = Omit<ComponentProps<'button'>, 'className'> & {
  readonly variant?: 'primary' | 'secondary' | 'risky' | 'quiet' | 'danger' | 'link'
  readonly size?: 'small' | 'normal' | 'large'
  readonly icon?: IconName
  /** A spinner replaces the icon and clicks are ignored; the label stays. */
  readonly working?: boolean
  readonly block?: boolean
  readonly children: ReactNode
}

/** Labeled with a verb. One primary button per surface. */
export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  working = false,
  block = false,
  children,
  type = 'button',
  onClick,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(styles['button'], styles[variant], styles[size], block && styles['block'])}
      aria-disabled={working || rest['aria-disabled'] === true ? true : undefined}
      aria-busy={working || undefined}
      onClick={working ? undefined : onClick}
    >
      {working ? <Spinner /> : icon === undefined ? null : <Icon name={icon} size={size === 'small' ? 15 : 17} />}
      {children}
    </button>
  )
}
