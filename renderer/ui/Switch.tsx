import { cx } from '../lib/cx.ts'
import styles from './Switch.module.css'

type Props = {
  /** Id of the words beside it. */
  readonly labelledBy: string
  readonly describedBy?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** On or off, at once. */
export function Switch({ labelledBy, describedBy, on, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className={cx(styles['switch'], on && styles['on'])}
      onClick={() => onChange(!on)}
    />
  )
}
