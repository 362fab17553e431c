import { useTexts, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useConnection, useMe, useCanParticipate } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { AccountCards } from '../../accounts/index.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { ApiSecret } from './ApiSecret.tsx'
import { StatusEndField } from './StatusEnd.tsx'
import styles from '../Settings.module.css'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import { PERSON_NAME_LENGTH, STATUS_LENGTH } from '#shared/constants.ts'
import type { User } from '#shared/domain/user.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { announce } from '../../../lib/page/announce.ts'
import { PictureField } from '../../../ui/Field/PictureField.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { pictureFrom } from '../../channel/index.ts'
import { Portrait } from '../../people/index.ts'
import { changeProfile, setPortrait } from '../commands.ts'

/** The signed-in workspace, with links to add others and to sign out. */
export function WorkspaceSettings() {
  const t = useTexts('settings')
  const texts = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { workspace, userId, guest } = useSession()
  return (
    <>
      <AccountCards />
      <Profile />
      {workspace?.kind === 'hosted' ? <SettingRow title={texts('accounts.server')} hint={workspace.url} /> : null}
      {workspace?.kind === 'hosted' && guest !== true ? <ApiSecret /> : null}
      <SettingRow title={texts('accounts.userId')} hint={texts('accounts.userIdHint')}>
        <code className={styles['code']}>{userId}</code>
      </SettingRow>
      {workspace?.demo === true ? (
        <Button onClick={() => dispatch(dialogOpened({ kind: 'delete-demo' }))}>{t('workspace.deleteDemo')}</Button>
      ) : null}
    </>
  )
}

/** The viewer's profile in this workspace. */
function Profile() {
  const t = useTexts('preferences')
  const me = useMe()
  const { offline } = useConnection()
  const canParticipate = useCanParticipate()
  if (me === undefined || !canParticipate) return null
  return (
    <section aria-labelledby="own-profile" className={styles['profile']}>
      <h2 id="own-profile">{t('profile.title')}</h2>
      <p className={styles['hint']}>{offline ? t('profile.offline') : t('profile.lead')}</p>
      <Face me={me} offline={offline} />
      <StatusText me={me} offline={offline} />
    </section>
  )
}

type Props = { readonly me: User; readonly offline: boolean }

function Face({ me, offline }: Props) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const send = async (file: File | undefined): Promise<ErrorBody | undefined> => {
    try {
      const picture = file === undefined ? undefined : await pictureFrom(file)
      const sent = await dispatch(setPortrait(picture === undefined ? {} : { picture }))
      return sent.ok ? undefined : sent.error
    } catch {
      // The browser could not decode the picture.
      return { code: 'picture/unreadable' }
    }
  }
  return (
    <PictureField
      label={t('profile.picture')}
      picture={<Portrait userId={me.id} size={56} />}
      chooseLabel={t('profile.choosePicture')}
      removeLabel={me.image === undefined ? undefined : t('profile.removePicture')}
      disabled={offline}
      onSend={send}
    />
  )
}

/** The typed text stays when the server refuses it. */
function StatusText({ me, offline }: Props) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState<{ name?: string; status?: string; until?: number | 'never' }>({})
  const formMessage = useRemark((own: 'nameMissing') => t(`profile.${own}`))
  const [working, setWorking] = useState(false)
  const name = typed.name ?? me.name
  const status = typed.status ?? me.statusText ?? ''
  const until = typed.until === undefined ? me.statusUntil : typed.until === 'never' ? undefined : typed.until
  const changed = name !== me.name || status !== (me.statusText ?? '') || until !== me.statusUntil
  const save = async (): Promise<void> => {
    if (offline || !changed) return
    if (isBlank(name)) return formMessage.show('nameMissing')
    setWorking(true)
    const saved = await dispatch(changeProfile({ name: name.trim(), statusText: status.trim(), statusUntil: until }))
    setWorking(false)
    if (!saved.ok) return formMessage.refuse(saved.error)
    setTyped({})
    formMessage.clear()
    announce(t('profile.saved'))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('profile.name')}
        value={name}
        maxLength={PERSON_NAME_LENGTH}
        autoComplete="off"
        error={formMessage.text}
        onChange={(value) => {
          setTyped({ ...typed, name: value })
          formMessage.clear()
        }}
      />
      <TextField
        label={t('profile.status')}
        hint={t('profile.statusHint')}
        value={status}
        maxLength={STATUS_LENGTH}
        autoComplete="off"
        onChange={(value) => setTyped({ ...typed, status: value })}
      />
      {isBlank(status) ? null : (
        <StatusEndField until={until} onChange={(end) => setTyped({ ...typed, until: end ?? 'never' })} />
      )}
      {changed ? (
        <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
          {t('profile.save')}
        </Button>
      ) : null}
    </form>
  )
}
