import { useId, type ComponentProps, type ReactNode, type Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.ts'
import styles from './TextField.module.css'

type Props = Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'value'> & {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Takes the place of the hint and is announced. */
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly optional?: string
  readonly icon?: IconName
  /** For addresses and keys. */
  readonly mono?: boolean
  /** Only heard: the placeholder says it to those who see. */
  readonly labelHidden?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** One line of text with its label, hint and error. */
export function TextField({
  label,
  value,
  onChange,
  error,
  hint,
  optional,
  icon,
  mono = false,
  labelHidden = false,
  ...rest
}: Props) {
  const id = useId()
  const below = error ?? hint
  return (
    <div className={styles['field']}>
      <label className={labelHidden ? 'sr-only' : styles['label']} htmlFor={id}>
        {label}
        {optional === undefined ? null : <span className={styles['optional']}>{optional}</span>}
      </label>
      <div className={cx(styles['box'], error !== undefined && styles['wrong'], mono && styles['mono'])}>
        {icon === undefined ? null : <Icon name={icon} size={16} />}
        <input
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={below === undefined ? undefined : `${id}-below`}
        />
      </div>
      {error !== undefined ? (
        <p id={`${id}-below`} className={styles['error']} role="alert">
          <Icon name="alert-circle" size={14} />
          {error}
        </p>
      ) : hint === undefined ? null : (
        <p id={`${id}-below`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  )
}
