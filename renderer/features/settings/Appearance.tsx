import { useTexts } from '../../i18n/index.ts'
import { keysOf } from '../../lib/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../store/hooks.ts'
import { Segments } from '../../ui/Segments.tsx'
import { updateSettings } from './commands.ts'
import { SettingRow } from './SettingRow.tsx'
import { TextSize } from './TextSize.tsx'
import { ThemeChoice } from './ThemeChoice.tsx'
import styles from './Settings.module.css'

/** Theme, density, text size, motion and the sidebar's shape. */
export function Appearance() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { density, motion, sidebarCollapsed } = useSettings()
  return (
    <>
      <h2>{t('appearance.theme')}</h2>
      <ThemeChoice />
      <h2>{t('appearance.messages')}</h2>
      <SettingRow title={t('appearance.density')} hint={t('appearance.densityHint')}>
        <Segments
          label={t('appearance.density')}
          value={density}
          onChange={(value) => void dispatch(updateSettings({ density: value }))}
          choices={[
            { value: 'comfortable', label: t('appearance.comfortable') },
            { value: 'compact', label: t('appearance.compact') },
          ]}
        />
      </SettingRow>
      <SettingRow title={t('appearance.textSize')} hint={t('appearance.textSizeHint')}>
        <TextSize />
      </SettingRow>
      <Sample />
      <SettingRow title={t('appearance.motion')} hint={t('appearance.motionHint')}>
        <Segments
          label={t('appearance.motion')}
          value={motion}
          onChange={(value) => void dispatch(updateSettings({ motion: value }))}
          choices={[
            { value: 'system', label: t('appearance.system') },
            { value: 'full', label: t('appearance.full') },
            { value: 'reduced', label: t('appearance.reduced') },
          ]}
        />
      </SettingRow>
      <SettingRow
        title={t('appearance.sidebar')}
        hint={t('appearance.sidebarHint', { keys: keysOf('Mod+Shift+D', os).join(' + ') })}
      >
        <Segments
          label={t('appearance.sidebar')}
          value={sidebarCollapsed ? 'icons' : 'full'}
          onChange={(value) => void dispatch(updateSettings({ sidebarCollapsed: value === 'icons' }))}
          choices={[
            { value: 'full', label: t('appearance.sidebarFull') },
            { value: 'icons', label: t('appearance.sidebarIcons') },
          ]}
        />
      </SettingRow>
    </>
  )
}

/** Letters of all three languages, at the chosen size. */
function Sample() {
  const t = useTexts('settings')
  return (
    <div className={styles['sample']} aria-hidden="true">
      <p className={styles['sampleText']}>{t('appearance.sample')}</p>
    </div>
  )
}
