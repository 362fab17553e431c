import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { aboutBelow, FieldFrame } from './FieldFrame.tsx'
import styles from './TextField.module.css'

type Props = Omit<ComponentProps<'textarea'>, 'className' | 'onChange' | 'value'> & {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Takes the place of the hint and is announced. */
  readonly error?: string
  readonly hint?: ReactNode
  readonly optional?: string
}

/** Several lines of text with their label, hint and error. It grows with what is written. */
export function TextArea({ label, value, onChange, error, hint, optional, rows = 2, ...rest }: Props) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional={optional} error={error} hint={hint}>
      <textarea
        dir="auto"
        {...rest}
        id={id}
        rows={rows}
        className={cx(styles['area'], error !== undefined && styles['wrong'])}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...aboutBelow(id, error, hint)}
      />
    </FieldFrame>
  )
}
