import { cleaned } from '#shared/lib/clean-text.ts'
import { useMemo, type KeyboardEvent, type RefObject } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useHost, useSetting } from '../../../store/hooks.ts'
import { cx } from '../../../lib/cx.ts'
import { newLineEdit } from '../format/markdown.ts'
import { Marks } from './Marks.tsx'
import { marksIn } from './marks.ts'
import { tornBy } from '../suggestions/mentions.ts'
import { isDirect, type Place } from '../place.ts'
import { SEND_MENU } from '../send/SendArea.tsx'
import { actionOf, isInsideFence, type ComposerAction } from './shortcuts.ts'
import { optionId } from '../suggestions/SuggestionList.tsx'
import { usePaste } from '../paste/use-paste.ts'
import { useTitle } from '../use-title.ts'
import { writtenName } from '../suggestions/written-command.ts'
import type { ComposerModel } from '../use-composer.ts'
import styles from '../Composer.module.css'

type Props = {
  readonly it: ComposerModel
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly place: Place
  readonly channel: Channel
  /** As high as the sheet allows. */
  readonly tall: boolean
  readonly listId: string
  readonly statusId: string
}

/** The text itself: a native field, so that undo, spelling, dictation and every keyboard work as they do elsewhere. */
export function Field({ tall, it, field, place, channel, listId, statusId }: Props) {
  const label = useFieldLabel(place, channel)
  const { onPaste, plainNext } = usePaste(it)
  const onKeyDown = useFieldKeys(it, plainNext)
  const { items, selected, people } = it.suggestions
  const open = items.length > 0
  const { text } = it.composer
  const marks = useMemo(() => marksIn(text, people, it.maxLength), [text, people, it.maxLength])
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
        aria-invalid={it.decision.kind === 'tooLong' || undefined}
        spellCheck
        value={it.composer.text}
        onChange={(event) => it.onText(cleaned(event.target.value), event.target.selectionStart)}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => it.onCaret(selectionStart, selectionEnd)}
        onFocus={() => it.onFocus(true)}
        onBlur={() => it.onFocus(false)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  )
}

function useFieldLabel(place: Place, channel: Channel): string {
  const t = useTexts('composer')
  const name = useTitle(place.cid)
  if (place.parentId !== undefined) return t('reply')
  if (channel.notes) return t('messageSelf')
  return t(isDirect(channel) ? 'messagePerson' : 'messageChannel', { name })
}

/** Keys of the field: the open list first, then sending, editing and formatting; all others are the browser's. */
function useFieldKeys(it: ComposerModel, plainNext: () => void): (event: KeyboardEvent<HTMLTextAreaElement>) => void {
  const enterSends = useSetting('enterSends')
  const upEdits = useSetting('upEdits')
  const mac = useHost().os === 'macos'
  return (event) => {
    // 229: a key an input method is still working on (Safari reports the closing Enter so).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === 'KeyV') plainNext()
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
    if (plain && it.suggestions.onKey(event.key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (plain && (event.key === 'Backspace' || event.key === 'Delete') && deleteWhole(event, event.key, it)) {
      event.preventDefault()
      return
    }
    const linkKey = (mac ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey && event.code === 'KeyK'
    const { selectionStart, selectionEnd } = event.currentTarget
    const action: ComposerAction | undefined =
      linkKey && selectionStart !== selectionEnd
        ? { kind: 'format', format: 'link' }
        : actionOf(event, { enterSends, mac })
    if (action === undefined || !perform(action, event, it, upEdits)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Does what a key means; false leaves the key to the browser and the app. */
function perform(
  action: ComposerAction,
  event: KeyboardEvent<HTMLTextAreaElement>,
  it: ComposerModel,
  upEdits: boolean,
): boolean {
  const { value: text, selectionStart: from, selectionEnd: to } = event.currentTarget
  switch (action.kind) {
    case 'send':
      if (!event.ctrlKey && !event.metaKey && isInsideFence(text, from)) return false
      if (!event.repeat) it.send()
      return true
    case 'sendMenu':
      event.currentTarget.closest('section')?.querySelector('[data-send]')?.dispatchEvent(new CustomEvent(SEND_MENU))
      return true
    case 'newLine':
      return continueList(text, from, to, it)
    case 'format':
      it.format(action.format)
      return true
    case 'emoji':
      clickTool(event.currentTarget, 'emoji')
      return true
    case 'attach':
      clickTool(event.currentTarget, 'attach')
      return true
    case 'preview':
      clickTool(event.currentTarget, 'preview')
      return true
    case 'editLast':
      return (action.always || (text === '' && upEdits)) && it.composer.editing === undefined && it.editLast()
    case 'undo':
      return text === '' && it.undoHeld()
    case 'leaveEdit':
      return it.leaveUnchanged(from === text.length)
    case 'cancel':
      return it.leaveContext() || (text === '' && it.undoHeld())
  }
}

/** Half a name names no one: what deleting would tear goes as a whole, and the field's own undo brings it back. */
function deleteWhole(
  { currentTarget: { value, selectionStart, selectionEnd } }: KeyboardEvent<HTMLTextAreaElement>,
  key: 'Backspace' | 'Delete',
  it: ComposerModel,
): boolean {
  if (selectionStart !== selectionEnd) return false
  const torn = tornBy(key, selectionStart, value, it.suggestions.people) ?? tornCommand(key, selectionStart, it)
  if (torn === undefined) return false
  it.edit({ from: torn.from, to: torn.to, insert: '', selectFrom: torn.from, selectTo: torn.from })
  return true
}

/** Backspace at the beginning of what a command is given takes the command away. */
function tornCommand(key: string, caret: number, { command: { written }, composer }: ComposerModel) {
  if (key !== 'Backspace' || written === undefined || composer.editing !== undefined) return undefined
  const name = writtenName(composer.text)
  return caret === name.length && name.trimEnd() !== name ? { from: 0, to: caret } : undefined
}

function continueList(text: string, from: number, to: number, it: ComposerModel): boolean {
  const edit = newLineEdit({ text, from, to })
  if (edit.insert === '\n') return false
  it.edit(edit)
  return true
}

/** The button is what opens the picker and the file field; a key is another way to press it. */
function clickTool(field: Element, tool: string): void {
  field.closest('section')?.querySelector<HTMLElement>(`[data-tool="${tool}"]`)?.click()
}
