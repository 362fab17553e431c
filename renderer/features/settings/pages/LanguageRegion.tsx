import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

const WEEK_STARTS = ['auto', 'monday', 'sunday', 'saturday'] as const

/** Each language is listed in its own language, so that it can be found from any other. */
export function LanguageRegion() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const now = useMinute()
  const { language, clock, weekStart } = useSettings()
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
      <SettingRow title={t('language.week')} hint={t('language.weekHint')}>
        <Segments
          label={t('language.week')}
          value={weekStart}
          onChange={(value) => void dispatch(updateSettings({ weekStart: value }))}
          choices={WEEK_STARTS.map((value) => ({ value, label: t(`language.weekStarts.${value}`) }))}
        />
      </SettingRow>
      <SettingRow title={t('language.preview')}>
        <span className={styles['hint']}>{formats.full(now)}</span>
      </SettingRow>
    </>
  )
}
