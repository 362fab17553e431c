import type { Block, Inline } from '../../domain/message.ts'

/**
 * Signs that may mean something in a line: marks, links, emoji by name, escapes, entities, and the controls that a parser
 * replaces.
 */
const SIGNS = /[\\`*_~[<&|]|(?=\p{Cc})[^\n]|\/\/|mailto:|:[^\s:]+:/iu
/** The start of a line that may begin a block, and spaces around a line, which do not count. */
const EDGES = /^(?:[^\S\n]|[#>+=:-]|\d+[.)])|[^\S\n]$/m

/**
 * Whether {@link plainBlocks} draws a text as it is. Rather false for a text without formatting than true for one with
 * some.
 */
export const isPlainText = (text: string): boolean => !SIGNS.test(text) && !EDGES.test(text)

/** Blocks of a text in which nothing is formatting: paragraphs and line breaks. */
export const plainBlocks = (text: string): readonly Block[] =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({
      kind: 'paragraph',
      children: paragraph
        .split('\n')
        .flatMap((line, index): Inline[] => [
          ...(index === 0 ? [] : [{ kind: 'break' } as const]),
          ...(line === '' ? [] : [{ kind: 'text', text: line } as const]),
        ]),
    }))

/** A tree as one line of plain text, for labels and announcements. `code` replaces code blocks. */
export function plainText(blocks: readonly Block[], code?: (lines: number) => string): string {
  return blocks
    .map((block) => plainBlock(block, code))
    .filter((part) => part !== '')
    .join(' ')
}

function plainBlock(block: Block, code: ((lines: number) => string) | undefined): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainInline(block.children)
    case 'codeBlock':
      return code === undefined ? block.text.trim() : code(block.text.split('\n').length)
    case 'quote':
      return plainText(block.children, code)
    case 'list':
      return block.items.map((item) => plainText(item.children, code)).join(', ')
    case 'table':
      return [block.head, ...block.rows]
        .map((row) => row.map((cell) => plainInline(cell.children)).join(' '))
        .join(', ')
    case 'rule':
      return ''
  }
}

export const plainInline = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => (node.kind === 'break' ? ' ' : 'children' in node ? plainInline(node.children) : node.text))
    .join('')
