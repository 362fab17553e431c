import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import {
  type SettledChannel,
  useAppDispatch,
  useAppSelector,
  useCanParticipate,
  useSettledChannel,
  useSession,
  useSetting,
} from '../../store/hooks.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { announce } from '../../lib/page/announce.ts'
import { overlayPart } from '../../lib/page/part.tsx'
import { addAccountOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { type Closed, closedReason, type Place, placeOf, isDirect } from './place.ts'
import { selectUnsentText, useTitle } from './selectors.ts'
import { AskDialog } from './send/SendArea.tsx'
import { CommandBar, ContextBar, ConflictBar } from './ContextBars.tsx'
import { saveFormattingBar } from './send/commands.ts'
import { Field } from './field/Field.tsx'
import { FormatBar, Tools } from './format/Tools.tsx'
import { EditFiles, Preview, Previews, Tray, VoiceBar } from './parts.ts'
import { selectPreviews } from './previews/previews.ts'
import { StatusLine } from './StatusLine.tsx'
import { SuggestionList } from './suggestions/SuggestionList.tsx'
import { useComposer } from './use-composer.ts'
import { useVoice } from './voice/use-voice.ts'
import styles from './Composer.module.css'

const FolderDialog = overlayPart(async () => (await import('./files/FolderDialog.tsx')).FolderDialog)

/** The composer of a channel or of a thread in it. Renders nothing until the channel is loaded. */
export function Composer({ cid, parentId }: { readonly cid: Cid; readonly parentId?: MessageId }) {
  const channel = useSettledChannel(cid)
  const canParticipate = useCanParticipate()
  const place = useMemo(() => placeOf(cid, parentId), [cid, parentId])
  const closed = channel && closedReason(channel, parentId, canParticipate)
  useClosingAnnounced(place, channel && (closed?.text ?? 'open'))
  if (channel === undefined) return null
  if (closed !== undefined) return <ClosedComposer place={place} closed={closed} />
  return <OpenComposer key={place.key} place={place} channel={channel} />
}

/** Announces that a conversation that is on screen was closed for writing, such as a channel that was frozen. */
function useClosingAnnounced({ key, cid }: Place, now: Closed['text'] | 'open' | undefined): void {
  const t = useTexts('composer')
  const name = useTitle(cid)
  const openKey = useRef<string>(undefined)
  useEffect(() => {
    if (now === 'open') openKey.current = key
    else if (now !== undefined && openKey.current === key) {
      openKey.current = undefined
      announce(t(now, { name }))
    }
  }, [key, now, name, t])
}

type Props = { readonly place: Place; readonly closed: Closed }

/** One sentence in place of the field where writing is not allowed. Unsent text stays readable and can be copied. */
function ClosedComposer({ place, closed }: Props) {
  const t = useTexts('composer')
  const name = useTitle(place.cid)
  const text = useAppSelector((state) => selectUnsentText(state, place.key))
  return (
    <section
      className={cx(styles['wrap'], styles['closedWrap'])}
      aria-label={t(place.parentId === undefined ? 'region' : 'threadRegion')}
    >
      <p className={styles['closed']} data-composer-closed={place.key}>
        <Icon name={closed.icon} size={18} />
        <span>{t(closed.text, { name })}</span>
        {closed.text === 'guest' ? <SignIn /> : null}
      </p>
      {text === '' ? null : (
        <textarea
          className={styles['unsent']}
          aria-label={t('unsentText')}
          title={t('unsentText')}
          readOnly
          value={text}
        />
      )}
    </section>
  )
}

/** Adds an account on the same server with a token; the guest account stays in the account list. */
function SignIn() {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const url = useSession().workspace?.url
  return (
    <Button
      size="small"
      variant="primary"
      onClick={() => dispatch(addAccountOpened(url === undefined ? undefined : { url }))}
    >
      {t('signIn')}
    </Button>
  )
}

/** From top to bottom: suggestions, context, formatting, text, files, tools, status line. */
function OpenComposer({ place, channel }: { readonly place: Place; readonly channel: SettledChannel }) {
  const t = useTexts('composer')
  const root = useRef<HTMLElement>(null)
  const dispatch = useAppDispatch()
  const formatting = useSetting('formattingBar')
  const [previewing, setPreviewing] = useState(false)
  const [tall, setTall] = useState(false)
  const ids = { list: useId(), status: useId(), preview: useId() }
  const { model, field } = useComposer(place, channel, root)
  const voice = useVoice(place, model)
  const hasPreviews = useAppSelector((state) => selectPreviews(state, place.key).length > 0)
  // Once there, it stays: a dialog about a file may outlast the file, which it replaces.
  const [hasTray, setHasTray] = useState(false)
  if (!hasTray && model.uploads.length > 0) setHasTray(true)
  return (
    <section
      ref={root}
      className={cx(styles['wrap'], place.parentId !== undefined && styles['thread'])}
      aria-label={t(place.parentId === undefined ? 'region' : 'threadRegion')}
    >
      <div className={cx(styles['composer'], model.dragged !== undefined && styles['dropping'])}>
        <SuggestionList id={ids.list} cid={place.cid} suggestions={model.suggestions} />
        <ConflictBar place={place} editing={model.composer.editing !== undefined} />
        <ContextBar place={place} composer={model.composer} onLeave={model.leaveContext} />
        <CommandBar model={model} />
        {formatting ? <FormatBar onFormat={model.format} /> : null}
        {previewing ? (
          <Preview id={ids.preview} text={model.composer.text} people={model.suggestions.people} channel={channel} />
        ) : null}
        <Field
          tall={tall}
          model={model}
          field={field}
          channel={channel}
          place={place}
          listId={ids.list}
          statusId={ids.status}
        />
        {model.composer.editing === undefined ? null : <EditFiles place={place} composer={model.composer} />}
        {hasTray ? (
          <Tray place={place} uploads={model.uploads} onRemove={model.removeFile} onRetry={model.retryFile} />
        ) : null}
        {voice.state.kind === 'idle' ? null : <VoiceBar voice={voice} />}
        {model.asksForPreviews || hasPreviews ? <Previews place={place} channel={channel} model={model} /> : null}
        <Tools
          place={place}
          channel={channel}
          model={model}
          voice={voice}
          formatting={formatting}
          previewId={previewing ? ids.preview : undefined}
          onPreview={() => setPreviewing((open) => !open)}
          tall={tall}
          onTall={() => {
            setTall((is) => !is)
            model.focus()
          }}
          onFormatting={() => void dispatch(saveFormattingBar({ formattingBar: !formatting }))}
          statusId={ids.status}
        />
        {model.dragged === undefined ? null : <DropTarget channel={channel} count={model.dragged} />}
      </div>
      {model.folder === undefined ? null : (
        <FolderDialog
          key={`${model.folder.name} ${model.foldersLeft}`}
          folder={model.folder}
          onAnswer={model.answerFolder}
        />
      )}
      {model.asking === undefined ? null : <AskDialog cid={place.cid} {...model.asking} />}
      <StatusLine id={ids.status} model={model} place={place} channel={channel} />
      <output className="sr-only">
        {model.suggestions.items.length > 0 ? t('suggestions', { count: model.suggestions.items.length }) : ''}
      </output>
    </section>
  )
}

/** Covers the composer while files are dragged over the sheet. */
function DropTarget({ channel, count }: { readonly channel: SettledChannel; readonly count: number }) {
  const t = useTexts('composer')
  const name = useTitle(channel.cid)
  const text = isDirect(channel) ? t('dropHere', { count }) : t('dropChannel', { count, name })
  return (
    <output className={styles['drop']}>
      <Icon name="upload" size={22} />
      {text}
    </output>
  )
}
