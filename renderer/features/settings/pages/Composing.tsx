import { useTexts } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { Snippets } from './Snippets.tsx'
import { Spelling } from './Spelling.tsx'
import { SwitchRow } from '../controls/SwitchRow.tsx'

const UNDO_SEND = { 0: 'off', 5: 'five', 10: 'ten' } as const
const SECONDS = { off: 0, five: 5, ten: 10 } as const

/** Enter key, undo send, spelling and snippets. */
export function Composing() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const c = useTexts('composer')
  const { enterSends, undoSendSeconds, upEdits, formattingBar } = useSettings()
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
      <SettingRow title={t('composing.undoSend')} hint={t('composing.undoSendHint')}>
        <Segments
          label={t('composing.undoSend')}
          value={UNDO_SEND[undoSendSeconds]}
          onChange={(value) => void dispatch(updateSettings({ undoSendSeconds: SECONDS[value] }))}
          choices={[
            { value: 'off', label: t('composing.undoOff') },
            { value: 'five', label: t('composing.undoSeconds', { count: 5 }) },
            { value: 'ten', label: t('composing.undoSeconds', { count: 10 }) },
          ]}
        />
      </SettingRow>
      <SwitchRow
        title={c('choices.up')}
        hint={c('choices.upHint')}
        on={upEdits}
        onChange={(on) => void dispatch(updateSettings({ upEdits: on }))}
      />
      <SwitchRow
        title={c('choices.formatting')}
        hint={c('choices.formattingHint')}
        on={formattingBar}
        onChange={(on) => void dispatch(updateSettings({ formattingBar: on }))}
      />
      <Spelling />
      <Snippets />
    </>
  )
}
