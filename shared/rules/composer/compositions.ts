import type { MessageId } from '#shared/lib/brand.ts'

/** What stands in a composer and would be sent. */
export type Composition = {
  readonly text: string
  readonly caret: number
  /** Where what is selected ends; it begins at the caret. */
  readonly selectedTo?: number
  readonly quotedId?: MessageId
  readonly uploadIds: readonly string[]
  readonly showInChannel: boolean
}

/** A stored one, where what is absent may be spelled out. */
type Kept = Omit<Composition, 'quotedId' | 'selectedTo'> & {
  readonly quotedId?: MessageId | undefined
  readonly selectedTo?: number | undefined
}

export const EMPTY_COMPOSITION: Composition = { text: '', caret: 0, uploadIds: [], showInChannel: false }

/** Two compositions in one composer: the first text stays first, a blank line between; each file once; one quote. */
export function mergeCompositions(first: Kept, second: Kept): Composition {
  const text = [first.text, second.text].filter((each) => each.trim() !== '').join('\n\n')
  const quotedId = second.quotedId ?? first.quotedId
  const selectedTo = text === second.text ? second.selectedTo : undefined
  return {
    text,
    caret: text === second.text ? second.caret : text.length,
    ...(selectedTo === undefined ? {} : { selectedTo }),
    uploadIds: [...new Set([...first.uploadIds, ...second.uploadIds])],
    showInChannel: first.showInChannel || second.showInChannel,
    ...(quotedId === undefined ? {} : { quotedId }),
  }
}
