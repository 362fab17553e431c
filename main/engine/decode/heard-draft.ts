import { composerKey } from '#shared/domain/draft.ts'
import { decodeDraft, type DraftFacts } from './draft.ts'
import { asWire, idOf, type DecodeContext } from './read.ts'

/** A draft as the server sends it, with the key of its composer. */
export type HeardDraft = Omit<DraftFacts, 'createdAt'> & {
  readonly key: string
  /** Chosen by the client that wrote it; empty if the server sends none. */
  readonly id: string
  /** When it was written, epoch milliseconds of the server. */
  readonly at: number
}

export function decodeHeardDraft(value: unknown, context: DecodeContext): HeardDraft | undefined {
  const facts = decodeDraft(value, context)
  if (!facts) return undefined
  const { createdAt, ...rest } = facts
  const id = idOf(asWire(asWire(value)?.['message'])?.['id']) ?? ''
  return { ...rest, key: composerKey(facts.cid, facts.parentId), id, at: createdAt }
}
