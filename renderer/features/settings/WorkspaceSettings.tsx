import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useConnection, useMe, useSession } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/ui.ts'
import { Button } from '../../ui/Button.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { Portrait } from '../people/index.ts'
import { SettingRow } from './SettingRow.tsx'
import styles from './Settings.module.css'

/** What is signed in to, and the ways out of it. Source: mock `settings-accounts`. */
export function WorkspaceSettings() {
  const t = useTexts('settings')
  const texts = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { workspace, userId } = useSession()
  const me = useMe()
  const isLocal = workspace?.kind === 'local'
  const where = isLocal ? texts('accounts.local') : texts('accounts.hosted')
  return (
    <>
      <section className={styles['card']} aria-label={workspace?.name}>
        {userId === undefined ? null : <Portrait userId={userId} size={38} />}
        <div className={styles['words']}>
          <div className={styles['name']}>{workspace?.name}</div>
          <div className={styles['hint']}>
            {texts('accounts.signedInAs', { where, userId: me?.name ?? userId ?? '' })}
          </div>
        </div>
        <Line />
        <Button onClick={() => dispatch(dialogOpened({ kind: 'sign-out' }))}>{t('workspace.signOut')}</Button>
      </section>
      {isLocal ? null : <SettingRow title={texts('accounts.server')} hint={workspace?.url} />}
      <SettingRow title={texts('accounts.userId')} hint={texts('accounts.userIdHint')}>
        <code className={styles['code']}>{userId}</code>
      </SettingRow>
      {workspace?.demo === true ? (
        <Button onClick={() => dispatch(dialogOpened({ kind: 'delete-demo' }))}>{t('workspace.deleteDemo')}</Button>
      ) : null}
    </>
  )
}

/** How the connection of this account stands, in a word. */
function Line() {
  const t = useTexts('preferences')
  const { offline, state } = useConnection()
  if (offline) return <Tag tone="warning">{t('accounts.offline')}</Tag>
  return state === 'healthy' ? (
    <Tag tone="success">{t('accounts.connected')}</Tag>
  ) : (
    <Tag>{t('accounts.connecting')}</Tag>
  )
}
