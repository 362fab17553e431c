import { useRoving } from '../../lib/page/roving.ts'
import { cx } from '../../lib/cx.ts'
import { Count } from '../Mark/Count.tsx'
import styles from './Segments.module.css'

type Choice<Value extends string> = {
  readonly value: Value
  readonly label: string
  /** The language of the label, if another one than the page's. */
  readonly lang?: string
  /** Shown next to the label if greater than 0; `name` then contains both. */
  readonly count?: { readonly value: number; readonly name: string }
}

type Props<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: readonly Choice<Value>[]
  readonly onChange: (value: Value) => void
  readonly block?: boolean
}

/** Two to five options in one line. Arrows move and select, as in a group of radio buttons. */
export function Segments<Value extends string>({ label, value, choices, onChange, block = false }: Props<Value>) {
  const roving = useRoving({
    ids: choices.map((choice) => choice.value),
    orientation: 'both',
    wrap: true,
    initialId: value,
  })
  const { ref, ...listeners } = roving.containerProps
  const choose = (next: Value): void => {
    if (next !== value) onChange(next)
  }
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
          aria-label={isCounted(choice) ? choice.count?.name : undefined}
          {...roving.itemProps(choice.value)}
          onClick={() => choose(choice.value)}
          // A mouse press focuses first, so the selection already happens here.
          onFocus={() => choose(choice.value)}
        >
          {choice.lang === undefined ? choice.label : <span lang={choice.lang}>{choice.label}</span>}
          {isCounted(choice) ? <Count value={choice.count?.value ?? 0} /> : null}
        </button>
      ))}
    </div>
  )
}

const isCounted = ({ count }: Choice<string>): boolean => count !== undefined && count.value > 0
