import type { Message, Block, Inline, ListItem } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import { blocksOf } from '../markdown/Markdown.tsx'

export type CopyFormat = 'plain' | 'markdown'

/** Entities a message refers to. */
type Referenced = { readonly polls?: Readonly<Record<string, Pick<Poll, 'name' | 'description' | 'options'>>> }

/**
 * A message as clipboard text: without formatting, or its unchanged source; a poll with its options, a location with its
 * coordinates.
 */
export async function copyOf(
  message: Pick<Message, 'text' | 'pollId' | 'location'>,
  format: CopyFormat,
  { polls = {} }: Referenced = {},
): Promise<string> {
  const poll = message.pollId === undefined ? undefined : polls[message.pollId]
  const parts = [
    format === 'markdown' ? message.text : await toPlainText(message.text),
    ...(poll === undefined ? [] : [poll.name, poll.description, ...poll.options.map(({ text }) => `- ${text}`)]),
    message.location === undefined ? '' : pointText(message.location),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** Several messages, oldest first, each under its author and time (ISO 8601). */
export async function copyOfMany(
  messages: readonly Message[],
  format: CopyFormat,
  { nameOf, ...referenced }: Referenced & { readonly nameOf: (userId: string) => string },
): Promise<string> {
  const texts = await Promise.all(
    messages.map(async (message) => {
      const name = nameOf(message.userId)
      const head = message.timeUnsure === true ? name : `${name}, ${isoOf(message.createdAt)}`
      const names = message.attachments.flatMap(({ title }) => title ?? [])
      return [head, await copyOf(message, format, referenced), ...names].filter((part) => part !== '').join('\n')
    }),
  )
  return texts.join('\n\n')
}

const isoOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** A message's text without formatting, for the clipboard: lines and lists stay, markers are removed. */
export const toPlainText = async (text: string): Promise<string> => blocksToText(await blocksOf(text)).trim()

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
