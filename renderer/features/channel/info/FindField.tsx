import type { KeyboardEvent } from 'react'
import { TextField } from '../../../ui/TextField.tsx'
import styles from '../Info.module.css'

type Props = { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }

/** Narrows the list below it. Escape empties it first, Down goes into the list. */
export function FindField({ label, value, onChange }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      event.stopPropagation()
      onChange('')
    } else if (event.key === 'ArrowDown') {
      const region = event.currentTarget.closest<HTMLElement>('[data-region]')
      const row = region?.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]')
      if (row === null || row === undefined) return
      event.preventDefault()
      row.focus()
    }
  }
  return (
    <div className={styles['find']}>
      <TextField
        label={label}
        labelHidden
        value={value}
        onChange={onChange}
        icon="search"
        type="search"
        placeholder={label}
        autoComplete="off"
        maxLength={200}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
