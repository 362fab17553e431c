import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import styles from './Tag.module.css'

type Props = {
  readonly tone?: 'plain' | 'accent' | 'warning' | 'danger' | 'info' | 'success'
  readonly children: ReactNode
}

/** A short label; never clickable. */
export const Tag = ({ tone = 'plain', children }: Props) => (
  <span className={cx(styles['tag'], styles[tone])}>{children}</span>
)
