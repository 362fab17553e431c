import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios } from '../../../ui/Choice/Choice.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { useLoaded } from '../loading.ts'
import { useName } from '../../people/index.ts'
import { assignRole, loadMemberRoles } from './commands.ts'
import { useRoleName } from './words.ts'

type Props = {
  readonly cid: Cid
  readonly userId: UserId
  /** The role that the member has. */
  readonly role: string
}

const MEMBER_ROLES = loadMemberRoles()

/** The role of a member in a channel: given and taken back. */
export function MemberRoleDialog({ cid, userId, role }: Props) {
  const t = useTexts('roles')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const name = useName(userId)
  const onClose = (): void => void dispatch(dialogClosed())
  const nameOf = useRoleName()
  const loaded = useLoaded(MEMBER_ROLES)
  const [chosen, setChosen] = useState(role)
  const [refused, setRefused] = useState<ErrorBody>()
  const [working, setWorking] = useState(false)
  const error = refused ?? loaded.error
  const assign = async (): Promise<void> => {
    setRefused(undefined)
    setWorking(true)
    const assigned = await dispatch(assignRole({ cid, userId, role: chosen }))
    setWorking(false)
    if (!assigned.ok) return setRefused(assigned.error)
    announce(t('member.done', { name, role: nameOf(chosen) }))
    onClose()
  }
  return (
    <Dialog
      width={400}
      title={t('member.title', { name })}
      onClose={onClose}
      onSubmit={() => working || chosen === role || void assign()}
      actions={
        <>
          <Button onClick={onClose}>{t('member.cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={chosen === role || undefined}>
            {t('member.confirm')}
          </Button>
        </>
      }
    >
      <DialogText>{t('member.text')}</DialogText>
      {loaded.loading ? <Spinner /> : null}
      {loaded.value === undefined ? null : (
        <Radios
          label={t('member.title', { name })}
          value={chosen}
          choices={[...new Set([...loaded.value, role])].map((value) => ({ value, label: nameOf(value) }))}
          onChange={setChosen}
        />
      )}
      <Refusal text={error === undefined ? undefined : errorText(error)} />
    </Dialog>
  )
}
