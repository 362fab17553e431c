import { useState } from 'react'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { WORKSPACE_NAME_LENGTH } from '#shared/constants.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import { createWorkspace } from './commands.ts'
import type { Identity } from './Identity.tsx'
import styles from './Onboarding.module.css'

/** Creates a local workspace on this device: the only question is its name. */
export function CreateWorkspaceForm({
  identity,
  onBack,
}: {
  readonly identity: Identity
  readonly onBack: () => void
}) {
  const t = useTexts('session')
  const form = useCreateWorkspace({ yourName: identity.name, picture: identity.picture })
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

/** The field, also used by `CreateWorkspaceDialog`. */
export function CreateWorkspaceFields({ form }: { readonly form: ReturnType<typeof useCreateWorkspace> }) {
  const t = useTexts('session')
  return (
    <TextField
      label={t('local.name')}
      value={form.name}
      maxLength={WORKSPACE_NAME_LENGTH}
      ref={focusOnce}
      autoComplete="off"
      placeholder={t('local.namePlaceholder')}
      hint={t('local.hint')}
      error={form.error}
      onChange={form.setName}
    />
  )
}

type Owner = { readonly yourName: string; readonly picture?: SmallPicture }

export function useCreateWorkspace({ yourName, picture }: Owner) {
  const dispatch = useAppDispatch()
  const t = useTexts('session')
  const [name, setName] = useState('')
  const message = useRemark((own: 'nameMissing') => t(`local.${own}`))
  const [working, setWorking] = useState(false)
  /** Resolves with whether the workspace was created. */
  const submit = async (): Promise<boolean> => {
    if (working) return false
    if (isBlank(name)) {
      message.show('nameMissing')
      return false
    }
    setWorking(true)
    const made = await dispatch(createWorkspace({ name: name.trim(), yourName: yourName.trim(), picture }))
    setWorking(false)
    if (!made.ok) message.refuse(made.error)
    return made.ok
  }
  const change = (text: string): void => {
    setName(text)
    message.clear()
  }
  return { name, setName: change, error: message.text, working, submit }
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
