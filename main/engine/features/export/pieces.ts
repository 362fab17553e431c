import { type ExportFormat, type ExportSpan, EXPORT_KIND, EXPORT_VERSION } from '#shared/domain/export.ts'
import type { Message, Placed } from '#shared/domain/message.ts'
import { asCid, type Cid, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { CSV_BOM, csvRow } from '#shared/rules/server/csv.ts'
import { pointText } from '#shared/rules/locations/locations.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visiblePoll, visibleUser } from '../../changes/visible.ts'
import { htmlWriter } from './html-writer.ts'
import { markdownWriter } from './markdown-writer.ts'
import { missingBefore } from './older.ts'
import {
  type Exported,
  type ExportedFile,
  type ExportWords,
  type ExportWriter,
  clockKey,
  dayKey,
  iso,
  reactionText,
} from './writer.ts'

/** A part of the file, and the number of messages in it. */
export type ExportPiece = { readonly text: string; readonly messages: number }

/** Which messages: of a channel, or of all; of them those in the period, or only those that are named. */
export type ExportScope = {
  readonly cid?: Cid
  readonly span?: ExportSpan
  readonly messageIds?: readonly MessageId[]
}

/** What to export and in which format; `at` is written into the file (epoch milliseconds). */
export type ExportOrder = ExportScope & {
  readonly format: ExportFormat
  readonly at: number
  readonly words: ExportWords
  /** The files next to it, by their media reference. */
  readonly files?: ReadonlyMap<string, ExportedFile>
  /** Portraits of people as `data:` addresses. */
  readonly portraits?: ReadonlyMap<string, string>
}

/** Messages read at a time. */
const PAGE = 200

/**
 * The cached messages, in the order they were written, including replies (a page and Markdown have these under their
 * message); as small parts of a file, so that it is never completely in memory. Makes no requests, and omits unsent
 * messages.
 */
export function* exportPieces(context: ReadContext, order: ExportOrder): Generator<ExportPiece> {
  const { cid, span = {}, messageIds, words } = order
  const writer = writerFor(context, order)
  for (const text of writer.begin()) yield { text, messages: 0 }
  const wanted = messageIds === undefined ? undefined : new Set<string>(messageIds)
  for (const each of cidsOf(context, cid)) {
    const channel = visibleChannel(context, each)
    if (!channel) continue
    const missing = cid === undefined || wanted !== undefined ? undefined : missingBefore(context, each, span)
    const heading = { channel, name: channelNameOf(context, each), span, missingBefore: missing }
    yield { text: writer.channel(heading), messages: 0 }
    const view: View = { context, writer, order, words, hasThreads: writer.beginThread !== undefined && !wanted }
    for (const key of keysOf(context, each, span)) {
      if (wanted?.has(key.id) === false) continue
      yield* writtenAt(view, key.id)
    }
    yield { text: writer.endOfChannel(), messages: 0 }
  }
  yield { text: writer.end(), messages: 0 }
}

type View = {
  readonly context: ReadContext
  readonly writer: ExportWriter
  readonly order: ExportOrder
  readonly words: ExportWords
  readonly hasThreads: boolean
}

function* writtenAt(view: View, id: string): Generator<ExportPiece> {
  const { context, writer, order, hasThreads } = view
  const message = exportable(context, id)
  if (message === undefined || (hasThreads && isUnderItsParent(view, message))) return
  yield { text: writer.message(exportedOf(context, message, order)), messages: 1 }
  if (!hasThreads || message.parentId !== undefined) return
  let isOpen = false
  for (const key of threadKeys(context, message.id, order.span)) {
    const reply = exportable(context, key.id)
    if (reply === undefined) continue
    if (!isOpen) yield { text: writer.beginThread?.() ?? '', messages: 0 }
    isOpen = true
    yield { text: writer.message(exportedOf(context, reply, order)), messages: 1 }
  }
  if (isOpen) yield { text: writer.endThread?.() ?? '', messages: 0 }
}

function isUnderItsParent({ context, order }: View, { parentId }: Message): boolean {
  const parent = parentId === undefined ? undefined : exportable(context, parentId)
  return parent !== undefined && isWithin(order.span, parent.createdAt)
}

const isWithin = ({ from = -Infinity, until = Infinity }: ExportSpan = {}, at: number): boolean =>
  at >= from && at < until

/** What a survey found: a message's files, and its author. */
export type SurveyedMessage = {
  readonly userId: UserId
  readonly image?: string
  readonly files: readonly SurveyedFile[]
}

export type SurveyedFile = { readonly ref: string; readonly title?: string; readonly sizeBytes?: number }

/** The messages that {@link exportPieces} would write, with what has to be fetched for them. */
export function* surveyed(
  context: ReadContext,
  { cid, span = {}, messageIds }: ExportScope,
): Generator<SurveyedMessage> {
  const wanted = messageIds === undefined ? undefined : new Set<string>(messageIds)
  for (const each of cidsOf(context, cid)) {
    for (const key of keysOf(context, each, span)) {
      const message = wanted?.has(key.id) === false ? undefined : exportable(context, key.id)
      if (message === undefined) continue
      const files = attachmentsOf(message)
        .filter(({ hasMedia }) => hasMedia)
        .map(({ index, title, sizeBytes }) => ({ ref: refOf(message.id, index), title, sizeBytes }))
      yield { userId: message.userId, image: visibleUser(context, message.userId)?.image, files }
    }
  }
}

const refOf = (messageId: string, index: number): string => `att/${messageId}.${index}`

const cidsOf = (context: ReadContext, cid: Cid | undefined): readonly Cid[] =>
  cid === undefined ? channels.all(context.cache).map((row) => asCid(row.cid)) : [cid]

/** The name of a channel; a direct conversation without one is named after its people. */
export function channelNameOf(context: ReadContext, cid: Cid): string {
  const channel = visibleChannel(context, cid)
  if (channel === undefined || channel.name !== '') return channel?.name ?? cid
  const names = channel.directUserIds.map((id) => nameOf(context, id))
  return names.length === 0 ? cid : names.join(', ')
}

const nameOf = (context: ReadContext, id: UserId): string => visibleUser(context, id)?.name ?? id

/** As the viewer sees it; nothing for what is not part of the conversation. */
function exportable(context: ReadContext, id: string): Message | undefined {
  const message = visibleMessage(context, id as MessageId)
  if (!message || message.type === 'ephemeral' || message.type === 'error') return undefined
  // What was deleted has no content, whatever a server still sends of it.
  return message.type === 'deleted' ? { ...message, text: '', pollId: undefined, location: undefined } : message
}

const attachmentsOf = (message: Message): Message['attachments'] =>
  message.type === 'deleted' ? [] : message.attachments

function exportedOf(context: ReadContext, message: Message, { cid, files, span }: ExportOrder): Exported {
  const { quoted, pollId } = message
  const target = quoted && exportable(context, quoted.id)
  const isHere = target !== undefined && (cid === undefined || target.cid === cid) && isWithin(span, target.createdAt)
  const poll = pollId === undefined ? undefined : visiblePoll(context, pollId)
  return {
    message: message.type === 'deleted' ? { ...message, reactions: [] } : message,
    author: nameOf(context, message.userId),
    poll,
    quote:
      quoted === undefined || message.type === 'deleted'
        ? undefined
        : {
            author: nameOf(context, quoted.userId),
            text: quoted.deleted ? '' : excerpt(quoted.text),
            deleted: quoted.deleted,
            kind: quoted.content,
            id: isHere ? quoted.id : undefined,
          },
    files: attachmentsOf(message).map((attachment) => ({
      attachment,
      file: files?.get(refOf(message.id, attachment.index)),
    })),
    mentioned: [
      ...message.mentionedUserIds.map((id) => ({ id, name: nameOf(context, id) })),
      ...(message.reach ?? []).map((broadcast) => ({ id: broadcast, name: broadcast, all: true as const })),
    ],
  }
}

/** The beginning of a quoted text, without its marks. */
function excerpt(text: string): string {
  const plain = plainText(parseMessage(text))
  return plain.length > EXCERPT ? `${plain.slice(0, EXCERPT).replace(/[\uD800-\uDBFF]$/, '')}…` : plain
}

const EXCERPT = 300

function writerFor(context: ReadContext, { format, at, words, cid, portraits = new Map() }: ExportOrder): ExportWriter {
  switch (format) {
    case 'html': {
      const title = cid === undefined ? 'Parlor' : channelNameOf(context, cid)
      return htmlWriter({ at, title, words, portraits })
    }
    case 'markdown':
      return markdownWriter(at, words)
    case 'csv':
      return csvWriter()
    case 'json':
      return jsonWriter(context.me, at)
    case 'text':
      return textWriter(at)
  }
}

/** Keys of the timeline and of replies outside it, merged by time. */
function* keysOf({ cache }: ReadContext, cid: Cid, span: ExportSpan): Generator<Placed> {
  const timeline = keysAfter(span, (at) => pages.after(cache, `timeline:${cid}`, at, PAGE))
  const beside = keysAfter(span, (at) => pages.besideAfter(cache, cid, at, PAGE))
  let [a, b] = [timeline.next(), beside.next()]
  while (a.done !== true || b.done !== true) {
    if (b.done === true || (a.done !== true && isBefore(a.value, b.value))) {
      if (a.done !== true) yield a.value
      a = timeline.next()
    } else {
      yield b.value
      b = beside.next()
    }
  }
}

const threadKeys = ({ cache }: ReadContext, parentId: MessageId, span: ExportSpan = {}): Generator<Placed> =>
  keysAfter(span, (at) => pages.after(cache, `thread:${parentId}`, at, PAGE))

const isBefore = (a: Placed, b: Placed): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)

/** The keys of a period, read in pages. An id is never empty, so a period begins with what is at its first instant. */
function* keysAfter({ from, until = Infinity }: ExportSpan, read: (at: Placed) => readonly Placed[]) {
  let at: Placed | undefined = from === undefined ? pages.BEGINNING : { createdAt: from, id: '' }
  while (at !== undefined) {
    const keys = read(at)
    for (const key of keys) {
      if (key.createdAt >= until) return
      yield key
    }
    at = keys.length < PAGE ? undefined : keys.at(-1)
  }
}

/**
 * `{kind, version, exportedAt, viewer, channels: [{cid, type, name, topic, messages: [...]}]}`. Times are ISO 8601 in UTC;
 * absent fields are omitted.
 */
function jsonWriter(viewer: string, at: number): ExportWriter {
  let isFirstChannel = true
  let isFirstMessage = true
  return {
    begin() {
      const head = { kind: EXPORT_KIND, version: EXPORT_VERSION, exportedAt: iso(at), viewer }
      return [`${JSON.stringify(head).slice(0, -1)},"channels":[`]
    },
    channel({ channel: { cid, type, name, topic }, missingBefore }) {
      const before = isFirstChannel ? '\n' : ',\n'
      isFirstChannel = false
      isFirstMessage = true
      const head = { cid, type, name, topic, missingBefore: isoOf(missingBefore) }
      return `${before}${JSON.stringify(head).slice(0, -1)},"messages":[`
    },
    message(exported) {
      const before = isFirstMessage ? '\n  ' : ',\n  '
      isFirstMessage = false
      return before + JSON.stringify(bodyOf(exported))
    },
    endOfChannel: () => ']}',
    end: () => ']}\n',
  }
}

const isoOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const bodyOf = ({ message, author, poll, files }: Exported) => ({
  id: message.id,
  at: message.timeUnsure === true ? undefined : iso(message.createdAt),
  userId: message.userId,
  author,
  ...(message.type === 'regular' ? {} : { type: message.type }),
  text: message.text,
  parentId: message.parentId,
  quotedId: message.quoted?.id,
  editedAt: isoOf(message.editedAt),
  deletedAt: isoOf(message.deletedAt),
  pinned: message.pinned || undefined,
  pollId: message.pollId,
  poll: poll && {
    name: poll.name,
    description: poll.description === '' ? undefined : poll.description,
    closed: poll.closed || undefined,
    options: poll.options.map(({ text, votes }) => ({ text, votes })),
  },
  location: message.location && { latitude: message.location.latitude, longitude: message.location.longitude },
  attachments: someOf(files.map(attachmentOf)),
  reactions: someOf(message.reactions.map(({ type, count }) => ({ type, count }))),
})

const attachmentOf = ({ attachment, file }: Exported['files'][number]) => ({
  kind: attachment.kind,
  title: attachment.title,
  mimeType: attachment.mimeType,
  sizeBytes: attachment.sizeBytes,
  linkUrl: attachment.linkUrl,
  path: file?.path,
})

const someOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

/** One row a message, as its columns are named in the first one. Times are ISO 8601 in UTC, empty if unknown. */
const COLUMNS = {
  channel: (_exported, channel) => channel,
  at: ({ message }) => (message.timeUnsure === true ? '' : iso(message.createdAt)),
  author: ({ author }) => author,
  text: ({ message }) => message.text,
  type: ({ message }) => message.type,
  reactions: ({ message }) => message.reactions.map(({ type, count }) => `${reactionText(type)} ${count}`).join(', '),
  files: ({ files }) => files.map(nameInFile).join('\n'),
  poll: ({ poll }) =>
    poll === undefined ? '' : [poll.name, ...poll.options.map(({ text, votes }) => `${text}: ${votes}`)].join('\n'),
  location: ({ message }) => (message.location === undefined ? '' : pointText(message.location)),
  editedAt: ({ message }) => isoOf(message.editedAt) ?? '',
  deletedAt: ({ message }) => isoOf(message.deletedAt) ?? '',
  pinned: ({ message }) => (message.pinned ? '1' : ''),
  id: ({ message }) => message.id,
  parentId: ({ message }) => message.parentId ?? '',
  quotedId: ({ message }) => message.quoted?.id ?? '',
  userId: ({ message }) => message.userId,
  cid: ({ message }) => message.cid,
} as const satisfies Record<string, (exported: Exported, channel: string) => string>

const nameInFile = ({ attachment, file }: Exported['files'][number]): string =>
  file?.path ?? attachment.title ?? attachment.linkUrl ?? attachment.kind

function csvWriter(): ExportWriter {
  let name = ''
  return {
    begin: () => [CSV_BOM + csvRow(Object.keys(COLUMNS))],
    channel(heading) {
      name = heading.name
      return ''
    },
    message: (exported) => csvRow(Object.values(COLUMNS).map((column) => column(exported, name))),
    endOfChannel: () => '',
    end: () => '',
  }
}

/**
 * For reading: `2026-11-22 09:05  Ola: text`, in local time. Replies are indented, attachments follow their message by
 * name, deleted messages are omitted. An unknown time is written as question marks.
 */
function textWriter(at: number): ExportWriter {
  return {
    begin: () => [`Parlor  ${stamp(at)}\n`],
    channel: ({ channel: { name, cid, topic } }) =>
      `\n# ${[name === '' ? cid : name, topic ?? ''].filter((part) => part !== '').join('  ')}\n\n`,
    message({ message: { type, parentId, text, createdAt, timeUnsure }, author, files }) {
      if (type === 'deleted') return ''
      const indent = parentId === undefined ? '' : '    '
      const lines = text.split('\n').join(`\n${indent}    `)
      const names = files.map((each) => `${indent}    [${nameInFile(each)}]\n`)
      return `${indent}${timeUnsure === true ? UNKNOWN : stamp(createdAt)}  ${author}: ${lines}\n${names.join('')}`
    },
    endOfChannel: () => '',
    end: () => '',
  }
}

/** Replaces an unknown time, with the same width. */
const UNKNOWN = '????-??-?? ??:??'

const stamp = (at: number): string => `${dayKey(at)} ${clockKey(at)}`
