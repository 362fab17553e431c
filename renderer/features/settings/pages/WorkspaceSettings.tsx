import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { AccountCards } from '../../accounts/index.ts'
import { Profile } from './Profile.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** The signed-in workspace, with links to add others and to sign out. */
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
