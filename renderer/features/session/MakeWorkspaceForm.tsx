import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import { createWorkspace } from './commands.ts'
import { FormHead } from './FormHead.tsx'

/** Creates an empty local workspace on this device. */
export function MakeWorkspaceForm({ onBack }: { readonly onBack: () => void }) {
  const t = useTexts('session')
  const make = useMakeWorkspace()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void make.submit()
      }}
    >
      <FormHead title={t('local.title')} lead={t('local.lead')} onBack={onBack} />
      <MakeWorkspaceFields make={make} />
      <Button type="submit" variant="primary" size="large" block working={make.working}>
        {t('local.make')}
      </Button>
    </form>
  )
}

/** The two fields, also used by `CreateWorkspaceDialog`. */
export function MakeWorkspaceFields({ make }: { readonly make: ReturnType<typeof useMakeWorkspace> }) {
  const t = useTexts('session')
  return (
    <>
      <TextField
        label={t('local.name')}
        value={make.name}
        maxLength={100}
        ref={focusOnce}
        autoComplete="off"
        placeholder={t('local.namePlaceholder')}
        error={make.errors.name}
        onChange={make.setName}
      />
      <TextField
        label={t('local.yourName')}
        value={make.yourName}
        maxLength={100}
        autoComplete="name"
        error={make.errors.yourName}
        onChange={make.setYourName}
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

export function useMakeWorkspace() {
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
  const said = {
    name: errors.name && t(errors.name),
    yourName: errors.refused ? errorText(errors.refused) : errors.yourName && t(errors.yourName),
  }
  return { name, setName, yourName, setYourName, errors: said, working, submit }
}
