import { useRoving } from '../lib/roving.ts'
import { cx } from '../lib/cx.ts'
import styles from './Segments.module.css'

type Props<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
  readonly block?: boolean
}

/** Two to five choices in one line. Arrows move and choose, as in a group of radio buttons. */
export function Segments<Value extends string>({ label, value, choices, onChange, block = false }: Props<Value>) {
  const roving = useRoving({
    ids: choices.map((choice) => choice.value),
    orientation: 'both',
    wrap: true,
    initialId: value,
  })
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      {...listeners}
      role="radiogroup"
      aria-label={label}
      className={cx(styles['segments'], block && styles['block'])}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          {...roving.itemProps(choice.value)}
          onClick={() => onChange(choice.value)}
          onFocus={() => choice.value !== value && onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
