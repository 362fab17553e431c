import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost, useSettings } from '../../../store/hooks.ts'
import { Mark } from '../../../ui/Mark/Mark.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { UpdateRows } from '../../updates/index.ts'
import { updateSettings } from '../commands.ts'
import { ManagedBy } from '../managed/ManagedBy.tsx'
import { useIsManaged } from '../managed/use-managed.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** Version, license and updates. */
export function About() {
  const t = useTexts('settings')
  const u = useTexts('updates')
  const { version, kind } = useHost()
  return (
    <>
      <div className={styles['about']}>
        <Mark size={56} />
        <div>
          <p className={styles['name']}>Parlor {version}</p>
          <p className={styles['hint']}>{kind === 'electron' ? t('about.electron') : t('about.browser')}</p>
          <p className={styles['hint']}>{t('about.licence')}</p>
          <p className={styles['hint']}>{t('about.noTelemetry')}</p>
        </div>
      </div>
      <h2>{u('title')}</h2>
      <UpdateRows />
      <UpdateModeRow />
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
