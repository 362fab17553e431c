import type { KeyboardEvent, Ref } from 'react'
import { TextField } from './TextField.tsx'

type Props = {
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
export function FindField({ label, value, onChange, list, onEnter, maxLength = 200, ref }: Props) {
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
