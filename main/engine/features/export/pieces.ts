import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import type { ExportFormat } from '#shared/domain/export.ts'
import type { Placed } from '#shared/lib/order.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { ReadContext } from '../../changes/read-context.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visibleUser } from '../../changes/visible.ts'
import { jsonWriter } from './json.ts'
import { textWriter } from './text.ts'

/** A part of the file, and the number of messages in it. */
export type ExportPiece = { readonly text: string; readonly messages: number }

/** A message with the name of its author. */
export type Exported = { readonly message: Message; readonly author: string }

/** Writes one format, from its first line to its last. */
export type ExportWriter = {
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
