import { pointText } from '#shared/rules/locations/locations.ts'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { Block, Inline } from '#shared/domain/message.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import {
  dayKey,
  type Exported,
  type ExportWords,
  type ExportWriter,
  notIncluded,
  periodText,
  reactionText,
} from './writer.ts'

/** A heading a day, a line with author and time a message, its text as a quotation, replies quoted under it. */
export function markdownWriter(at: number, words: ExportWords): ExportWriter {
  const { text, day, time } = words
  let shownDay = ''
  let isInThread = false
  return {
    begin: () => [],
    channel({ name, channel, span, missingBefore }) {
      shownDay = ''
      const topic = cleanName(channel.topic ?? '')
      const lines = [
        `# ${plain(name)}`,
        topic === '' ? undefined : plain(topic),
        `${plain(text('exported', { date: day(at) }))} ${plain(periodText(span, words))}`,
        missingBefore === undefined ? undefined : plain(text('missingBefore', { date: day(missingBefore) })),
      ]
      return `${lines.filter((line) => line !== undefined).join('\n\n')}\n\n`
    },
    message(exported) {
      const { message, author } = exported
      const date = message.timeUnsure === true ? text('noTime') : day(message.createdAt)
      const key = message.timeUnsure === true ? '?' : dayKey(message.createdAt)
      const heading = isInThread || key === shownDay ? '' : `## ${plain(date)}\n\n`
      if (!isInThread) shownDay = key
      const when = message.timeUnsure === true ? text('noTime') : time(message.createdAt)
      const marks = [
        message.editedAt === undefined || message.type === 'deleted' ? undefined : text('edited'),
        message.pinned ? text('pinned') : undefined,
        message.parentId === undefined || isInThread ? undefined : text('replyElsewhere'),
      ].filter((mark) => mark !== undefined)
      const head = `**${plain(author)}** ${plain([when, ...marks].join(', '))}`
      const body = bodyOf(exported, words)
      const written = `${head}\n\n${body === '' ? '' : `${prefixed(body, '> ')}\n\n`}`
      return heading + (isInThread ? `${prefixed(written.trimEnd(), '> ')}\n>\n` : written)
    },
    beginThread() {
      isInThread = true
      return `> *${plain(text('thread'))}*\n>\n`
    },
    endThread() {
      isInThread = false
      return '\n'
    },
    endOfChannel: () => '',
    end: () => '',
  }
}

const plain = (text: string): string => escapeMarkdown(cleanName(text).replaceAll(/\s+/g, ' '))

function bodyOf(exported: Exported, words: ExportWords): string {
  const { message, quote, poll, files } = exported
  const { text } = words
  if (message.type === 'deleted') return `*${plain(text('deleted'))}*`
  const parts = [
    quote && prefixed(`**${plain(quote.author)}**\n\n${plain(quotedText(quote, words))}`, '> '),
    message.text === '' ? undefined : markdownOf(message.text),
    poll && pollText(poll, words),
    message.location && plain(text('location', { point: pointText(message.location) })),
    ...files.map((each) => fileText(each, words)),
    message.reactions.length === 0
      ? undefined
      : message.reactions.map(({ type, count }) => `${plain(reactionText(type))} ${count}`).join(', '),
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

export function quotedText(quote: NonNullable<Exported['quote']>, { text }: ExportWords): string {
  if (quote.deleted) return text('deleted')
  return quote.text === '' && quote.kind !== undefined ? text(`contents.${quote.kind}` as 'contents.other') : quote.text
}

function pollText(
  { name, description, options, closed }: NonNullable<Exported['poll']>,
  { text }: ExportWords,
): string {
  const head = `**${plain(name)}** (${plain(closed ? `${text('poll')}, ${text('closed')}` : text('poll'))})`
  const rows = options.map((option) => `- ${plain(option.text)}: ${plain(text('votes', { count: option.votes }))}`)
  return [head, description === '' ? '' : plain(description), rows.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
}

function fileText({ attachment, file }: Exported['files'][number], words: ExportWords): string {
  const link = safeLink(attachment.linkUrl ?? '')
  if (attachment.kind === 'link' && link !== undefined)
    return `[${plain(attachment.title ?? link.href)}](<${link.href.replace(/[<>\\]/g, encodeURIComponent)}>)`
  if (file === undefined) return plain(notIncluded(attachment, words))
  const name = plain(attachment.title ?? words.text(`contents.${attachment.kind}`))
  const address = `<${file.path.split('/').map(encodeURIComponent).join('/')}>`
  if (!file.opens) return `${name} (${plain(file.path)})`
  return `${file.mimeType.startsWith('image/') ? '!' : ''}[${name}](${address})`
}

/** What could begin a mark anywhere: emphasis, code, links, pictures, tags, tables, escapes, entities, bare addresses. */
const MARKS = /[\\`*_{}[\]<>~|&!$^]|:(?=\/\/)/g
/** What makes a line something else than a paragraph: headings, lists, rules, underlined headings. */
const LINE = /^(\s*)(?:([#=+\-:])|(\d{1,9})([.)]))/

/** Plain text, so that no reader of Markdown sees marks or tags in it. */
const escapeMarkdown = (text: string): string => text.replace(MARKS, (mark) => `\\${mark}`)

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

const prefixed = (text: string, prefix: string): string =>
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
