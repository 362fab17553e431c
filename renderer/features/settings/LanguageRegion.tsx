import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../store/hooks.ts'
import { Segments } from '../../ui/Segments.tsx'
import { updateSettings } from './commands.ts'
import { SettingRow } from './SettingRow.tsx'

/** Languages name themselves, so that one can find the way back from any of them. */
export function LanguageRegion() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { language, clock } = useSettings()
  return (
    <>
      <SettingRow title={t('language.language')} hint={t('language.languageHint')}>
        <Segments
          label={t('language.language')}
          value={language}
          onChange={(value) => void dispatch(updateSettings({ language: value }))}
          choices={[
            { value: 'system', label: t('language.system') },
            { value: 'en', label: t('language.names.en') },
            { value: 'pl', label: t('language.names.pl') },
            { value: 'ru', label: t('language.names.ru') },
          ]}
        />
      </SettingRow>
      <SettingRow title={t('language.clock')} hint={t('language.clockHint')}>
        <Segments
          label={t('language.clock')}
          value={clock}
          onChange={(value) => void dispatch(updateSettings({ clock: value }))}
          choices={[
            { value: 'auto', label: t('language.system') },
            { value: '12h', label: t('language.clock12') },
            { value: '24h', label: t('language.clock24') },
          ]}
        />
      </SettingRow>
    </>
  )
}
