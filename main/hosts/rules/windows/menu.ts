/** Commands of the windows' registry in the menu bar, by menu, with gaps between groups. */
export const MENU_ACTIONS = {
  file: [
    ['newMessage', 'newChannel'],
    ['settings', 'shortcuts'],
  ],
  go: [
    ['switcher', 'search'],
    ['back', 'forward'],
    ['nextUnread', 'previousUnread'],
    ['catchUp', 'mentions', 'threads', 'reminders', 'drafts'],
  ],
} as const

export type MenuName = keyof typeof MENU_ACTIONS
export type MenuAction = (typeof MENU_ACTIONS)[MenuName][number][number]

/** The text under the pointer; a part of Electron's `ContextMenuParams`. */
type TextUnderPointer = {
  readonly isEditable: boolean
  readonly selectionText: string
  readonly misspelledWord: string
  readonly dictionarySuggestions: readonly string[]
}

export type TextMenuItem =
  | { readonly kind: 'gap' }
  | { readonly kind: 'word'; readonly word: string }
  /** Adds the word to the dictionary. */
  | { readonly kind: 'learn'; readonly word: string }
  | { readonly kind: 'edit'; readonly role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll' }

const GAP: TextMenuItem = { kind: 'gap' }
const SUGGESTIONS = 5

/** The menu over a text: spelling suggestions first, then the usual commands. Empty if none apply. */
export function textMenu(text: TextUnderPointer): readonly TextMenuItem[] {
  if (!text.isEditable) return text.selectionText.trim() === '' ? [] : [edit('copy')]
  return [...better(text), edit('undo'), edit('redo'), GAP, edit('cut'), edit('copy'), edit('paste'), edit('selectAll')]
}

function better({ misspelledWord: word, dictionarySuggestions }: TextUnderPointer): readonly TextMenuItem[] {
  if (word === '') return []
  const text = dictionarySuggestions.slice(0, SUGGESTIONS).map((each) => ({ kind: 'word', word: each }) as const)
  return [...text, { kind: 'learn', word }, GAP]
}

const edit = (role: Extract<TextMenuItem, { kind: 'edit' }>['role']): TextMenuItem => ({ kind: 'edit', role })
