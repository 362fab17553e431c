import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { useShortcut } from '../../../store/window/shortcuts.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Accent } from '../controls/Accent.tsx'
import { updateSettings } from '../commands.ts'
import { Motion } from '../controls/Motion.tsx'
import { Sample } from '../controls/Sample.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { TextSize } from '../controls/TextSize.tsx'
import { ThemeChoice } from '../controls/ThemeChoice.tsx'

/** Theme, density, text size, motion and the sidebar's shape. */
export function Appearance() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const keys = useShortcut('sidebar')
  const { density, messageWidth, sidebarCollapsed } = useSettings()
  return (
    <>
      <h2>{t('appearance.theme')}</h2>
      <ThemeChoice />
      <Accent />
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
      <SettingRow title={t('appearance.width')} hint={t('appearance.widthHint')}>
        <Segments
          label={t('appearance.width')}
          value={messageWidth}
          onChange={(value) => void dispatch(updateSettings({ messageWidth: value }))}
          choices={[
            { value: 'reading', label: t('appearance.widths.reading') },
            { value: 'wide', label: t('appearance.widths.wide') },
          ]}
        />
      </SettingRow>
      <SettingRow title={t('appearance.textSize')} hint={t('appearance.textSizeHint')}>
        <TextSize />
      </SettingRow>
      <Sample />
      <Motion />
      <SettingRow title={t('appearance.sidebar')} hint={t('appearance.sidebarHint', { keys: keys.join(' + ') })}>
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
