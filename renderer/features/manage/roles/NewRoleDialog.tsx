import { useState } from 'react'
import type { Role } from '#shared/domain/manage/directory.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { createRole } from './commands.ts'
import { useRoleName } from './words.ts'
import styles from './Roles.module.css'

type Props = { readonly roles: readonly Role[]; readonly onClose: () => void }

/** A role that starts with the rights of another one. */
export function NewRoleDialog({ roles, onClose }: Props) {
  const t = useTexts('roles')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const nameOf = useRoleName()
  const [name, setName] = useState('')
  const [like, setLike] = useState('channel_member')
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  const create = async (): Promise<void> => {
    const wanted = name.trim()
    if (!isPlainName(wanted)) return setError(t('create.wrong'))
    if (roles.some((role) => role.name === wanted)) return setError(t('create.exists'))
    if (offline) return setError(t('offline'))
    setWorking(true)
    const created = await dispatch(createRole({ name: wanted, like }))
    setWorking(false)
    if (!created.ok) return setError(errorText(created.error))
    announce(t('create.done'))
    onClose()
  }
  const models = roles.filter(({ name: each }) => each !== 'owner')
  return (
    <Dialog
      width={400}
      title={t('create.title')}
      onClose={onClose}
      onSubmit={() => working || void create()}
      actions={
        <>
          <Button onClick={onClose}>{t('create.cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('create.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label={t('create.name')}
          hint={t('create.nameHint')}
          value={name}
          error={error}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          mono
          onChange={(value) => {
            setName(value)
            setError(undefined)
          }}
        />
        <div className={cx(styles['choice'], styles['model'])}>
          <span>{t('create.like')}</span>
          <Select
            label={t('create.like')}
            value={like}
            choices={models.map((role) => ({
              value: role.name,
              label: role.custom
                ? role.name
                : `${nameOf(role.name)} (${t(`scopes.${role.scope === 'app' ? 'app' : 'channel'}`)})`,
            }))}
            onChange={setLike}
          />
        </div>
      </div>
    </Dialog>
  )
}
