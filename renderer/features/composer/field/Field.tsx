import {
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  type ClipboardEvent,
  useEffect,
} from 'react'
import { cleaned } from '#shared/lib/clean-text.ts'
import { TYPING_AUTO_STOP_MS, TYPING_RESEND_MS } from '#shared/constants.ts'
import { mayPublishTyping, sharesTyping } from '#shared/rules/channels/typing.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { useTexts } from '../../../i18n/index.ts'
import {
  type SettledChannel,
  useHost,
  useSetting,
  useConnection,
  useEngine,
  useSession,
  useSettings,
} from '../../../store/hooks.ts'
import { cx } from '../../../lib/cx.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { takeEarlyText } from '../../../ui/Modal/Modal.tsx'
import { newLineEdit, pasteEdit, applyEdit, type Edit } from '../format/markdown.ts'
import { limitIn } from '../send/use-send.ts'
import { mentionToDelete, mentionsAt, type Person } from '../suggestions/mentions.ts'
import { writtenName } from '../send/own-commands.ts'
import { useTitle, isDirect, type Place } from '../selectors.ts'
import type { ComposerModel } from '../use-composer.ts'
import { actionOf, type ComposerAction, isInsideFence } from './shortcuts.ts'
import styles from '../Composer.module.css'
import type { PasteTexts } from '../paste/paste.ts'
import { pastedFiles } from '../files/staging.ts'

type Props = {
  readonly model: ComposerModel
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly place: Place
  readonly channel: SettledChannel
  /** The field fills the height the sheet allows. */
  readonly tall: boolean
  readonly listId: string
  readonly statusId: string
}

/** The id of an item in the list. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** A native text field, so that undo, spell checking, dictation and input methods work as usual. */
export function Field({ tall, model, field, place, channel, listId, statusId }: Props) {
  const label = useFieldLabel(place, channel)
  const { onPaste, plainNext } = usePaste(model)
  const onKeyDown = useFieldKeys(model, plainNext)
  const { items, selected, people } = model.suggestions
  const open = items.length > 0
  const { text } = model.composer
  const marks = useMemo(() => marksIn(text, people, model.maxLength), [text, people, model.maxLength])
  return (
    <div className={styles['text']}>
      {marks.length === 0 ? null : <Marks text={text} marks={marks} field={field} />}
      <textarea
        ref={field}
        className={cx(styles['field'], tall && styles['tall'])}
        data-composer={place.key}
        rows={1}
        aria-label={label}
        placeholder={label}
        aria-describedby={statusId}
        aria-autocomplete="list"
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? optionId(listId, selected) : undefined}
        aria-invalid={model.decision.kind === 'tooLong' || undefined}
        spellCheck
        value={model.composer.text}
        onChange={(event) => model.onText(cleaned(event.target.value), event.target.selectionStart)}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => model.onCaret(selectionStart, selectionEnd)}
        onFocus={() => model.onFocus(true)}
        onBlur={() => model.onFocus(false)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  )
}

function useFieldLabel(place: Place, channel: SettledChannel): string {
  const t = useTexts('composer')
  const name = useTitle(place.cid)
  if (place.parentId !== undefined) return t('reply')
  if (channel.notes) return t('messageSelf')
  return t(isDirect(channel) ? 'messagePerson' : 'messageChannel', { name })
}

/** Keys go to the open list first, then to sending, editing and formatting; the browser handles all others. */
function useFieldKeys(
  model: ComposerModel,
  plainNext: () => void,
): (event: KeyboardEvent<HTMLTextAreaElement>) => void {
  const enterSends = useSetting('enterSends')
  const upEdits = useSetting('upEdits')
  const mac = useHost().os === 'macos'
  return (event) => {
    // 229: a key the input method is still processing (Safari reports the confirming Enter this way).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === 'KeyV') plainNext()
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
    if (plain && model.suggestions.onKey(event.key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (plain && (event.key === 'Backspace' || event.key === 'Delete') && deleteWhole(event, event.key, model)) {
      event.preventDefault()
      return
    }
    const linkKey = (mac ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey && event.code === 'KeyK'
    const { selectionStart, selectionEnd } = event.currentTarget
    const action: ComposerAction | undefined =
      linkKey && selectionStart !== selectionEnd
        ? { kind: 'format', format: 'link' }
        : actionOf(event, { enterSends, mac })
    if (action === undefined || !perform(action, event, model, upEdits)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Performs the action of a key; false leaves the key to the browser and the app. */
function perform(
  action: ComposerAction,
  event: KeyboardEvent<HTMLTextAreaElement>,
  model: ComposerModel,
  upEdits: boolean,
): boolean {
  const { value: text, selectionStart: from, selectionEnd: to } = event.currentTarget
  switch (action.kind) {
    case 'send':
      if (!event.ctrlKey && !event.metaKey && isInsideFence(text, from)) return false
      if (!event.repeat) model.send()
      return true
    case 'newLine':
      return continueList(text, from, to, model)
    case 'format':
      model.format(action.format)
      return true
    case 'attach':
    case 'emoji':
    case 'preview':
    case 'sendMenu':
      model.openTool(action.kind)
      return true
    case 'editLast':
      return (action.always || (text === '' && upEdits)) && model.composer.editing === undefined && model.editLast()
    case 'undo':
      return text === '' && model.undoHeld()
    case 'leaveEdit':
      return model.leaveUnchanged(from === text.length)
    case 'cancel':
      return model.leaveContext() || (text === '' && model.undoHeld())
  }
}

/** Deletes a mention or command as a whole, because half a name mentions no one. The field's own undo restores it. */
function deleteWhole(
  { currentTarget: { value, selectionStart, selectionEnd } }: KeyboardEvent<HTMLTextAreaElement>,
  key: 'Backspace' | 'Delete',
  model: ComposerModel,
): boolean {
  if (selectionStart !== selectionEnd) return false
  const part =
    mentionToDelete(key, selectionStart, value, model.suggestions.people) ?? commandToDelete(key, selectionStart, model)
  if (part === undefined) return false
  model.edit({ from: part.from, to: part.to, insert: '', selectFrom: part.from, selectTo: part.from })
  return true
}

/** Backspace at the start of a command's arguments removes the command. */
function commandToDelete(key: string, caret: number, { command: { written }, composer }: ComposerModel) {
  if (key !== 'Backspace' || written === undefined || composer.editing !== undefined) return undefined
  const name = writtenName(composer.text)
  return caret === name.length && name.trimEnd() !== name ? { from: 0, to: caret } : undefined
}

function continueList(text: string, from: number, to: number, model: ComposerModel): boolean {
  const edit = newLineEdit({ text, from, to })
  if (edit.insert === '\n') return false
  model.edit(edit)
  return true
}

type MarksProps = {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/**
 * A text field cannot color parts of its text. This layer behind it has the same lines and shows only the background of
 * the marked parts; their meaning is given as text elsewhere.
 */
function Marks({ text, marks, field }: MarksProps) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const textarea = field.current
    if (textarea === null) return undefined
    const follow = (): void => {
      const element = layer.current
      if (element === null) return
      // A scroll bar narrows the text, which changes the line breaks.
      element.style.insetInlineEnd = `${textarea.offsetWidth - textarea.clientWidth}px`
      element.scrollTop = textarea.scrollTop
    }
    follow()
    const resized = new ResizeObserver(follow)
    resized.observe(textarea)
    textarea.addEventListener('scroll', follow, { passive: true })
    return () => {
      resized.disconnect()
      textarea.removeEventListener('scroll', follow)
    }
  }, [field])
  return (
    <div ref={layer} className={styles['marks']} aria-hidden="true" dir="auto">
      {marks.map(({ from, to, kind }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark className={kind === 'over' ? styles['tooMuch'] : styles['mention']}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {/* An empty last line would have no height. */}
      {`${text.slice(marks.at(-1)?.to ?? 0)}\u{200B}`}
    </div>
  )
}

/** A range of the text that is highlighted: a mention, or the part over the limit. */
type Mark = { readonly from: number; readonly to: number; readonly kind: 'mention' | 'over' }

/** The marks of a text in order. Mentions beyond the limit are not marked separately. */
function marksIn(text: string, people: readonly Person[], maxLength: number): readonly Mark[] {
  const end = limitIn(text, maxLength)
  const named = mentionsAt(text, people)
    .filter(({ to }) => to <= end)
    .map(({ from, to }) => ({ from, to, kind: 'mention' as const }))
  return end === text.length ? named : [...named, { from: end, to: text.length, kind: 'over' }]
}

/** Clipboard format in which VS Code and similar editors give the language. */
const EDITOR_DATA = 'vscode-editor-data'

type Paste = {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  /** Makes the next paste insert plain text. */
  readonly plainNext: () => void
}

/**
 * Pastes files into the tray, an address over a selection as a link, formatted text as Markdown and code with a fence.
 * The browser handles everything else, including paste without formatting.
 */
function usePaste(model: ComposerModel): Paste {
  const isPlain = useRef(false)
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const asPlain = isPlain.current
    isPlain.current = false
    const { clipboardData: data, currentTarget: field } = event
    const files = pastedFiles(data)
    const plain = data.getData('text/plain')
    const { value: text, selectionStart: from, selectionEnd: to } = field
    const link = asPlain ? undefined : pasteEdit(plain, { text, from, to })
    if (files.length > 0 && model.acceptsFiles) model.addFiles(files)
    else if (link !== undefined) model.edit(link)
    else if (!asPlain && mayNeedConversion(data)) {
      const copied = { plain, html: data.getData('text/html'), editor: data.getData(EDITOR_DATA) }
      import('../paste/paste.ts').then(
        ({ pasteText }) => insert(field, pasteText(copied) ?? { first: plain }),
        // The converter could not be loaded: insert the plain text.
        () => insert(field, { first: plain }),
      )
    } else return
    event.preventDefault()
  }
  return { onPaste, plainNext: () => void (isPlain.current = true) }
}

/** Formatted text, or at least three lines that may be code. */
const mayNeedConversion = (data: DataTransfer): boolean =>
  data.getData('text/html') !== '' || /\n.*\n/u.test(data.getData('text/plain').replaceAll('\r', ''))

/** Two steps of the native undo: the plain text, then its conversion. */
function insert(field: HTMLTextAreaElement, { first, second }: PasteTexts): void {
  const { selectionStart: from, selectionEnd: to } = field
  put(field, from, to, first)
  if (second === undefined) return
  const fence = second.startsWith('```')
  const before = fence && from > 0 && field.value[from - 1] !== '\n' ? '\n' : ''
  const after =
    fence && from + first.length < field.value.length && field.value[from + first.length] !== '\n' ? '\n' : ''
  put(field, from, from + first.length, before + second + after)
}

function put(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  const end = from + text.length
  editField(field, { from, to, insert: text, selectFrom: end, selectTo: end })
}

/**
 * The text field, its caret and selection. While typing, the browser moves the caret; text from elsewhere (a draft, an
 * edit, a message withdrawn) restores the caret saved with it. A focus request is fulfilled once.
 *
 * @param onCome called once with whether the field has the focus, before any event of it
 * @returns the field, and `ownText`, which the caller calls after each input event
 */
export function useField(
  composer: ComposerState,
  isThread: boolean,
  onCome: (focused: boolean) => void,
): { readonly field: RefObject<HTMLTextAreaElement | null>; readonly ownText: (text: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  /** An empty field has nothing to restore. */
  const own = useRef('')
  const fulfilled = useRef<number>(undefined)
  const { text, caret, selectedTo = caret, focusRequest } = composer

  useLayoutEffect(() => {
    if (own.current === text || field.current === null) return
    own.current = text
    field.current.setSelectionRange(caret, selectedTo)
    field.current.scrollTop = field.current.scrollHeight
  }, [text, caret, selectedTo])

  useLayoutEffect(() => {
    const first = fulfilled.current === undefined
    const requested = first ? focusRequest > 0 : fulfilled.current !== focusRequest
    fulfilled.current = focusRequest
    if (requested || (first && !isThread && mayTakeFocus())) field.current?.focus({ preventScroll: true })
    if (first) onCome(document.activeElement === field.current)
    if (requested) takeEarlyText(field.current)
  }, [focusRequest, isThread, onCome])

  return {
    field,
    ownText: (typed) => {
      own.current = typed
    },
  }
}

/** Opening a channel with the mouse or at start focuses the field; moving through the channel list by keyboard does not. */
function mayTakeFocus(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.matches(':focus-visible, input, textarea')
}

/**
 * Edits a text field as if the user had typed, so that one native undo reverts the edit. `execCommand` is the only way
 * to reach the native undo stack; where it is missing (some test environments) the value is set and an input event
 * dispatched.
 */
export function editField(field: HTMLTextAreaElement, edit: Edit): void {
  field.focus()
  field.setSelectionRange(edit.from, edit.to)
  const command = edit.insert === '' ? 'delete' : 'insertText'
  const nothingToDo = edit.insert === '' && edit.from === edit.to
  const typed = nothingToDo || tryCommand(field, command, edit.insert)
  if (!typed) {
    setNatively(field, applyEdit(field.value, edit))
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: edit.insert, inputType: 'insertText' }))
  }
  field.setSelectionRange(edit.selectFrom, edit.selectTo)
}

/** Inserts text at the caret. */
export function typeText(field: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to } = field
  const after = from + text.length
  editField(field, { from, to, insert: text, selectFrom: after, selectTo: after })
}

function tryCommand(field: HTMLTextAreaElement, command: string, text: string): boolean {
  const page = field.ownerDocument
  return typeof page.execCommand === 'function' && page.execCommand(command, false, text)
}

/** React tracks `value` on the element itself; a change is detected only when set through the prototype's setter. */
function setNatively(field: HTMLTextAreaElement, text: string): void {
  const property = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
  property?.set?.call(field, text)
}

type TypingSignal = {
  /** The text changed. Empty text stops the signal. */
  readonly typed: (text: string) => void
  readonly stop: () => void
}

/** Publishes typing.start at most every 2 s, and typing.stop after 1 s without a key. docs/wire.md 7.11. */
export function useTypingSignal(place: Place, channel: SettledChannel): TypingSignal {
  const engine = useEngine()
  const publishTyping = sharesTyping(useSettings(), useSession(), channel.cid)
  const { state } = useConnection()
  const allowed = mayPublishTyping({
    config: channel.config,
    capabilities: channel.capabilities,
    healthy: state === 'healthy',
    publishTyping,
  })
  const signal = useMemo(() => new Signal(engine, place), [engine, place])
  useEffect(() => () => signal.stop(), [signal])
  return useMemo(
    () => ({
      typed: (text) => (allowed && text.trim() !== '' ? signal.start() : signal.stop()),
      stop: () => signal.stop(),
    }),
    [allowed, signal],
  )
}

class Signal {
  readonly #engine: EngineClient
  readonly #place: Place
  #sentAt: number | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(engine: EngineClient, place: Place) {
    this.#engine = engine
    this.#place = place
  }

  start(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.stop(), TYPING_AUTO_STOP_MS)
    const now = Date.now()
    if (this.#sentAt !== undefined && now - this.#sentAt < TYPING_RESEND_MS) return
    this.#sentAt = now
    this.#notify(true)
  }

  stop(): void {
    clearTimeout(this.#idle)
    if (this.#sentAt === undefined) return
    this.#sentAt = undefined
    this.#notify(false)
  }

  /** A lost typing signal does no harm: the failure is only logged. */
  #notify(typing: boolean): void {
    const { cid, parentId } = this.#place
    this.#engine.channels
      .typing({ cid, typing, parentId })
      .catch((error: unknown) => console.debug('typing not sent', error))
  }
}
