import { useId, type ComponentProps, type ReactNode, type Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { aboutBelow, FieldFrame } from './FieldFrame.tsx'
import { Icon } from '../Icon/Icon.tsx'
import type { IconName } from '../Icon/icon-names.ts'
import styles from './TextField.module.css'

type Props = Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'value'> & {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Takes the place of the hint and is announced. */
  readonly error?: string
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
  return (
    <FieldFrame id={id} label={label} labelHidden={labelHidden} optional={optional} error={error} hint={hint}>
      <div className={cx(styles['box'], error !== undefined && styles['wrong'], mono && styles['mono'])}>
        {icon === undefined ? null : <Icon name={icon} size={16} />}
        <input
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...aboutBelow(id, error, hint)}
        />
      </div>
    </FieldFrame>
  )
}
