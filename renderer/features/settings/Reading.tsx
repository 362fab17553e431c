import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../store/hooks.ts'
import { Segments } from '../../ui/Segments.tsx'
import { updateSettings } from './commands.ts'
import { SettingRow } from './SettingRow.tsx'

const MODES = ['automatic', 'on-leave', 'by-hand'] as const

/** When a channel one looks at becomes read. Source: product paper 4.3 "Setting". */
export function Reading() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { autoRead } = useSettings()
  return (
    <SettingRow title={t('reading.autoRead')} hint={t(`reading.hints.${autoRead}`)}>
      <Segments
        label={t('reading.autoRead')}
        value={autoRead}
        onChange={(value) => void dispatch(updateSettings({ autoRead: value }))}
        choices={MODES.map((value) => ({ value, label: t(`reading.modes.${value}`) }))}
      />
    </SettingRow>
  )
}
