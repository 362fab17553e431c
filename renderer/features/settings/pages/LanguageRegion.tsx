import { SYSTEM_SPELLING } from '#shared/domain/desktop/desktop.ts'
import { useFormats, useLanguageNames, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Segments, Select } from '../../../ui/Choice/Choice.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import { useDesktop, type DesktopPage } from '../desktop/DesktopSettings.tsx'
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
            { value: 'en', label: t('language.names.en'), lang: 'en' },
            { value: 'pl', label: t('language.names.pl'), lang: 'pl' },
            { value: 'ru', label: t('language.names.ru'), lang: 'ru' },
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
      <Spelling />
    </>
  )
}

/** Spell checking languages. In a browser they are set in the browser. */
export function Spelling() {
  const t = useTexts('desktop')
  const { kind } = useHost()
  const page = useDesktop()
  if (kind === 'browser') return <SettingRow title={t('spelling.title')} hint={t('spelling.browser')} />
  const offered = page.state?.spelling?.languages
  if (offered === undefined) return null
  if (offered.length > 0) return <Languages page={page} offered={offered} />
  return (
    <SwitchRow
      title={t('spelling.title')}
      hint={t('spelling.system')}
      on={page.choices.spelling.length > 0}
      onChange={(on) => void page.choose({ spelling: on ? [SYSTEM_SPELLING] : [] })}
    />
  )
}

type Props = { readonly page: DesktopPage; readonly offered: readonly string[] }

function Languages({ page: { choices, choose }, offered }: Props) {
  const t = useTexts('desktop')
  const nameOf = useLanguageNames()
  const { compare } = useFormats()
  const chosen = choices.spelling.filter((language) => offered.includes(language))
  const others = offered
    .filter((language) => !chosen.includes(language))
    .map((language) => ({ value: language, label: nameOf(language) }))
    .toSorted((a, b) => compare(a.label, b.label))
  return (
    <>
      <SettingRow title={t('spelling.title')} hint={t('spelling.hint')}>
        <Select
          label={t('spelling.add')}
          value=""
          choices={[{ value: '', label: t('spelling.none') }, ...others]}
          onChange={(language) => void choose({ spelling: [...chosen, language] })}
        />
      </SettingRow>
      {chosen.map((language) => (
        <SettingRow key={language} title={nameOf(language)}>
          <IconButton
            icon="x"
            label={t('spelling.remove', { language: nameOf(language) })}
            onClick={() => void choose({ spelling: chosen.filter((each) => each !== language) })}
          />
        </SettingRow>
      ))}
    </>
  )
}
