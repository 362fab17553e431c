/** A replacement in a text field that one native undo reverts, and the selection after it. */
export type Edit = {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly selectFrom: number
  readonly selectTo: number
}

export type Format =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'codeBlock'
  | 'quote'
  | 'bulletList'
  | 'numberList'
  | 'link'

type Selected = { readonly text: string; readonly from: number; readonly to: number }

const MARKERS = { bold: '**', italic: '_', strike: '~~', code: '`' } as const

/** The edit of a formatting command on the selection. The same command again reverts it. */
export function formatEdit(format: Format, selected: Selected): Edit {
  switch (format) {
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return toggleWrap(selected, MARKERS[format])
    case 'codeBlock':
      return wrapBlock(selected)
    case 'quote':
      return toggleLines(selected, /^> ?/, () => '> ')
    case 'bulletList':
      return toggleLines(selected, /^[-*] /, () => '- ')
    case 'numberList':
      return toggleLines(selected, /^\d+\. /, (index) => `${index + 1}. `)
    case 'link':
      return linkEdit(selected)
  }
}

function toggleWrap({ text, from, to }: Selected, marker: string): Edit {
  const inside = text.slice(from, to)
  const size = marker.length
  if (inside.length >= size * 2 && inside.startsWith(marker) && inside.endsWith(marker)) {
    const bare = inside.slice(size, -size)
    return { from, to, insert: bare, selectFrom: from, selectTo: from + bare.length }
  }
  if (from >= size && text.slice(from - size, from) === marker && text.slice(to, to + size) === marker) {
    return { from: from - size, to: to + size, insert: inside, selectFrom: from - size, selectTo: to - size }
  }
  return {
    from,
    to,
    insert: marker + inside + marker,
    selectFrom: from + size,
    selectTo: from + size + inside.length,
  }
}

function wrapBlock({ text, from, to }: Selected): Edit {
  const before = from > 0 && text[from - 1] !== '\n' ? '\n' : ''
  const after = to < text.length && text[to] !== '\n' ? '\n' : ''
  const start = from + before.length + 4
  return {
    from,
    to,
    insert: `${before}\`\`\`\n${text.slice(from, to)}\n\`\`\`${after}`,
    selectFrom: start,
    selectTo: start + (to - from),
  }
}

/** Adds a prefix to every line of the selection, or removes it when all lines have it. */
function toggleLines({ text, from, to }: Selected, present: RegExp, prefix: (index: number) => string): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const end = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to)
  const lines = text.slice(start, end).split('\n')
  const all = lines.every((line) => present.test(line))
  const changed = lines.map((line, index) => (all ? line.replace(present, '') : prefix(index) + line))
  const insert = changed.join('\n')
  const caret = start + insert.length
  return {
    from: start,
    to: end,
    insert,
    selectFrom: from === to ? caret : start,
    selectTo: caret,
  }
}

function linkEdit({ text, from, to }: Selected): Edit {
  const inside = text.slice(from, to)
  if (isUrl(inside)) {
    return { from, to, insert: `[](${inside})`, selectFrom: from + 1, selectTo: from + 1 }
  }
  const address = from + inside.length + 3
  return { from, to, insert: `[${inside}]()`, selectFrom: address, selectTo: address }
}

/** An address pasted over selected text makes it a link; anything else is pasted as it is. */
export function pasteEdit(pasted: string, { text, from, to }: Selected): Edit | undefined {
  const inside = text.slice(from, to)
  const address = pasted.trim()
  if (inside.trim() === '' || inside.includes('\n') || isUrl(inside) || !isUrl(address)) return undefined
  const insert = `[${inside}](${address})`
  return { from, to, insert, selectFrom: from + insert.length, selectTo: from + insert.length }
}

const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)

/** A new line inside a list or quote continues it; on an empty item it ends the list. */
export function newLineEdit({ text, from, to }: Selected): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const line = text.slice(start, from)
  const item = /^(\s*)(?:([-*]) |(\d+)\. |(> ?))/.exec(line)
  if (item === null || from !== to) return plain(from, to, '\n')
  if (item[0] === line) return plain(start, to, '')
  const [, indent = '', bullet, digits, quote] = item
  const marker = bullet ? `${bullet} ` : digits ? `${Number(digits) + 1}. ` : (quote ?? '')
  return plain(from, to, `\n${indent}${marker}`)
}

const plain = (from: number, to: number, insert: string): Edit => ({
  from,
  to,
  insert,
  selectFrom: from + insert.length,
  selectTo: from + insert.length,
})
/** The text after an edit. */
export const applyEdit = (text: string, edit: Edit): string =>
  text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
