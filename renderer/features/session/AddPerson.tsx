import { isBlank } from '#shared/lib/clean-text.ts'
import { useState, type Ref } from 'react'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import type { LocalPerson } from '#shared/domain/session.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { addPerson } from './commands.ts'
import styles from './Session.module.css'

type Props = {
  readonly onAdded: (person: LocalPerson) => void
  readonly fieldRef?: Ref<HTMLInputElement>
}

/** A field and a button that add a person to the local workspace. Not a `form`, so that it can be inside one. */
export function AddPerson({ onAdded, fieldRef }: Props) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const [name, setName] = useState('')
  const formMessage = useRemark((own: 'missing') => t(`addPerson.${own}`))
  const [working, setWorking] = useState(false)
  const add = async (): Promise<void> => {
    if (working) return
    if (isBlank(name)) return formMessage.show('missing')
    setWorking(true)
    const added = await dispatch(addPerson({ name: name.trim() }))
    setWorking(false)
    if (!added.ok) return formMessage.refuse(added.error)
    setName('')
    announce(t('addPerson.added', { name: added.value.name }))
    onAdded(added.value)
  }
  return (
    <div className={styles['add']}>
      <TextField
        {...(fieldRef === undefined ? {} : { ref: fieldRef })}
        label={t('addPerson.label')}
        value={name}
        maxLength={PERSON_NAME_LENGTH}
        autoComplete="off"
        placeholder={t('addPerson.placeholder')}
        error={formMessage.text}
        onChange={(value) => {
          setName(value)
          formMessage.clear()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // Enter must not submit a surrounding form.
          event.preventDefault()
          void add()
        }}
      />
      <Button working={working} onClick={() => void add()}>
        {t('addPerson.add')}
      </Button>
    </div>
  )
}
