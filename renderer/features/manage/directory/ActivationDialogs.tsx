import { useState, type ReactNode } from 'react'
import type { UserId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { useName } from '../../people/index.ts'
import { changeRole, deactivatePeople, reactivatePeople } from './commands.ts'
import { useOutcome } from './use-outcome.ts'
import { useRoleName, useRoles } from './use-roles.ts'
import styles from './Directory.module.css'

type Props = { readonly userIds: readonly UserId[] }

/** One person by name, several by their number. */
export function useWho(userIds: readonly UserId[]) {
  return { isOne: userIds.length === 1, count: userIds.length, person: useName(userIds[0] ?? '') }
}

type FrameProps = {
  readonly title: string
  readonly confirm: string
  readonly danger?: boolean
  readonly outcome: Pick<ReturnType<typeof useOutcome>, 'working' | 'error'>
  readonly onConfirm: () => void
  readonly children: ReactNode
}

/** A question about people, with the answer of the server where it refused. */
export function PeopleDialog({ title, confirm, danger = false, outcome, onConfirm, children }: FrameProps) {
  const common = useTexts('common')
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      width={460}
      title={title}
      onClose={close}
      onSubmit={() => offline || outcome.working || onConfirm()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            working={outcome.working}
            aria-disabled={offline || undefined}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {children}
        <Refusal text={outcome.error} />
      </div>
    </Dialog>
  )
}

/** They can no longer sign in; what they wrote stays, or is deleted. */
export function DeactivateDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const [messages, setMessages] = useState<'stay' | 'delete'>('stay')
  const outcome = useOutcome(isOne ? t('deactivate.doneOne', { person }) : t('deactivate.done', { count }))
  return (
    <PeopleDialog
      title={isOne ? t('deactivate.titleOne', { person }) : t('deactivate.title', { count })}
      confirm={t('deactivate.confirm')}
      outcome={outcome}
      onConfirm={() =>
        void outcome.run(() => dispatch(deactivatePeople({ userIds, deleteMessages: messages === 'delete' })))
      }
    >
      <DialogText>{t(isOne ? 'deactivate.textOne' : 'deactivate.text')}</DialogText>
      <h3 className={styles['question']}>{t('messages.title')}</h3>
      <Radios
        label={t('messages.title')}
        value={messages}
        onChange={setMessages}
        choices={[
          { value: 'stay', label: t('messages.stay') },
          { value: 'delete', label: t('messages.soft'), hint: t('deactivate.restorable') },
        ]}
      />
    </PeopleDialog>
  )
}

export function ReactivateDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const [restore, setRestore] = useState(false)
  const outcome = useOutcome(isOne ? t('reactivate.doneOne', { person }) : t('reactivate.done', { count }))
  return (
    <PeopleDialog
      title={isOne ? t('reactivate.titleOne', { person }) : t('reactivate.title', { count })}
      confirm={t('reactivate.confirm')}
      outcome={outcome}
      onConfirm={() => void outcome.run(() => dispatch(reactivatePeople({ userIds, restoreMessages: restore })))}
    >
      <DialogText>{t(isOne ? 'reactivate.textOne' : 'reactivate.text')}</DialogText>
      <label className={styles['check']}>
        <input type="checkbox" checked={restore} onChange={() => setRestore(!restore)} />
        {t('reactivate.restore')}
      </label>
    </PeopleDialog>
  )
}

export function ChangeRoleDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const roles = useRoles()
  const roleName = useRoleName()
  const [role, setRole] = useState('user')
  const outcome = useOutcome(
    isOne ? t('role.doneOne', { person, role: roleName(role) }) : t('role.done', { count, role: roleName(role) }),
  )
  return (
    <PeopleDialog
      title={isOne ? t('role.titleOne', { person }) : t('role.title', { count })}
      confirm={t('role.confirm')}
      outcome={outcome}
      onConfirm={() => void outcome.run(() => dispatch(changeRole({ userIds, role })))}
    >
      <div className={styles['choiceRow']}>
        <span>{t('columns.role')}</span>
        <Select
          label={t('columns.role')}
          value={role}
          choices={roles.map((value) => ({ value, label: roleName(value) }))}
          onChange={setRole}
        />
      </div>
    </PeopleDialog>
  )
}
