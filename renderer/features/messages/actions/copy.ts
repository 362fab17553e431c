import { useMemo } from 'react'
import type { Message, Block, Inline, ListItem } from '#shared/domain/message.ts'
import type { Poll } from '#shared/domain/poll.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Session } from '#shared/domain/session.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppStore, useEngine } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import { copyPicture, piecesOf } from '../../attachments/index.ts'
import { selectName } from '../../people/index.ts'
import { blocksOf } from '../markdown/shown.ts'

type Copying = {
  readonly one: (message: Message, format: CopyFormat) => void
  readonly many: (messages: readonly Message[], format: CopyFormat) => void
  readonly link: (message: Pick<Message, 'cid' | 'id'>) => void
  readonly picture: (message: Message, picture: Attachment | undefined) => void
}

/** Copies to the clipboard and announces the result to screen readers. Stable identity. */
export function useCopying(): Copying {
  const t = useTexts('messages')
  const store = useAppStore()
  const engine = useEngine()
  return useMemo(() => {
    const announceResult = (copied: Promise<void>): void =>
      void copied.then(
        () => announce(t('copied')),
        () => announce(t('notCopied')),
      )
    const put = (text: Promise<string>): void => announceResult(text.then(copyText))
    return {
      one: (message, format) => put(copyOf(message, format, store.getState().entities)),
      many: (messages, format) => {
        const nameOf = (id: string): string => selectName(store.getState(), id)
        put(copyOfMany(messages, format, { nameOf, polls: store.getState().entities.polls }))
      },
      link: (message) => {
        const link = messageLink(message, selectSession(store.getState()).workspace)
        if (link === undefined) announce(t('notCopied'))
        else announceResult(copyText(link))
      },
      picture: ({ id: messageId }, picture) => {
        if (picture !== undefined) announceResult(copyPicture(piecesOf(engine, { messageId, index: picture.index })))
      },
    }
  }, [t, store, engine])
}

/** Writes plain text, never HTML, to the clipboard. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}

type CopyFormat = 'plain' | 'markdown'

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

/** Ids that need no escaping in a link. Parsed by `parseDeepLink`. */
const CID = /^[\w-]{1,64}:[\w!-]{1,64}$/
const MESSAGE_ID = /^[\w-]{1,255}$/
const MAX_LENGTH = 512

type Place = Pick<Message, 'cid' | 'id'>

/** Whether the message can have a link. */
export const isLinkable = ({ cid, id }: Place): boolean =>
  CID.test(cid) && MESSAGE_ID.test(id) && id.length + cid.length < MAX_LENGTH - 128

/** `parlor://open/<workspace>/message/<cid>/<id>`; `undefined` if no valid link is possible. */
export function messageLink(message: Place, workspace: Session['workspace']): string | undefined {
  if (workspace === undefined || !isLinkable(message)) return undefined
  return `parlor://open/${linkWorkspace(workspace)}/message/${message.cid}/${message.id}`
}

type ForwardTexts = {
  readonly nameOf: (userId: string) => string
  /** Heading of a quotation: `From Ola`. */
  readonly from: (name: string) => string
  readonly emptyAs: string
  /** Whether the file itself is forwarded, so its name is not listed. */
  readonly isForwarded: (messageId: string, index: number) => boolean
}

/**
 * The text of forwarded messages: the sender's comment, then each message as a quotation under its author's name, with
 * the names of the files that are not forwarded.
 */
export function forwardText(messages: readonly Message[], comment: string, text: ForwardTexts): string {
  const parts = messages.map((message) => {
    const named = message.attachments.filter(({ index }) => !text.isForwarded(message.id, index))
    const files = named.map(({ title, linkUrl }) => `- ${title ?? linkUrl ?? text.emptyAs}`)
    const body = [message.text.trim(), files.join('\n')].filter((part) => part !== '').join('\n\n')
    return quoted(`**${escaped(text.from(text.nameOf(message.userId)))}**\n${body}`)
  })
  return [comment.trim(), ...parts].filter((part) => part !== '').join('\n\n')
}

/** Prefixes every line, empty ones too, so that one quotation does not run into the next. */
export const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** Escapes Markdown characters in a name. */
const escaped = (name: string): string => name.replace(/[\\*_~`[\]]/g, String.raw`\$&`)
