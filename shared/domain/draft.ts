import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Upload } from './attachment.ts'
import type { PollForm } from './poll.ts'

/** A message being changed: what its words are to be, and what they were. */
export type DraftEdit = {
  readonly messageId: MessageId
  readonly text: string
  readonly original: string
  /** Attachments that are to go, by their `index`. */
  readonly dropped?: readonly number[] | undefined
  /** Those of them whose files are to be deleted on the server too. */
  readonly erased?: readonly number[] | undefined
}

/** Polls begun in a channel and not made yet: a new one, or the changed form of one that was taken back, by its item's id. */
export type PollForms = Readonly<Record<string, PollForm>>
export const NEW_POLL = 'new'

/** What stands in a composer, unsent. One per channel and one per thread; key is {@link composerKey}. */
export type Draft = {
  readonly key: string
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  readonly quotedId?: MessageId
  readonly uploads: readonly Upload[]
  readonly caret: number
  /** Where what is selected ends; it begins at the caret. Absent: nothing is selected. */
  readonly selectedTo?: number
  readonly showInChannel: boolean
  readonly updatedAt: number
  readonly polls?: PollForms
  /** A message being edited here: what its words are to be, and what they were. The draft's own text waits meanwhile. */
  readonly edit?: DraftEdit
  /**
   * Words written on this computer that gave way to newer ones from another (only with `syncDrafts`). To be offered until
   * the person takes them over or lets go of them (`drafts.dismissConflict`).
   */
  readonly conflict?: { readonly text: string; readonly writtenAt: number }
}

/** Words that stood in a composer within the last days. */
export type DraftVersion = {
  readonly id: number
  readonly key: string
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  /** When they were last written, epoch milliseconds. */
  readonly at: number
}

/** The place a composer writes to: the cid, with the parent id after a slash in a thread. */
export const composerKey = (cid: Cid, parentId?: MessageId): string =>
  parentId === undefined ? cid : `${cid}/${parentId}`
