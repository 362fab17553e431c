import { useState } from 'react'
import { SYSTEM_SPELLING } from '#shared/domain/desktop/desktop.ts'
import type { Snippet } from '#shared/domain/settings.ts'
import {
  SNIPPET_LENGTH,
  MAX_SNIPPETS,
  snippetFault,
  snippetsByName,
  withSnippet,
} from '#shared/rules/composer/snippets.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useTexts, useFormats, useLanguageNames } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import { useDesktop, type DesktopPage } from '../desktop/DesktopSettings.tsx'
import styles from './Snippets.module.css'

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

/** The user's snippets, inserted by `;;name`: the list and a form to add or change one. */
export function Snippets() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { snippets } = useSettings()
  const { compare } = useFormats()
  const [changed, setChanged] = useState<Snippet>()
  const save = (next: readonly Snippet[]): void => void dispatch(updateSettings({ snippets: [...next] }))
  return (
    <>
      <SettingRow title={t('snippets.title')} hint={t('snippets.hint')} />
      {snippets.length === 0 ? null : (
        <ul className={styles['list']} aria-label={t('snippets.title')}>
          {snippetsByName(snippets, compare).map((snippet) => (
            <li key={snippet.name} className={styles['snippet']}>
              <b>;;{snippet.name}</b>
              <span className="ellipsis">{excerpt(snippet.text, 120)}</span>
              <IconButton
                size="small"
                icon="pencil"
                label={t('snippets.change', { name: snippet.name })}
                onClick={() => setChanged(snippet)}
              />
              <IconButton
                size="small"
                icon="trash"
                label={t('snippets.remove', { name: snippet.name })}
                onClick={() => save(snippets.filter(({ name }) => name !== snippet.name))}
              />
            </li>
          ))}
        </ul>
      )}
      <SnippetForm
        key={changed?.name ?? `${snippets.length} new`}
        snippets={snippets}
        before={changed}
        onSave={(snippet) => {
          save(withSnippet(snippets, snippet, changed?.name))
          setChanged(undefined)
        }}
        onLeave={() => setChanged(undefined)}
      />
    </>
  )
}

type FormProps = {
  readonly snippets: readonly Snippet[]
  /** The snippet being changed; undefined for a new one. */
  readonly before: Snippet | undefined
  readonly onSave: (snippet: Snippet) => void
  readonly onLeave: () => void
}

function SnippetForm({ snippets, before, onSave, onLeave }: FormProps) {
  const t = useTexts('settings')
  const [name, setName] = useState(before?.name ?? '')
  const [text, setText] = useState(before?.text ?? '')
  const [tried, setTried] = useState(false)
  const fault = tried ? snippetFault(snippets, { name, text }, before?.name) : undefined
  const isOfName = fault === 'name' || fault === 'taken' || fault === 'full'
  const submit = (): void => {
    setTried(true)
    if (snippetFault(snippets, { name, text }, before?.name) === undefined) onSave({ name, text })
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={t('snippets.name')}
        hint={t('snippets.nameHint')}
        value={name}
        maxLength={40}
        autoComplete="off"
        error={isOfName ? t(`snippets.faults.${fault}`, { max: MAX_SNIPPETS }) : undefined}
        onChange={setName}
      />
      <TextArea
        label={t('snippets.text')}
        hint={t('snippets.textHint')}
        rows={3}
        maxLength={SNIPPET_LENGTH}
        value={text}
        error={fault === 'text' ? t('snippets.faults.text') : undefined}
        onChange={setText}
      />
      <div className={styles['buttons']}>
        <Button type="submit">{before === undefined ? t('snippets.add') : t('snippets.save')}</Button>
        {before === undefined ? null : (
          <Button variant="quiet" onClick={onLeave}>
            {t('snippets.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
