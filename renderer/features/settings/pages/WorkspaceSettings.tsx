import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { AccountCards } from '../../accounts/index.ts'
import { Profile } from './Profile.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** What is signed in to, and the ways into more and out of it. Source: mock `settings-accounts`. */
export function WorkspaceSettings() {
  const t = useTexts('settings')
  const texts = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { workspace, userId } = useSession()
  return (
    <>
      <AccountCards />
      <Profile />
      {workspace?.kind === 'hosted' ? <SettingRow title={texts('accounts.server')} hint={workspace.url} /> : null}
      <SettingRow title={texts('accounts.userId')} hint={texts('accounts.userIdHint')}>
        <code className={styles['code']}>{userId}</code>
      </SettingRow>
      {workspace?.demo === true ? (
        <Button onClick={() => dispatch(dialogOpened({ kind: 'delete-demo' }))}>{t('workspace.deleteDemo')}</Button>
      ) : null}
    </>
  )
}
