import { asCid, type Cid, type MessageId } from '#shared/lib/brand.ts'

/** The cid of intents that concern no channel, such as blocking a person. */
export const NO_CHANNEL: Cid = asCid('')

/** The five kinds of the contract (docs/wire.md 7.21), and ours. */
export type IntentKind =
  | 'send-message'
  | 'send-reaction'
  | 'delete-reaction'
  | 'create-draft'
  | 'delete-draft'
  | 'edit-message'
  | 'delete-message'
  | 'mark-read'
  | 'pin-message'
  | 'cast-vote'
  | 'remove-vote'
  | 'set-reminder'
  | 'delete-reminder'
  | 'block-person'
  | 'unblock-person'
  | 'moderate'
  | 'upload'

/** `done` rows do not exist: they are deleted. `scheduled`: until its time it is in no lane (ADR 13). */
export type IntentState = 'staged' | 'scheduled' | 'ready' | 'inflight' | 'waiting' | 'parked'

/** One line of the outbox panel. */
export type OutboxItem = {
  readonly id: string
  readonly kind: IntentKind
  readonly cid: Cid
  readonly messageId?: MessageId
  readonly parentId?: MessageId
  readonly state: IntentState
  /** First words of the text, the reaction's type, or a file name: identifies it to the user. */
  readonly summary: string
  readonly fileCount: number
  /** The content of a message that is not text and files. */
  readonly content?: 'poll' | 'place'
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
  readonly createdAt: number
  /** "Send later": when, in epoch milliseconds of this device. Absent once the time has come. */
  readonly sendAt?: number
}
