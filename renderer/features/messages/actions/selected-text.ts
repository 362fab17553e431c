/** Marks the element of a row that holds its words. */
const WORDS = '[data-words]'

/** What is selected of a message's words; empty when nothing is, or when the selection reaches beyond them. */
export function selectedText(row: Element | null): string {
  const selection = window.getSelection()
  const text = row?.querySelector(WORDS)
  if (!text || selection === null || selection.isCollapsed || selection.rangeCount === 0) return ''
  return text.contains(selection.getRangeAt(0).commonAncestorContainer) ? selection.toString().trim() : ''
}
