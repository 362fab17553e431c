import { useState, type ReactNode } from 'react'
import { itemsIn } from '../../../lib/text/comma-list.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from '../Settings.module.css'

type Props = {
  readonly label: string
  readonly hint: string
  readonly saveLabel: string
  readonly saved: readonly string[]
  /** Validation error; the text stays in the field. */
  readonly faultOf: (items: readonly string[]) => string | undefined
  readonly onSave: (items: readonly string[]) => void
  /** Shown below the hint for the items as currently typed. */
  readonly below?: (items: readonly string[]) => ReactNode
}

/** A comma-separated list in one field, with a Save button. */
export function CommaListForm({ label, hint, saveLabel, saved, faultOf, onSave, below }: Props) {
  const before = saved.join(', ')
  const [written, setWritten] = useState(before)
  const [tried, setTried] = useState(false)
  const items = itemsIn(written)
  const save = (): void => {
    setTried(true)
    if (faultOf(items) === undefined) onSave(items)
  }
  return (
    <form
      className={styles['listForm']}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        value={written}
        error={tried ? faultOf(items) : undefined}
        onChange={(value) => {
          setWritten(value)
          setTried(false)
        }}
      />
      <Button type="submit" disabled={items.join(', ') === before}>
        {saveLabel}
      </Button>
      {below?.(items)}
    </form>
  )
}
