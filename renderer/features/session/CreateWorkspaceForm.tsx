import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import { createWorkspace } from './commands.ts'
import styles from './Onboarding.module.css'

/** Creates an empty local workspace on this device. */
export function CreateWorkspaceForm({ onBack }: { readonly onBack: () => void }) {
  const t = useTexts('session')
  const form = useCreateWorkspace()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <FormHead title={t('local.title')} lead={t('local.lead')} onBack={onBack} />
      <CreateWorkspaceFields form={form} />
      <Button type="submit" variant="primary" size="large" block working={form.working}>
        {t('local.make')}
      </Button>
    </form>
  )
}

/** The two fields, also used by `CreateWorkspaceDialog`. */
export function CreateWorkspaceFields({ form }: { readonly form: ReturnType<typeof useCreateWorkspace> }) {
  const t = useTexts('session')
  return (
    <>
      <TextField
        label={t('local.name')}
        value={form.name}
        maxLength={100}
        ref={focusOnce}
        autoComplete="off"
        placeholder={t('local.namePlaceholder')}
        error={form.errors.name}
        onChange={form.setName}
      />
      <TextField
        label={t('local.yourName')}
        value={form.yourName}
        maxLength={100}
        autoComplete="name"
        error={form.errors.yourName}
        onChange={form.setYourName}
      />
    </>
  )
}

/** Error codes instead of texts, because the language can be changed on this screen. */
type Errors = {
  readonly name?: 'local.nameMissing'
  readonly yourName?: 'local.yourNameMissing'
  readonly refused?: ErrorBody
}

export function useCreateWorkspace() {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [name, setName] = useState('')
  const [yourName, setYourName] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [working, setWorking] = useState(false)
  /** Resolves with whether the workspace was created. */
  const submit = async (): Promise<boolean> => {
    const missing: Errors = {
      ...(isBlank(name) ? { name: 'local.nameMissing' } : {}),
      ...(isBlank(yourName) ? { yourName: 'local.yourNameMissing' } : {}),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return false
    setWorking(true)
    const made = await dispatch(createWorkspace({ name: name.trim(), yourName: yourName.trim() }))
    setWorking(false)
    if (!made.ok) setErrors({ refused: made.error })
    return made.ok
  }
  const errorTexts = {
    name: errors.name && t(errors.name),
    yourName: errors.refused ? errorText(errors.refused) : errors.yourName && t(errors.yourName),
  }
  return { name, setName, yourName, setYourName, errors: errorTexts, working, submit }
}

type Props = { readonly title: string; readonly lead: string; readonly onBack: () => void }

export function FormHead({ title, lead, onBack }: Props) {
  const t = useTexts('common')
  return (
    <>
      <div className={styles['back']}>
        <Button variant="quiet" size="small" icon="arrow-left" onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{lead}</p>
    </>
  )
}
