import { useState } from 'react'
import type { Snippet } from '#shared/domain/settings.ts'
import {
  SNIPPET_LENGTH,
  MAX_SNIPPETS,
  snippetFault,
  snippetsByName,
  withSnippet,
} from '#shared/rules/composer/snippets.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { updateSettings } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from './Snippets.module.css'

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
