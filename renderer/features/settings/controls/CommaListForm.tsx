import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from '../Settings.module.css'

type Props = {
  readonly label: string
  readonly hint: string
  readonly saveLabel: string
  readonly kept: readonly string[]
  /** What is wrong with what is written; it stays written. */
  readonly faultOf: (words: readonly string[]) => string | undefined
  readonly onKeep: (words: readonly string[]) => void
  /** What the words as they are written now would do; stands under the hint. */
  readonly below?: (words: readonly string[]) => ReactNode
}

/** Several words in one line, separated by commas: nothing is kept until it is saved. */
export function WordsForm({ label, hint, saveLabel, kept, faultOf, onKeep, below }: Props) {
  const before = kept.join(', ')
  const [written, setWritten] = useState(before)
  const [tried, setTried] = useState(false)
  const words = [...new Set(written.split(',').map((word) => word.trim()))].filter((word) => word !== '')
  const keep = (): void => {
    setTried(true)
    if (faultOf(words) === undefined) onKeep(words)
  }
  return (
    <form
      className={styles['wordsForm']}
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        value={written}
        error={tried ? faultOf(words) : undefined}
        onChange={(value) => {
          setWritten(value)
          setTried(false)
        }}
      />
      <Button type="submit" disabled={words.join(', ') === before}>
        {saveLabel}
      </Button>
      {below?.(words)}
    </form>
  )
}
