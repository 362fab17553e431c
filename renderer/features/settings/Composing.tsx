import { useId } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { keysOf } from '../../lib/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../store/hooks.ts'
import { Segments } from '../../ui/Segments.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { updateSettings } from './commands.ts'
import { SettingRow } from './SettingRow.tsx'

/** What Enter does, and whether others see that one types. */
export function Composing() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { enterSends, publishTyping } = useSettings()
  const typingId = useId()
  return (
    <>
      <SettingRow
        title={t('composing.enter')}
        hint={enterSends ? t('composing.enterSendsHint') : t('composing.enterBreaksHint')}
      >
        <Segments
          label={t('composing.enter')}
          value={enterSends ? 'enter' : 'mod'}
          onChange={(value) => void dispatch(updateSettings({ enterSends: value === 'enter' }))}
          choices={[
            { value: 'enter', label: keysOf('Enter', os).join('') },
            { value: 'mod', label: keysOf('Mod+Enter', os).join(' + ') },
          ]}
        />
      </SettingRow>
      <SettingRow id={typingId} title={t('composing.typing')} hint={t('composing.typingHint')}>
        <Switch
          labelledBy={typingId}
          describedBy={`${typingId}-hint`}
          on={publishTyping}
          onChange={(on) => void dispatch(updateSettings({ publishTyping: on }))}
        />
      </SettingRow>
    </>
  )
}
