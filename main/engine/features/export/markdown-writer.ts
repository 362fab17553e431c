import { pointText } from '#shared/rules/locations/locations.ts'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { escapeMarkdown, markdownOf, prefixed } from './markdown-text.ts'
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
