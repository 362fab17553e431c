import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection, useMe, useCanParticipate } from '../../../store/hooks.ts'
import { useShortcut } from '../../../store/window/shortcuts.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Portrait } from '../../people/index.ts'
import styles from '../Sidebar.module.css'

/** The viewer with presence, and a button for the settings. */
export function MeBar() {
  const me = useMe()
  const keys = useShortcut('settings')
  const { state, offline } = useConnection()
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const accounts = useTexts('accounts')
  const canParticipate = useCanParticipate()
  if (me === undefined) return null
  const connection = offline ? t('me.offline') : state === 'connecting' ? t('me.connecting') : t('me.online')
  return (
    <div className={styles['me']}>
      {canParticipate ? (
        <Portrait userId={me.id} size={34} presence={offline || state === 'connecting' ? 'offline' : 'online'} />
      ) : (
        <Icon name="user" size={22} />
      )}
      <div className={styles['meWords']}>
        <div className={`${styles['who']} ellipsis`}>{canParticipate ? me.name : accounts('guest')}</div>
        <div className={`${styles['status']} ellipsis`}>
          {offline || me.statusText === undefined ? connection : me.statusText}
        </div>
      </div>
      <IconButton
        icon="settings"
        onApp
        label={t('me.settings')}
        keys={keys}
        tooltipSide="above"
        onClick={() => dispatch(routeOpened({ view: 'settings', section: 'appearance' }))}
      />
    </div>
  )
}
