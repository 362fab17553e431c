import { useState } from 'react'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { createGroup, removeGroup } from './commands.ts'
import styles from './Groups.module.css'

type CreateProps = { readonly onClose: () => void; readonly onCreated: (group: UserGroup) => void }

/** What was typed stays when the server refuses it. */
export function CreateGroupDialog({ onClose, onCreated }: CreateProps) {
  const t = useTexts('groups')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [typed, setTyped] = useState({ name: '', id: '', description: '' })
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'nameMissing' | 'badId') => t(`create.${own}`))
  const change = (to: Partial<typeof typed>): void => {
    formMessage.clear()
    setTyped({ ...typed, ...to })
  }
  const submit = async (): Promise<void> => {
    const [name, id, description] = [typed.name.trim(), typed.id.trim(), typed.description.trim()]
    if (offline || working) return
    if (isBlank(name)) return formMessage.show('nameMissing')
    if (id !== '' && !isPlainName(id)) return formMessage.show('badId')
    setWorking(true)
    const made = await dispatch(
      createGroup({ name, ...(id === '' ? {} : { id }), ...(description === '' ? {} : { description }) }),
    )
    setWorking(false)
    if (!made.ok) return formMessage.refuse(made.error)
    announce(t('create.done', { name }))
    onClose()
    onCreated(made.value)
  }
  return (
    <Dialog
      width={440}
      title={t('create.title')}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('create.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <TextField
          label={t('name')}
          value={typed.name}
          maxLength={255}
          autoComplete="off"
          onChange={(name) => change({ name })}
        />
        <TextField
          label={t('create.id')}
          optional={t('create.optional')}
          hint={t('create.idHint')}
          mono
          value={typed.id}
          maxLength={64}
          autoComplete="off"
          onChange={(id) => change({ id })}
        />
        <TextArea
          label={t('description')}
          optional={t('create.optional')}
          value={typed.description}
          maxLength={1_024}
          onChange={(description) => change({ description })}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type DeleteProps = { readonly group: UserGroup; readonly onClose: () => void; readonly onDeleted: () => void }

export function DeleteGroupDialog({ group: { id, name }, onClose, onDeleted }: DeleteProps) {
  const t = useTexts('groups')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const submit = async (): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    const done = await dispatch(removeGroup({ id }))
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    announce(t('delete.done', { name }))
    onClose()
    onDeleted()
  }
  return (
    <Dialog
      alert
      width={400}
      title={t('delete.title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={offline || undefined}>
            {t('delete.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('delete.text')}</DialogText>
      <Refusal text={formMessage.text} />
    </Dialog>
  )
}
