import { applyEdit, type Edit } from '../format/markdown.ts'

/**
 * Makes an edit in a text field the way a person would type it, so that the field's own undo takes it back in one step.
 * `execCommand` is the only way to reach the native undo stack; where it is missing (some engines without a window) the
 * field is changed directly and told so.
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

/** Types words where the caret is. */
export function typeText(field: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to } = field
  const after = from + text.length
  editField(field, { from, to, insert: text, selectFrom: after, selectTo: after })
}

function tryCommand(field: HTMLTextAreaElement, command: string, text: string): boolean {
  const page = field.ownerDocument
  return typeof page.execCommand === 'function' && page.execCommand(command, false, text)
}

/** React watches the property on the element itself; only through the prototype does it see a change it did not make. */
function setNatively(field: HTMLTextAreaElement, text: string): void {
  const property = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
  property?.set?.call(field, text)
}
