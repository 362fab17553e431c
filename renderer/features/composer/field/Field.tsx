import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { cleaned } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { type SettledChannel, useHost, useSetting } from '../../../store/hooks.ts'
import { cx } from '../../../lib/cx.ts'
import { newLineEdit } from '../format/markdown.ts'
import { limitIn } from '../send/decision.ts'
import { mentionToDelete, mentionsAt, type Person } from '../suggestions/mentions.ts'
import { writtenName } from '../suggestions/written-command.ts'
import { isDirect, type Place } from '../place.ts'
import { optionId } from '../suggestions/SuggestionList.tsx'
import { usePaste } from '../paste/use-paste.ts'
import { useTitle } from '../selectors.ts'
import type { ComposerModel } from '../use-composer.ts'
import { actionOf, type ComposerAction, isInsideFence } from './shortcuts.ts'
import styles from '../Composer.module.css'

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
