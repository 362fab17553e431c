import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { contentOf } from '#shared/domain/message.ts'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import {
  type SettledChannel,
  useAppDispatch,
  useAppSelector,
  useCanParticipate,
  useSettledChannel,
  useSession,
  useSetting,
  useUser,
  useHost,
} from '../../store/hooks.ts'
import { useTexts, useFormats, useErrorText } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { announce } from '../../lib/page/announce.ts'
import { overlayPart } from '../../lib/page/part.tsx'
import { addAccountOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import {
  selectUnsentText,
  useTitle,
  selectComposer,
  type Closed,
  closedReason,
  type Place,
  placeOf,
  isDirect,
} from './selectors.ts'
import { saveFormattingBar, settleConflict } from './send/commands.ts'
import { Field } from './field/Field.tsx'
import { FormatBar, Tools } from './format/Tools.tsx'
import { AskDialog, EditFiles, Preview, Previews, SuggestionList, Tray, VoiceBar, Remedy } from './parts.ts'
import { selectPreviews } from './previews/previews.ts'
import { useComposer, type ComposerModel } from './use-composer.ts'
import { useVoice } from './voice/use-voice.ts'
import { richText } from '../../lib/text/rich.tsx'
import { selectMessage } from '../../store/selectors.ts'
import { type ComposerState, alsoInChannelSet } from '../../store/composers/composers.ts'
import { useCommandTexts, writtenName } from './send/own-commands.ts'
import { hasLearnedEnter } from './send/use-send.ts'
import styles from './Composer.module.css'
import { contentKeyOf } from '../attachments/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { TypingLine } from '../typing/index.ts'
import lineStyles from './StatusLine.module.css'

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
        {model.suggestions.items.length === 0 ? null : (
          <SuggestionList id={ids.list} cid={place.cid} suggestions={model.suggestions} />
        )}
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

type ContextBarProps = { readonly place: Place; readonly composer: ComposerState; readonly onLeave: () => boolean }

/** The quoted message, or the message being edited. Its button or Escape cancels either. */
function ContextBar({ composer, onLeave }: ContextBarProps) {
  const t = useTexts('composer')
  if (composer.editing !== undefined) {
    return (
      <div className={styles['context']}>
        <Icon name="pencil" size={16} />
        <EditSummary messageId={composer.editing.messageId} />
        <IconButton icon="x" size="tiny" label={t('cancelEdit')} keys={['Esc']} onClick={onLeave} />
      </div>
    )
  }
  if (composer.quotedId === undefined) return null
  return (
    <div className={styles['context']}>
      <Icon name="reply" size={16} />
      <QuoteSummary messageId={composer.quotedId} />
      <IconButton icon="x" size="tiny" label={t('removeQuote')} keys={['Esc']} onClick={onLeave} />
    </div>
  )
}

function EditSummary({ messageId }: { readonly messageId: string }) {
  const t = useTexts('composer')
  const { time } = useFormats()
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const at = message === undefined ? '' : time(message.createdAt)
  return <span className={styles['contextText']}>{richText((values) => t('editing', values), { time: at })}</span>
}

const EXCERPT_LENGTH = 160

function QuoteSummary({ messageId }: { readonly messageId: string }) {
  const t = useTexts('composer')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const messages = useTexts('messages')
  const author = useUser(message?.userId)
  if (message === undefined) return <span className={styles['contextText']}>{t('replyingToGone')}</span>
  const text = excerpt(message.text, EXCERPT_LENGTH) || messages(contentKeyOf(contentOf(message) ?? 'file'))
  const name = author?.name ?? message.userId
  return (
    <span className={styles['contextText']}>
      {richText((values) => t('replyingTo', values), { name, text: <EmojiText text={text} /> })}
    </span>
  )
}

/** Above the field: the command in the text, its arguments, and a button that removes it. */
function CommandBar({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  const text = useCommandTexts()
  const { written } = model.command
  if (written === undefined || model.composer.editing !== undefined) return null
  const { name, args } = written.command
  const remove = (): void => {
    model.edit({ from: 0, to: writtenName(model.composer.text).length, insert: '', selectFrom: 0, selectTo: 0 })
  }
  return (
    <div className={styles['context']}>
      <Icon name="slash" size={16} />
      <span className={styles['contextText']}>
        <b>
          {/* A command is code and always left to right. */}
          <bdi dir="ltr">{`/${name} ${args}`.trim()}</bdi>
        </b>{' '}
        {text(written.command)}
      </span>
      <IconButton icon="x" size="tiny" label={t('commands.remove', { name })} onClick={remove} />
    </div>
  )
}

const CONFLICT_EXCERPT_LENGTH = 120

/** The draft was also edited in another window or on another device: the user chooses which text to use. */
function ConflictBar({ place, editing }: { readonly place: Place; readonly editing: boolean }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const draft = useAppSelector((state) => state.entities.drafts[place.key])
  const current = useAppSelector((state) => selectComposer(state, place.key).text)
  if (draft?.conflict === undefined || editing) return null
  // The field may show either text: the newer one that arrived, or the one typed here.
  const other = draft.conflict.text.includes(current) ? draft.text : draft.conflict.text
  return (
    <div className={cx(styles['context'], styles['choice'])} role="group" aria-label={t('conflict.label')}>
      <Icon name="laptop" size={16} />
      <span className={styles['contextText']}>
        {richText((values) => t('conflict.text', values), {
          text: <EmojiText text={excerpt(other, CONFLICT_EXCERPT_LENGTH) || t('conflict.nothing')} />,
        })}
      </span>
      <Button size="small" onClick={() => void dispatch(settleConflict(place, other))}>
        {t('conflict.use')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => void dispatch(settleConflict(place, current))}>
        {t('conflict.own')}
      </Button>
    </div>
  )
}

type StatusLineProps = {
  readonly id: string
  readonly model: ComposerModel
  readonly place: Place
  readonly channel: SettledChannel
}

/** Below the composer: on the left why the message cannot be sent, or who is typing; on the right a keyboard hint. */
function StatusLine({ id, model, place, channel }: StatusLineProps) {
  const status = useStatus(model)
  const hint = useHint(model)
  return (
    <div className={lineStyles['under']}>
      {place.parentId === undefined || model.composer.editing !== undefined ? null : (
        <AlsoSend model={model} place={place} channel={channel} />
      )}
      <output
        id={id}
        className={cx(lineStyles['status'], status && lineStyles[status.tone])}
        // What a file has come to is announced once, when it is attached or failed, and not the steps before.
        aria-live={model.decision.kind === 'uploading' || model.decision.kind === 'uploadFailed' ? 'off' : undefined}
      >
        {status?.text}
      </output>
      {status === undefined ? <TypingLine cid={place.cid} parentId={place.parentId} /> : null}
      <span className={lineStyles['grow']} />
      {hint === undefined ? null : <span className={lineStyles['hint']}>{hint}</span>}
    </div>
  )
}

type Texts = ReturnType<typeof useTexts<'composer'>>
type Status = { readonly tone: 'plain' | 'warn' | 'error'; readonly text: ReactNode }

/** The most important message right now; only one is shown. */
function useStatus(model: ComposerModel): Status | undefined {
  const t = useTexts('composer')
  const errorText = useErrorText()
  const { composer, decision, leftOut, uploads } = model
  if (composer.failure !== undefined && decision.kind !== 'stopped') {
    const reason = errorText(composer.failure)
    const text = composer.editing === undefined ? t('notSent', { reason }) : t('notSaved', { reason })
    return { tone: 'error', text }
  }
  if (leftOut > 0) return { tone: 'warn', text: <Remedy model={model} /> }
  switch (decision.kind) {
    case 'stopped':
      return { tone: 'warn', text: t(decision.forGood ? 'stoppedForGood' : 'stopped') }
    case 'tooLong':
      return { tone: 'error', text: <Remedy model={model} /> }
    case 'uploading':
      return { tone: 'warn', text: <Remedy model={model} /> }
    case 'uploadFailed':
      return { tone: 'plain', text: t('uploadProblem') }
    case 'slow':
      return { tone: 'plain', text: <Remedy model={model} /> }
    case 'outbox':
      return { tone: 'plain', text: t('offline') }
    case 'editEmpty':
      return { tone: 'plain', text: t('editEmpty') }
    case 'editGone':
      return { tone: 'warn', text: t('editGone') }
    case 'command':
      return { tone: 'warn', text: t(`commands.why.${decision.why}`) }
    case 'empty':
      // An empty field is not an error; punctuation alone looks like a message but cannot be sent.
      return composer.text.trim() === '' ? slots(uploads.length, t) : { tone: 'plain', text: t('onlySigns') }
    case 'ready':
    case 'save':
      return slots(uploads.length, t)
  }
}
function slots(used: number, t: Texts): Status | undefined {
  return used < MAX_FILES_PER_MESSAGE
    ? undefined
    : { tone: 'plain', text: t('slots', { used, max: MAX_FILES_PER_MESSAGE }) }
}

function useHint(model: ComposerModel): string | undefined {
  const t = useTexts('composer')
  const enterSends = useSetting('enterSends')
  const keys = `${useHost().os === 'macos' ? '⌘' : 'Ctrl'} + Enter`
  const { composer, decision } = model
  if (composer.editing !== undefined) return enterSends ? t('hintEdit') : t('hintEditSwapped', { keys })
  if (composer.quotedId !== undefined && composer.text === '') return t('hintCancel')
  if (composer.text === '' || !model.focused) return undefined
  if (decision.kind === 'outbox' && enterSends) return t('hintQueue')
  if (!enterSends) return t('hintSendSwapped', { keys })
  return hasLearnedEnter() ? undefined : t('hintNewLine')
}

function AlsoSend({ model, place, channel }: Omit<StatusLineProps, 'id'>) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const name = useTitle(place.cid)
  return (
    <label className={lineStyles['also']}>
      <input
        type="checkbox"
        className="sr-only"
        checked={model.composer.showInChannel}
        onChange={(event) => dispatch(alsoInChannelSet({ key: place.key, on: event.target.checked }))}
      />
      <span className={lineStyles['tick']} aria-hidden="true">
        <Icon name="check" size={13} />
      </span>
      <span className="ellipsis">{isDirect(channel) ? t('alsoSendPerson') : t('alsoSend', { name })}</span>
    </label>
  )
}
