import { useState } from 'react'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isUserId } from '#shared/wire/users.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { itemsIn } from '../../../lib/text/lists.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogClosed, routeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useManage } from '../state.ts'
import { createPerson, useRoleName, useRoles } from './commands.ts'
import styles from './Directory.module.css'

/** What is typed about a new person, and its creation. */
function useNewPerson(isLocal: boolean) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState({ name: '', id: '', role: 'user', teams: '', join: true })
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'nameMissing' | 'badId') => t(`add.${own}`))
  const change = (to: Partial<typeof typed>): void => {
    formMessage.clear()
    setTyped({ ...typed, ...to })
  }
  const submit = async (): Promise<void> => {
    if (working) return
    const name = typed.name.trim()
    const id = typed.id.trim()
    if (isBlank(name)) return formMessage.show('nameMissing')
    if (id !== '' && !isUserId(id)) return formMessage.show('badId')
    setWorking(true)
    const made = await dispatch(
      createPerson({
        name,
        ...(id === '' ? {} : { id }),
        role: typed.role,
        teams: itemsIn(typed.teams),
        join: isLocal && typed.join,
      }),
    )
    setWorking(false)
    if (!made.ok) return formMessage.refuse(made.error)
    announce(t('add.added', { person: name }))
    dispatch(dialogClosed())
    dispatch(routeOpened({ view: 'manage', page: 'people', id: made.value.userId }))
  }
  return { typed, change, working, error: formMessage.text, submit: () => void submit() }
}

/** Creates a person. What was typed stays when the server refuses it. */
export function AddToDirectory() {
  const t = useTexts('directory')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const isLocal = useManage()?.source === 'owner'
  const roles = useRoles()
  const roleName = useRoleName()
  const { typed, change, working, error, submit } = useNewPerson(isLocal)
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      width={440}
      title={t('add.title')}
      onClose={close}
      onSubmit={() => offline || submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('add.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <TextField
          label={t('fields.name')}
          value={typed.name}
          maxLength={PERSON_NAME_LENGTH}
          autoComplete="off"
          onChange={(name) => change({ name })}
        />
        <TextField
          label={t('add.id')}
          optional={t('add.optional')}
          hint={t('add.idHint')}
          mono
          value={typed.id}
          maxLength={255}
          autoComplete="off"
          onChange={(id) => change({ id })}
        />
        <div className={styles['choiceRow']}>
          <span>{t('columns.role')}</span>
          <Select
            label={t('columns.role')}
            value={typed.role}
            choices={roles.map((value) => ({ value, label: roleName(value) }))}
            onChange={(role) => change({ role })}
          />
        </div>
        <TextField
          label={t('fields.teams')}
          optional={t('add.optional')}
          hint={t('fields.teamsHint')}
          value={typed.teams}
          maxLength={2_000}
          autoComplete="off"
          onChange={(teams) => change({ teams })}
        />
        {isLocal ? (
          <label className={styles['check']}>
            <input type="checkbox" checked={typed.join} onChange={() => change({ join: !typed.join })} />
            {t('add.join')}
          </label>
        ) : null}
        <DialogText muted>{t(isLocal ? 'add.thenLocal' : 'add.thenHosted')}</DialogText>
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}
