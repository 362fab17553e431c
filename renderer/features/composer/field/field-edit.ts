import { applyEdit, type Edit } from '../format/markdown.ts'

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
