import { cx } from '../../lib/cx.ts'
import styles from './Count.module.css'

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
