import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useMe, useSession } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/ui.ts'
import { Button } from '../../ui/Button.tsx'
import { SettingRow } from './SettingRow.tsx'

/** Which workspace and person this window shows, and the ways out of it. */
export function WorkspaceSettings() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const me = useMe()
  return (
    <>
      <SettingRow
        title={workspace?.name ?? ''}
        hint={workspace?.kind === 'local' ? t('workspace.local') : workspace?.url}
      >
        {workspace?.demo === true ? (
          <Button onClick={() => dispatch(dialogOpened({ kind: 'delete-demo' }))}>{t('workspace.deleteDemo')}</Button>
        ) : null}
      </SettingRow>
      <SettingRow title={me?.name ?? ''} hint={me?.id}>
        <Button onClick={() => dispatch(dialogOpened({ kind: 'sign-out' }))}>{t('workspace.signOut')}</Button>
      </SettingRow>
    </>
  )
}
