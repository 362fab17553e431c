import { Icon } from '../Icon/Icon.tsx'
import styles from './Select.module.css'

type Props<Value extends string> = {
  /** Read by screen readers; the visible label is next to it. */
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

/** A drop-down list: the native one, so that it works with every key and screen reader. */
export function Select<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <span className={styles['select']}>
      <select
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((choice) => choice.value === currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} />
    </span>
  )
}
