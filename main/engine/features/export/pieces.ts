import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import { type ExportFormat, EXPORT_KIND, EXPORT_VERSION } from '#shared/domain/export.ts'
import type { Placed } from '#shared/lib/order.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visibleUser } from '../../changes/visible.ts'

/** A part of the file, and the number of messages in it. */
export type ExportPiece = { readonly text: string; readonly messages: number }

/** A message with the name of its author. */
type Exported = { readonly message: Message; readonly author: string }

/** Writes one format, from its first line to its last. */
type ExportWriter = {
  begin(): string
  channel(channel: Channel): string
  message(exported: Exported): string
  endOfChannel(): string
  end(): string
}

/** What to export and in which format; `at` is written into the file (epoch milliseconds). */
export type ExportOrder = {
  readonly cid?: Cid
  /** Only these of the channel. */
  readonly messageIds?: readonly MessageId[]
  readonly format: ExportFormat
  readonly at: number
}

/** Messages read and written at a time, within one turn of the event loop. */
const PAGE = 200

/**
 * The cached messages of a channel, or of all, in the order they were written, including replies; as parts of a file, so
 * that it is never completely in memory. Makes no requests, and omits unsent messages.
 */
export function* exportPieces(
  context: ReadContext,
  { cid, messageIds, format, at }: ExportOrder,
): Generator<ExportPiece> {
  const writer = format === 'json' ? jsonWriter(context.me, at) : textWriter(at)
  yield { text: writer.begin(), messages: 0 }
  const wanted = messageIds === undefined ? undefined : new Set<string>(messageIds)
  const cids = cid === undefined ? channels.all(context.cache).map((row) => row.cid) : [cid]
  for (const each of cids) {
    const channel = visibleChannel(context, each)
    if (!channel) continue
    yield { text: writer.channel(channel), messages: 0 }
    for (const page of pagesOf(context, each)) {
      const found = page.flatMap(({ id }) => (wanted?.has(id) === false ? [] : exportedOf(context, id)))
      yield { text: found.map((one) => writer.message(one)).join(''), messages: found.length }
    }
    yield { text: writer.endOfChannel(), messages: 0 }
  }
  yield { text: writer.end(), messages: 0 }
}

function exportedOf(context: ReadContext, id: string): Exported[] {
  const message = visibleMessage(context, id as MessageId)
  if (!message || message.type === 'ephemeral' || message.type === 'error') return []
  return [{ message, author: visibleUser(context, message.userId)?.name ?? message.userId }]
}

/** Keys of the timeline and of replies outside it, merged by time. */
function* pagesOf({ cache }: ReadContext, cid: Cid): Generator<readonly Placed[]> {
  const timeline = keysAfter((at) => pages.after(cache, `timeline:${cid}`, at, PAGE))
  const beside = keysAfter((at) => pages.besideAfter(cache, cid, at, PAGE))
  let [a, b] = [timeline.next(), beside.next()]
  let page: Placed[] = []
  while (a.done !== true || b.done !== true) {
    if (b.done === true || (a.done !== true && isBefore(a.value, b.value))) {
      if (a.done !== true) page.push(a.value)
      a = timeline.next()
    } else {
      page.push(b.value)
      b = beside.next()
    }
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  yield page
}

const isBefore = (a: Placed, b: Placed): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)

function* keysAfter(read: (at: Placed) => readonly Placed[]): Generator<Placed, undefined> {
  let at: Placed | undefined = pages.BEGINNING
  while (at !== undefined) {
    const keys = read(at)
    yield* keys
    at = keys.length < PAGE ? undefined : keys.at(-1)
  }
  return undefined
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
      return `${JSON.stringify(head).slice(0, -1)},"channels":[`
    },
    channel({ cid, type, name, topic }) {
      const before = isFirstChannel ? '\n' : ',\n'
      isFirstChannel = false
      isFirstMessage = true
      return `${before}${JSON.stringify({ cid, type, name, topic }).slice(0, -1)},"messages":[`
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

const iso = (at: number): string => new Date(at).toISOString()
const isoOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const bodyOf = ({ message, author }: Exported) => ({
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
  location: message.location && { latitude: message.location.latitude, longitude: message.location.longitude },
  attachments: someOf(message.attachments.map(attachmentOf)),
  reactions: someOf(message.reactions.map(({ type, count }) => ({ type, count }))),
})

const attachmentOf = ({ kind, title, mimeType, sizeBytes, linkUrl }: Message['attachments'][number]) => ({
  kind,
  title,
  mimeType,
  sizeBytes,
  linkUrl,
})

const someOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

/**
 * For reading: `2026-11-22 09:05  Ola: text`, in local time. Replies are indented, attachments follow their message by
 * name, deleted messages are omitted. An unknown time is written as question marks.
 */
function textWriter(at: number): ExportWriter {
  return {
    begin: () => `Parlor  ${stamp(at)}\n`,
    channel: ({ name, cid, topic }) =>
      `\n# ${[name === '' ? cid : name, topic ?? ''].filter((part) => part !== '').join('  ')}\n\n`,
    message({ message: { type, parentId, text, createdAt, timeUnsure, attachments }, author }) {
      if (type === 'deleted') return ''
      const indent = parentId === undefined ? '' : '    '
      const lines = text.split('\n').join(`\n${indent}    `)
      const files = attachments.map(({ title, linkUrl, kind }) => `${indent}    [${title ?? linkUrl ?? kind}]\n`)
      return `${indent}${timeUnsure === true ? UNKNOWN : stamp(createdAt)}  ${author}: ${lines}\n${files.join('')}`
    },
    endOfChannel: () => '',
    end: () => '',
  }
}

/** Replaces an unknown time, with the same width. */
const UNKNOWN = '????-??-?? ??:??'

function stamp(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
