import { asCid, type Cid, type MessageId } from '#shared/lib/brand.ts'

/** The place of what concerns no channel: that someone is blocked. */
export const NO_CHANNEL: Cid = asCid('')

/** The five kinds of the behaviour spec and those. */
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
  | 'upload'

/**
 * `done` rows do not exist: they are deleted. `scheduled`: not before a time someone chose;
 * until then it stands in no lane (ADR 13).
 */
export type IntentState = 'staged' | 'scheduled' | 'ready' | 'inflight' | 'waiting' | 'parked'

/** One line of the outbox panel. */
export type OutboxItem = {
  readonly id: string
  readonly kind: IntentKind
  readonly cid: Cid
  readonly messageId?: MessageId
  readonly parentId?: MessageId
  readonly state: IntentState
  /** First words of the text, the reaction's type, or a file name: what a person recognises it by. */
  readonly summary: string
  readonly fileCount: number
  /** What a message is, where it is not words and files. */
  readonly content?: 'poll' | 'place'
  readonly reason?: { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }
  readonly retryable: boolean
  readonly createdAt: number
  /** "Send later": when, in epoch milliseconds of this computer. Absent once the time has come. */
  readonly sendAt?: number
}
