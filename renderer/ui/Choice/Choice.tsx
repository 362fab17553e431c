import { useId } from 'react'
import { useRoving } from '../../lib/page/roving.ts'
import { cx } from '../../lib/cx.ts'
import { Count } from '../Mark/Mark.tsx'
import { Icon } from '../Icon/Icon.tsx'
import styles from './Choice.module.css'

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

type RadiosProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[]
  readonly onChange: (value: Value) => void
  /** For hints that are sentences: each below its label, also where it would fit beside it. */
  readonly hintsBelow?: boolean
}

/** A vertical group of radio buttons; the whole row is the target. */
export function Radios<Value extends string>({
  label,
  value,
  choices,
  onChange,
  hintsBelow = false,
}: RadiosProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles['radios']} data-hints={hintsBelow ? 'below' : undefined}>
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles['radio']}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={styles['radioLabel']}>{choice.label}</span>
          {choice.hint === undefined ? null : <span className={styles['hint']}>{choice.hint}</span>}
        </label>
      ))}
    </fieldset>
  )
}

type SelectProps<Value extends string> = {
  /** Read by screen readers; the visible label is next to it. */
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

/** A drop-down list: the native one, so that it works with every key and screen reader. */
export function Select<Value extends string>({ label, value, choices, onChange }: SelectProps<Value>) {
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
