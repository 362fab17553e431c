import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from './Directory.module.css'

type Props = {
  readonly label: string
  /** Name of the button that begins. */
  readonly edit: string
  readonly hint?: string
  readonly value: string
  readonly maxLength: number
  readonly required?: boolean
  /** What is said when it is required and empty. */
  readonly missing?: string
  /** Answers why it was not saved. */
  readonly onSave: (text: string) => Promise<ErrorBody | undefined>
  /** What is shown while it is not edited. */
  readonly children: ReactNode
}

/** A value that is changed where it stands. What was typed stays when it is refused. */
export function EditableText(props: Props) {
  const { label, edit, hint, value, maxLength, required = false, missing, onSave, children } = props
  const t = useTexts('directory')
  const [typed, setTyped] = useState<string>()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'missing') => missing ?? t(`fields.${own}`))
  const field = useRef<HTMLInputElement>(null)
  const pencil = useRef<HTMLButtonElement>(null)
  const isOpen = typed !== undefined
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) field.current?.select()
    else if (wasOpen.current) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const close = (): void => {
    setTyped(undefined)
    formMessage.clear()
  }
  const save = async (): Promise<void> => {
    if (typed === undefined || working) return
    const text = typed.trim()
    if (text === value) return close()
    if (required && isBlank(text)) return formMessage.show('missing')
    setWorking(true)
    const refused = await onSave(text)
    setWorking(false)
    if (refused === undefined) close()
    else formMessage.refuse(refused)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  if (typed === undefined) {
    return (
      <span className={styles['editable']}>
        {children}
        <IconButton ref={pencil} icon="pencil" size="tiny" label={edit} onClick={() => setTyped(value)} />
      </span>
    )
  }
  return (
    <form
      className={styles['editing']}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={onKeyDown}
    >
      <TextField
        ref={field}
        label={label}
        hint={hint}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        error={formMessage.text}
        onChange={(text) => {
          setTyped(text)
          formMessage.clear()
        }}
      />
      <span className={styles['buttons']}>
        <Button type="submit" size="small" variant="primary" working={working}>
          {t('fields.save')}
        </Button>
        <Button size="small" onClick={close}>
          {t('fields.cancel')}
        </Button>
      </span>
    </form>
  )
}
