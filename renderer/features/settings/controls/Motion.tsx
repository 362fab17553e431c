import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from './SettingRow.tsx'

/** How much is animated. */
export function Motion() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { motion } = useSettings()
  return (
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
  )
}
