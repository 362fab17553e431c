import type { Block, Inline, ListItem } from './nodes.ts'
import { parseMessage } from './parse.ts'

/** A message's text without formatting, for the clipboard: lines and lists stay, markers are removed. */
export const toPlainText = (text: string): string => blocksToText(parseMessage(text)).trim()

const blocksToText = (blocks: readonly Block[]): string => blocks.map(blockToText).join('\n\n')

function blockToText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return inlineToText(block.children)
    case 'codeBlock':
      return block.text.replace(/\n$/, '')
    case 'quote':
      return blocksToText(block.children)
    case 'list':
      return block.items.map((item, at) => itemToText(item, block.ordered ? `${block.start + at}. ` : '• ')).join('\n')
    case 'table':
      return [block.head, ...block.rows]
        .map((row) => row.map((cell) => inlineToText(cell.children)).join('\t'))
        .join('\n')
    case 'rule':
      return '—'
  }
}

function itemToText({ checked, children }: ListItem, bullet: string): string {
  const box = checked === undefined ? '' : checked ? '☑ ' : '☐ '
  const lines = children.map(blockToText).join('\n').split('\n')
  return lines.map((line, at) => (at === 0 ? bullet + box + line : `  ${line}`)).join('\n')
}

const inlineToText = (nodes: readonly Inline[]): string =>
  nodes.map((node) => (node.kind === 'break' ? '\n' : node.kind === 'link' ? linkToText(node) : textOf(node))).join('')

const textOf = (node: Exclude<Inline, { kind: 'break' }>): string =>
  'children' in node ? inlineToText(node.children) : node.text

/** Adds the address when the text of a link does not show it. */
function linkToText({ href, children }: Extract<Inline, { kind: 'link' }>): string {
  const text = inlineToText(children)
  return text === '' || text === href || `${text}/` === href ? href : `${text} (${href})`
}
