import { cx } from '../../lib/cx.ts'
import styles from './Mark.module.css'

/** Parlor's logo: a doorway that is also a speech bubble, with the lamp on. Decorative, next to the name. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path
        className={styles['door']}
        d="M5 13.5C5 7.1 9.9 2.5 16 2.5s11 4.6 11 11V22a4.500 4.500 0 0 1-4.500 4.500h-9.300l-5.700 3.700c-.8.500-1.800 0-1.800-1L5 22z"
      />
      <path className={styles['room']} d="M11 14.200c0-3.100 2.200-5.400 5-5.400s5 2.300 5 5.400v6.300H11z" />
      <circle className={styles['lamp']} cx="16" cy="14.600" r="2.100" />
    </svg>
  )
}

type Props = {
  readonly value: number
  /** Gray for ordinary unread messages, brass for those that concern the reader, accent for a selected option. */
  readonly tone?: 'unread' | 'mention' | 'accent'
}

/** A number in a pill, capped at 99+. Decorative: the control around it has the number in its name. */
export function Count({ value, tone = 'unread' }: Props) {
  return (
    <span className={cx(styles['count'], styles[tone])} aria-hidden="true">
      {value > 99 ? '99+' : value}
    </span>
  )
}
