import type { Block, Inline } from '#shared/domain/blocks.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'

/** What could begin a mark anywhere: emphasis, code, links, pictures, tags, tables, escapes, entities, bare addresses. */
const MARKS = /[\\`*_{}[\]<>~|&!$^]|:(?=\/\/)/g
/** What makes a line something else than a paragraph: headings, lists, rules, underlined headings. */
const LINE = /^(\s*)(?:([#=+\-:])|(\d{1,9})([.)]))/

/** Plain text, so that no reader of Markdown sees marks or tags in it. */
export const escapeMarkdown = (text: string): string => text.replace(MARKS, (mark) => `\\${mark}`)

const escapeLine = (line: string): string =>
  line.replace(LINE, (_all, space: string, mark?: string, number?: string, end?: string) =>
    mark === undefined ? `${space}${number}\\${end}` : `${space}\\${mark}`,
  )

/**
 * The text of a message as Markdown that every reader understands as Parlor does: what Parlor shows as text (tags,
 * pictures from elsewhere, half of a mark) is escaped, what it shows as formatting is written in its usual form.
 */
export function markdownOf(text: string): string {
  const blocks = parseMessage(text)
  const written = writeBlocks(blocks)
  const wanted = plainText(blocks)
  if (wordsOf(plainText(parseMessage(written))) === wordsOf(wanted)) return written
  // Marks that touch each other can mean something else once they are written anew: then the text goes before them.
  return escapeParagraph(text)
}

const wordsOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

const escapeParagraph = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeLine(escapeMarkdown(line.trim())))
    .join('\\\n')

const writeBlocks = (blocks: readonly Block[]): string => blocks.map(writeBlock).join('\n\n')

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return writeLines(block.children)
    case 'heading':
      // Headings of the file are days: a message has none.
      return `**${writeLines(block.children)}**`
    case 'codeBlock': {
      const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1))
      return `${fence}${block.language}\n${block.text}\n${fence}`
    }
    case 'quote':
      return prefixed(writeBlocks(block.children), '> ')
    case 'list':
      return block.items
        .map(({ checked, children }, index) => {
          const bullet = block.ordered ? `${block.start + index}. ` : '- '
          const box = checked === undefined ? '' : checked ? '[x] ' : '[ ] '
          return hung(box + writeBlocks(children), bullet)
        })
        .join('\n')
    case 'table': {
      const rules = block.head.map(({ align }) => (align === 'center' ? ':-:' : align === 'end' ? '--:' : '---'))
      const rows = [block.head, ...block.rows].map((row) => row.map(({ children }) => writeCell(children)))
      return [rows[0] ?? [], rules, ...rows.slice(1)].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
    }
    case 'rule':
      return '---'
  }
}

export const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? prefix.trimEnd() : prefix + line))
    .join('\n')

const hung = (text: string, bullet: string): string => bullet + text.split('\n').join(`\n${' '.repeat(bullet.length)}`)

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

const writeLines = (nodes: readonly Inline[]): string =>
  nodes
    .map(writeInline)
    .join('')
    .split('\n')
    .map((line) => escapeLine(line.trimStart()))
    .join('\n')

const writeCell = (nodes: readonly Inline[]): string => nodes.map(writeInline).join('').replaceAll('\\\n', ' ')

function writeInline(node: Inline): string {
  switch (node.kind) {
    case 'text':
    case 'channel':
    case 'mention':
      return escapeMarkdown(node.text).replaceAll('\n', ' ')
    case 'emoji':
      return node.text
    case 'break':
      return '\\\n'
    case 'strong':
      return `**${inside(node.children)}**`
    case 'em':
      return `*${inside(node.children)}*`
    case 'strike':
      return `~~${inside(node.children)}~~`
    case 'code':
      return codeOf(node.text)
    case 'link':
      return `[${inside(node.children)}](<${node.href.replace(/[<>\\\n]/g, encodeURIComponent)}>)`
  }
}

const inside = (nodes: readonly Inline[]): string => nodes.map(writeInline).join('')

function codeOf(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  const space = /^[` ]|[` ]$/.test(text) && text.trim() !== '' ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}
