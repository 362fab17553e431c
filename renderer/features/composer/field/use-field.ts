import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { applyEdit, type Edit } from '../format/markdown.ts'

/**
 * The text field, its caret and selection. While typing, the browser moves the caret; text from elsewhere (a draft, an
 * edit, a message withdrawn) restores the caret saved with it. A focus request is fulfilled once.
 *
 * @returns the field, and `ownText`, which the caller calls after each input event
 */
export function useField(
  composer: ComposerState,
  isThread: boolean,
): { readonly field: RefObject<HTMLTextAreaElement | null>; readonly ownText: (text: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const own = useRef<string>(undefined)
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
  }, [focusRequest, isThread])

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
