import { useState } from 'react'
import type { Snippet } from '#shared/domain/settings.ts'
import {
  SNIPPET_LENGTH,
  MAX_SNIPPETS,
  snippetFault,
  snippetsByName,
  withSnippet,
} from '#shared/rules/composer/snippets.ts'
import { withChosen } from '#shared/rules/channels/channels.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { asCid } from '#shared/lib/brand.ts'
import type { LinkPreviewChoices } from '#shared/domain/attachment.ts'
import { blockedHost, withChannel } from '#shared/rules/messages/link-previews.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useAppDispatch, useAppSelector, useHost, useSession, useSettings } from '../../../store/hooks.ts'
import { selectEmojiTerms, selectSession } from '../../../store/selectors.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { updateSettings } from '../commands.ts'
import {
  ChannelList,
  More,
  SettingRow,
  SwitchRow,
  CommaListForm,
  ManagedBy,
  useIsManaged,
} from '../controls/SettingRow.tsx'
import { EmojiSettings } from '../emoji/EmojiSettings.tsx'
import styles from './Snippets.module.css'

const UNDO_SEND = { 0: 'off', 5: 'five', 10: 'ten' } as const
const SECONDS = { off: 0, five: 5, ten: 10 } as const

const MODES = ['automatic', 'on-leave', 'by-hand'] as const

/** Reading and sending messages. */
export function Messages() {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const c = useTexts('composer')
  const dispatch = useAppDispatch()
  const d = useTexts('details')
  const { blurMedia, formattingBar, syncDrafts, upEdits } = useSettings()
  return (
    <>
      <h2>{t('reading.title')}</h2>
      <AutoRead />
      <LinkPreviews />
      <SwitchRow
        title={d('blurMedia.title')}
        hint={d('blurMedia.hint')}
        on={blurMedia}
        onChange={(on) => void dispatch(updateSettings({ blurMedia: on }))}
      />
      <h2>{t('composing.title')}</h2>
      <Sending />
      <SwitchRow
        title={c('choices.formatting')}
        hint={c('choices.formattingHint')}
        on={formattingBar}
        onChange={(on) => void dispatch(updateSettings({ formattingBar: on }))}
      />
      <SwitchRow
        title={p('privacy.drafts')}
        hint={p('privacy.draftsHint')}
        on={syncDrafts}
        onChange={(on) => void dispatch(updateSettings({ syncDrafts: on }))}
      />
      <More what={t('messages.more')}>
        <SwitchRow
          title={c('choices.up')}
          hint={c('choices.upHint')}
          on={upEdits}
          onChange={(on) => void dispatch(updateSettings({ upEdits: on }))}
        />
        <HiddenMedia />
        <PreviewExceptions />
        <Snippets />
        <WorkspaceEmoji />
      </More>
    </>
  )
}

/** When the open channel is marked read. */
function AutoRead() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { autoRead } = useSettings()
  return (
    <SettingRow title={t('reading.autoRead')} hint={t(`reading.hints.${autoRead}`)}>
      <Segments
        label={t('reading.autoRead')}
        value={autoRead}
        onChange={(value) => void dispatch(updateSettings({ autoRead: value }))}
        choices={MODES.map((value) => ({ value, label: t(`reading.modes.${value}`) }))}
      />
    </SettingRow>
  )
}

/** Channels of this account whose media is hidden, as set in their details. */
function HiddenMedia() {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { hiddenMedia } = useSettings()
  const cids = hiddenMedia[sidebarKey(session)] ?? []
  if (cids.length === 0) return <SettingRow title={t('hiddenMedia.list')} hint={t('hiddenMedia.nowhere')} />
  return (
    <ChannelList
      title={t('hiddenMedia.list')}
      hint={t('hiddenMedia.listHint')}
      cids={cids}
      forget={(name) => t('hiddenMedia.forget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ hiddenMedia: withChosen(hiddenMedia, session, cid, false) }))}
    />
  )
}

/** What sends, and how long it can be taken back. */
function Sending() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { enterSends, undoSendSeconds } = useSettings()
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
    </>
  )
}

/** A server without custom emoji has no terms for them. */
function WorkspaceEmoji() {
  const t = useTexts('settings')
  const has = useAppSelector((state) => selectEmojiTerms(state) !== undefined)
  if (!has) return null
  return (
    <>
      <SettingRow title={t('emoji.title')} hint={t('emoji.lead')} />
      <EmojiSettings />
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

/** Whether links get a preview. */
function LinkPreviews() {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  if (useIsManaged('AllowLinkPreviews')) {
    return (
      <SettingRow title={t('previews.settings.title')} hint={t('previews.settings.off')}>
        <ManagedBy />
      </SettingRow>
    )
  }
  return (
    <SettingRow title={t('previews.settings.title')} hint={t('previews.settings.hint')}>
      <Segments
        label={t('previews.settings.title')}
        value={choices.mode}
        onChange={(mode) => choose({ ...choices, mode })}
        choices={[
          { value: 'ask', label: t('previews.settings.ask') },
          { value: 'on', label: t('previews.settings.on') },
          { value: 'off', label: t('previews.settings.off') },
        ]}
      />
    </SettingRow>
  )
}

/** Sites and channels that differ from the general setting. */
function PreviewExceptions() {
  const [choices] = useChoices()
  const isManaged = useIsManaged('AllowLinkPreviews')
  if (isManaged) return null
  return (
    <>
      {choices.mode === 'off' ? null : <Sites key={choices.blocked.join()} />}
      <Exceptions on={false} />
      <Exceptions on />
    </>
  )
}

function useChoices(): [LinkPreviewChoices, (choices: LinkPreviewChoices) => void] {
  const dispatch = useAppDispatch()
  return [useSettings().linkPreviews, (linkPreviews) => void dispatch(updateSettings({ linkPreviews }))]
}

function Sites() {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  const faultOf = (names: readonly string[]): string | undefined => {
    const wrong = names.find((name) => blockedHost(name) === undefined)
    return wrong === undefined ? undefined : t('previews.settings.notASite', { site: wrong })
  }
  return (
    <CommaListForm
      label={t('previews.settings.blocked')}
      hint={t('previews.settings.blockedHint')}
      saveLabel={t('previews.settings.save')}
      saved={choices.blocked}
      faultOf={faultOf}
      onSave={(names) =>
        choose({ ...choices, blocked: [...new Set(names.flatMap((name) => blockedHost(name) ?? []))] })
      }
    />
  )
}

/** Channels of this account that differ from the general setting. */
function Exceptions({ on }: { readonly on: boolean }) {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  const account = useAppSelector((state) => sidebarKey(selectSession(state)))
  const cids = Object.entries(choices.channels[account] ?? {}).flatMap(([cid, set]) => (set === on ? [asCid(cid)] : []))
  return (
    <ChannelList
      title={on ? t('previews.settings.here') : t('previews.settings.except')}
      cids={cids}
      forget={(name) => t('previews.settings.forget', { name })}
      onForget={(cid) => choose(withChannel(choices, { account, cid }, undefined))}
    />
  )
}
