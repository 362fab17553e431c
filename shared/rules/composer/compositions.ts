import type { MessageId } from '#shared/lib/brand.ts'

/** Text and attachments of a composer that would be sent. */
export type Composition = {
  readonly text: string
  readonly caret: number
  /** End of the selection, which begins at the caret. */
  readonly selectedTo?: number
  readonly quotedId?: MessageId
  readonly uploadIds: readonly string[]
  readonly showInChannel: boolean
}

/** A stored composition, whose absent fields may be explicitly `undefined`. */
type StoredComposition = Omit<Composition, 'quotedId' | 'selectedTo'> & {
  readonly quotedId?: MessageId
  readonly selectedTo?: number
}

export const EMPTY_COMPOSITION: Composition = { text: '', caret: 0, uploadIds: [], showInChannel: false }

/**
 * Merges two compositions into one composer: the first text, a blank line, the second; each file once; the later quote.
 */
export function mergeCompositions(first: StoredComposition, second: StoredComposition): Composition {
  const text = [first.text, second.text].filter((each) => each.trim() !== '').join('\n\n')
  const quotedId = second.quotedId ?? first.quotedId
  const selectedTo = text === second.text ? second.selectedTo : undefined
  return {
    text,
    caret: text === second.text ? second.caret : text.length,
    selectedTo,
    uploadIds: [...new Set([...first.uploadIds, ...second.uploadIds])],
    showInChannel: first.showInChannel || second.showInChannel,
    quotedId,
  }
}
