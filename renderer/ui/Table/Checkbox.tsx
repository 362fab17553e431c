import { useEffect, useRef } from 'react'
import styles from './Table.module.css'

type Props = {
  readonly label: string
  /** `mixed`: some of what it stands for. */
  readonly checked: boolean | 'mixed'
  readonly disabled?: boolean
  readonly tabIndex?: number
  readonly onChange: (on: boolean) => void
}

/** A checkbox without a visible label: what it is for is in its row. */
export function Checkbox({ label, checked, disabled, tabIndex, onChange }: Props) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = checked === 'mixed'
  }, [checked])
  return (
    <input
      ref={ref}
      type="checkbox"
      className={styles['check']}
      aria-label={label}
      checked={checked === true}
      disabled={disabled}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
