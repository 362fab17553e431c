import { composerKey } from '#shared/domain/draft.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { asWire, flagOf, idOf, textOf, timeOf, type DecodeContext } from './read.ts'

/** A draft that the server stores for the viewer. Local drafts win unless they are older. */
export type DraftFacts = {
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  readonly quotedId?: MessageId
  readonly showInChannel: boolean
  readonly createdAt: number
}

/** See docs/wire.md 5.11. */
export function decodeDraft(value: unknown, context: DecodeContext): DraftFacts | undefined {
  const wire = asWire(value)
  const message = asWire(wire?.['message'])
  const cid = idOf(wire?.['channel_cid'])
  if (!wire || !message || cid === undefined) {
    context.dropped?.('draft')
    return undefined
  }
  const parentId = idOf(wire['parent_id']) ?? idOf(message['parent_id'])
  const quotedId = idOf(message['quoted_message_id']) ?? idOf(asWire(wire['quoted_message'])?.['id'])
  return {
    cid: asCid(cid),
    parentId: parentId === undefined ? undefined : asMessageId(parentId),
    text: textOf(message['text'], 100_000) ?? '',
    quotedId: quotedId === undefined ? undefined : asMessageId(quotedId),
    showInChannel: flagOf(message['show_in_channel']) ?? false,
    createdAt: timeOf(wire['created_at']) ?? context.asOf,
  }
}

/** A draft as the server sends it, with the key of its composer. */
export type ServerDraft = Omit<DraftFacts, 'createdAt'> & {
  readonly key: string
  /** Chosen by the client that wrote it; empty if the server sends none. */
  readonly id: string
  /** When it was written, epoch milliseconds of the server. */
  readonly at: number
}

export function decodeServerDraft(value: unknown, context: DecodeContext): ServerDraft | undefined {
  const facts = decodeDraft(value, context)
  if (!facts) return undefined
  const { createdAt, ...rest } = facts
  const id = idOf(asWire(asWire(value)?.['message'])?.['id']) ?? ''
  return { ...rest, key: composerKey(facts.cid, facts.parentId), id, at: createdAt }
}
