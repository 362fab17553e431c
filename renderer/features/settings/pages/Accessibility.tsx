import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { useShortcut } from '../../../store/window/shortcuts.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Motion, TextSize, ThemeChoice } from './Appearance.tsx'
import { updateSettings } from '../commands.ts'
import { GoTo, SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

const STAYS = { 0: 'always', 3: 'short', 8: 'long' } as const
const SECONDS = { always: 0, short: 3, long: 8 } as const
const SPEECH = ['full', 'brief', 'text'] as const
const ROW_NAMES = ['full', 'brief'] as const

/** Settings for seeing, hearing and using Parlor without a pointer. */
export function Accessibility() {
  const t = useTexts('preferences')
  const settings = useTexts('settings')
  const dispatch = useAppDispatch()
  const n = useTexts('notices')
  const { speech, rowNames, letterKeys, noticeSeconds } = useSettings()
  const keys = useShortcut('nextRegion')
  return (
    <>
      <h2>{t('accessibility.see')}</h2>
      <ThemeChoice />
      <p className={styles['below']}>{t('accessibility.themeHint')}</p>
      <SettingRow title={settings('appearance.textSize')} hint={settings('appearance.textSizeHint')}>
        <TextSize />
      </SettingRow>
      <Motion />
      <h2>{t('accessibility.hear')}</h2>
      <SettingRow title={t('accessibility.speech')} hint={t(`accessibility.speechHints.${speech}`)}>
        <Segments
          label={t('accessibility.speech')}
          value={speech}
          onChange={(value) => void dispatch(updateSettings({ speech: value }))}
          choices={SPEECH.map((value) => ({ value, label: t(`accessibility.speechNames.${value}`) }))}
        />
      </SettingRow>
      <SettingRow title={t('accessibility.rows')} hint={t(`accessibility.rowsHints.${rowNames}`)}>
        <Segments
          label={t('accessibility.rows')}
          value={rowNames}
          onChange={(value) => void dispatch(updateSettings({ rowNames: value }))}
          choices={ROW_NAMES.map((value) => ({ value, label: t(`accessibility.rowsNames.${value}`) }))}
        />
      </SettingRow>
      <SettingRow title={n('stay.title')} hint={n('stay.hint')}>
        <Segments
          label={n('stay.title')}
          value={STAYS[noticeSeconds]}
          onChange={(value) => void dispatch(updateSettings({ noticeSeconds: SECONDS[value] }))}
          choices={[
            { value: 'short', label: n('stay.seconds', { count: 3 }) },
            { value: 'long', label: n('stay.seconds', { count: 8 }) },
            { value: 'always', label: n('stay.always') },
          ]}
        />
      </SettingRow>
      <SwitchRow
        title={t('accessibility.letters')}
        hint={t('accessibility.lettersHint')}
        on={letterKeys}
        onChange={(on) => void dispatch(updateSettings({ letterKeys: on }))}
      />
      <SettingRow title={t('accessibility.keys')} hint={t('accessibility.keysHint', { keys: keys.join(' + ') })}>
        <GoTo section="keyboard" label={t('accessibility.toKeyboard')} />
      </SettingRow>
    </>
  )
}
