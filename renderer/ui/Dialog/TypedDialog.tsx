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
  /** Has to be typed. */
  readonly name: string
  readonly working: boolean
  readonly error: string | undefined
  /** Something was typed: what was wrong before is over. */
  readonly onTyped: () => void
  readonly children?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** What cannot be undone and concerns everyone is confirmed by typing the name of what is deleted. */
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
