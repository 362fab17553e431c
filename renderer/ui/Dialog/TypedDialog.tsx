import { useState, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Button } from '../Button/Button.tsx'
import { Dialog, DialogText } from './Dialog.tsx'
import { TextField } from '../Field/TextField.tsx'
import styles from './Dialog.module.css'

type Props = {
  readonly title: string
  readonly text: string
  readonly confirm: string
  /** The text to type. */
  readonly name: string
  readonly working: boolean
  readonly error: string | undefined
  /** The text changed: clears an earlier error. */
  readonly onTyped: () => void
  readonly children?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirms a deletion that cannot be undone and affects everyone: the name of what is deleted has to be typed. */
export function TypedDialog(props: Props) {
  const { title, text, confirm, name, working, error, onTyped, children, onConfirm, onClose } = props
  const t = useTexts('common')
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const isRight = typed.trim() === name.trim()
  return (
    <Dialog
      width={400}
      title={title}
      onClose={onClose}
      onSubmit={() => (isRight ? onConfirm() : setMissing(true))}
      actions={
        <>
          <Button onClick={onClose}>{t('typed.cancel')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={!isRight}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['apart']}>
        <DialogText>{text}</DialogText>
        {children}
        <TextField
          label={t('typed.type', { name })}
          value={typed}
          error={isMissing ? t('typed.missing') : error}
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => {
            setTyped(value)
            setMissing(false)
            onTyped()
          }}
        />
      </div>
    </Dialog>
  )
}
