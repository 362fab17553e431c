import { useId } from 'react'
import styles from './Radios.module.css'

type Props<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[]
  readonly onChange: (value: Value) => void
  /** For hints that are sentences: each below its label, also where it would fit beside it. */
  readonly hintsBelow?: boolean
}

/** A vertical group of radio buttons; the whole row is the target. */
export function Radios<Value extends string>({ label, value, choices, onChange, hintsBelow = false }: Props<Value>) {
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
