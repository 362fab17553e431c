import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { UpdateRows } from '../../updates/index.ts'
import { updateSettings } from '../commands.ts'
import { More, SettingRow } from '../controls/SettingRow.tsx'
import { Storage } from '../data/Storage.tsx'
import { DesktopRows, RareDesktopRows, useDesktop } from '../desktop/DesktopSettings.tsx'
import { ManagedBy, useIsManaged } from '../managed/ManagedSettings.tsx'
import { Network } from './Network.tsx'
import styles from '../Settings.module.css'

/** Parlor as a program of this device: how it starts and runs, its updates, its storage and its connections. */
export function AppAndSystem() {
  const t = useTexts('settings')
  const d = useTexts('desktop')
  const u = useTexts('updates')
  const { kind } = useHost()
  const page = useDesktop()
  return (
    <>
      {kind === 'browser' ? <p className={styles['hint']}>{d('page.elsewhere')}</p> : <DesktopRows page={page} />}
      <h2>{t('storage.title')}</h2>
      <Storage />
      <h2>{u('title')}</h2>
      <UpdateRows />
      <UpdateModeRow />
      <More what={kind === 'browser' ? t('system.moreBrowser') : t('system.more')}>
        {kind === 'browser' ? null : <RareDesktopRows page={page} />}
        <h2>{t('network.title')}</h2>
        <p className={styles['hint']}>{t('network.lead')}</p>
        <Network />
      </More>
    </>
  )
}

const MODES = ['auto', 'notify', 'off'] as const

/** Hidden in builds without updates. */
function UpdateModeRow() {
  const t = useTexts('updates')
  const dispatch = useAppDispatch()
  const unable = useAppSelector(({ updates }) => updates.unable)
  const { desktop } = useSettings()
  const isManaged = useIsManaged('UpdateMode')
  if (unable !== undefined) return null
  return (
    <SettingRow title={t('mode')} hint={t(`modeHints.${desktop.updates}`)}>
      {isManaged ? (
        <ManagedBy />
      ) : (
        <Segments
          label={t('mode')}
          value={desktop.updates}
          onChange={(updates) => void dispatch(updateSettings({ desktop: { ...desktop, updates } }))}
          choices={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
        />
      )}
    </SettingRow>
  )
}
