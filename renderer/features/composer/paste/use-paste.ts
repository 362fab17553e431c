import { useRef, type ClipboardEvent } from 'react'
import { editField } from '../field/use-field.ts'
import { pasteEdit } from '../format/markdown.ts'
import type { PasteTexts } from './paste.ts'
import { pastedFiles } from '../files/incoming.ts'
import type { ComposerModel } from '../use-composer.ts'

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
export function usePaste(model: ComposerModel): Paste {
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
      import('./paste.ts').then(
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
