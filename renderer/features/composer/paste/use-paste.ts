import { useRef, type ClipboardEvent } from 'react'
import { editField } from '../field/field-edit.ts'
import { pasteEdit } from '../format/markdown.ts'
import type { PasteTexts } from './paste.ts'
import { pastedFiles } from '../files/use-drop.ts'
import type { ComposerModel } from '../use-composer.ts'

/** VS Code and its kin say in it what language was copied. */
const EDITOR_DATA = 'vscode-editor-data'

type Paste = {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  /** The next paste was asked for without formatting. */
  readonly plainNext: () => void
}

/**
 * What a paste puts into the field: files into the tray, an address over words as a link, formatted words as Markdown,
 * code in a fence. Everything else is the browser's, and so is the paste without formatting.
 */
export function usePaste(it: ComposerModel): Paste {
  const isPlain = useRef(false)
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const asPlain = isPlain.current
    isPlain.current = false
    const { clipboardData: data, currentTarget: field } = event
    const files = pastedFiles(data)
    const plain = data.getData('text/plain')
    const { value: text, selectionStart: from, selectionEnd: to } = field
    const link = asPlain ? undefined : pasteEdit(plain, { text, from, to })
    if (files.length > 0 && it.takesFiles) it.addFiles(files)
    else if (link !== undefined) it.edit(link)
    else if (!asPlain && mayBeMore(data)) {
      const copied = { plain, html: data.getData('text/html'), editor: data.getData(EDITOR_DATA) }
      import('./paste.ts').then(
        ({ pasteText }) => insert(field, pasteText(copied) ?? { first: plain }),
        // Nobody who could make more of it: the plain text at least.
        () => insert(field, { first: plain }),
      )
    } else return
    event.preventDefault()
  }
  return { onPaste, plainNext: () => void (isPlain.current = true) }
}

/** Worth a look: formatted, or several lines that may be code. */
const mayBeMore = (data: DataTransfer): boolean =>
  data.getData('text/html') !== '' || /\n.*\n/u.test(data.getData('text/plain').replaceAll('\r', ''))

/** Two steps of the field's own undo: the plain words, and what is made of them. */
function insert(field: HTMLTextAreaElement, { first, made }: PasteTexts): void {
  const { selectionStart: from, selectionEnd: to } = field
  put(field, from, to, first)
  if (made === undefined) return
  const fence = made.startsWith('```')
  const before = fence && from > 0 && field.value[from - 1] !== '\n' ? '\n' : ''
  const after =
    fence && from + first.length < field.value.length && field.value[from + first.length] !== '\n' ? '\n' : ''
  put(field, from, from + first.length, before + made + after)
}

function put(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  const end = from + text.length
  editField(field, { from, to, insert: text, selectFrom: end, selectTo: end })
}
