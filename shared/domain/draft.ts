import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Upload } from './attachment.ts'
import type { PollForm } from './poll.ts'

/** A message being edited: its new text, and the original. */
export type DraftEdit = {
  readonly messageId: MessageId
  readonly text: string
  readonly original: string
  /** Attachments to remove, by their `index`. */
  readonly dropped?: readonly number[]
  /** Those of them whose files are also deleted on the server. */
  readonly erased?: readonly number[]
}

/** Polls being edited in a channel: a new one, or the form of one that was withdrawn, by its item's id. */
export type PollForms = Readonly<Record<string, PollForm>>
export const NEW_POLL = 'new'

/** The unsent content of a composer. One per channel and one per thread; key is {@link composerKey}. */
export type Draft = {
  readonly key: string
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  readonly quotedId?: MessageId
  readonly uploads: readonly Upload[]
  readonly caret: number
  /** End of the selection; it begins at the caret. Absent: nothing is selected. */
  readonly selectedTo?: number
  readonly showInChannel: boolean
  readonly updatedAt: number
  readonly polls?: PollForms
  /** A message being edited in this composer. The draft's own text is restored afterwards. */
  readonly edit?: DraftEdit
  /**
   * Text written on this device that was overwritten by newer text from another (only with `syncDrafts`). Offered until
   * the user restores or dismisses it (`drafts.dismissConflict`).
   */
  readonly conflict?: { readonly text: string; readonly writtenAt: number }
}

/** An earlier text of a composer. */
export type DraftVersion = {
  readonly id: number
  readonly key: string
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  /** When it was last changed, epoch milliseconds. */
  readonly at: number
}

/** Key of a composer: the cid, with the parent id after a slash in a thread. */
export const composerKey = (cid: Cid, parentId?: MessageId): string =>
  parentId === undefined ? cid : `${cid}/${parentId}`
