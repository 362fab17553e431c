import { cx } from '../../lib/cx.ts'
import styles from './Switch.module.css'

type Props = {
  /** Id of the label next to it. */
  readonly labelledBy: string
  readonly describedBy?: string
  readonly on: boolean
  /** Shown but not changeable; the text next to it says why. */
  readonly disabled?: boolean
  /** A press beside it is not its own, because the row does something else. */
  readonly alone?: boolean
  readonly onChange: (on: boolean) => void
}

/** A switch that applies at once. The whole row reacts, up to the nearest positioned element around it. */
export function Switch({ labelledBy, describedBy, on, disabled = false, alone = false, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-disabled={disabled || undefined}
      className={cx(styles['switch'], on && styles['on'], !alone && styles['wholeRow'])}
      onClick={() => disabled || onChange(!on)}
    />
  )
}
