import { useTexts, useFormats, useLanguageNames } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import { Snippets } from './Snippets.tsx'
import { SYSTEM_SPELLING } from '#shared/domain/desktop/desktop.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { useDesktop, type DesktopPage } from '../desktop/use-desktop.ts'

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
