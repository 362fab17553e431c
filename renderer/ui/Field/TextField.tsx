import { useId, type ComponentProps, type ReactNode, type Ref, type KeyboardEvent } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
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
  /** After the text, within the frame. */
  readonly end?: ReactNode
  /** For addresses and keys. */
  readonly mono?: boolean
  /** For screen readers only: the placeholder shows the same text. */
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
  end,
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
        {end}
      </div>
    </FieldFrame>
  )
}

type FieldFrameProps = {
  readonly id: string
  readonly label: string
  /** For screen readers only; the placeholder shows the same text. */
  readonly labelHidden?: boolean
  readonly optional?: string
  readonly error?: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** The texts around a field: its label above, the hint or the error below. */
export function FieldFrame({ id, label, labelHidden = false, optional, error, hint, children }: FieldFrameProps) {
  return (
    <div className={styles['field']}>
      <label className={labelHidden ? 'sr-only' : styles['label']} htmlFor={id}>
        {label}
        {optional === undefined ? null : <span className={styles['optional']}>{optional}</span>}
      </label>
      {children}
      {error !== undefined ? (
        <p id={belowOf(id)} className={styles['error']} role="alert">
          <Icon name="alert-circle" size={14} />
          {error}
        </p>
      ) : hint === undefined ? null : (
        <div id={belowOf(id)} className={styles['hint']}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** Id of the hint or error below a field. */
const belowOf = (id: string): string => `${id}-below`

/** The attributes that link a field to the hint or error below it. */
export const aboutBelow = (id: string, error: string | undefined, hint?: ReactNode) => ({
  'aria-invalid': error === undefined ? undefined : true,
  'aria-describedby': error === undefined && hint === undefined ? undefined : belowOf(id),
})

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'onChange' | 'value'> & {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Takes the place of the hint and is announced. */
  readonly error?: string
  readonly hint?: ReactNode
  readonly optional?: string
}

/** Several lines of text with their label, hint and error. It grows with its text. */
export function TextArea({ label, value, onChange, error, hint, optional, rows = 2, ...rest }: TextAreaProps) {
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

type FindFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** A selector of the element with the rows: around the field, else the first on the page. Arrow down moves to its tab stop. */
  readonly list?: string
  readonly onEnter?: () => void
  readonly maxLength?: number
  readonly ref?: Ref<HTMLInputElement>
}

/** Filters a list: one line without a label above it. Escape clears it first, arrow down moves into the list. */
export function FindField({ label, value, onChange, list, onEnter, maxLength = 200, ref }: FindFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && value !== '') {
      onChange('')
      event.stopPropagation()
    } else if (event.key === 'Enter' && onEnter !== undefined) onEnter()
    else if (event.key !== 'ArrowDown' || !focusRow(event.currentTarget, list)) return
    event.preventDefault()
  }
  return (
    <TextField
      ref={ref}
      label={label}
      labelHidden
      value={value}
      onChange={onChange}
      icon="search"
      type="search"
      placeholder={label}
      autoComplete="off"
      maxLength={maxLength}
      onKeyDown={onKeyDown}
    />
  )
}

function focusRow(field: HTMLElement, list: string | undefined): boolean {
  if (list === undefined) return false
  const rows = field.closest(list) ?? document.querySelector(list)
  const row = rows?.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]')
  row?.focus()
  return Boolean(row)
}
