import type { Intent } from '#shared/domain/intent.ts'
import type { IntentRow, IntentInsert } from '#main/cache/rows.ts'
import type { NewIntent } from './merge.ts'

/** Converts a stored row to an intent. The payload was written by {@link newRowOf}. */
export function intentOf(row: IntentRow): Intent {
  const { threadRoot, entityId, dependsOn, reason, payload, ...rest } = row
  return {
    ...rest,
    parentId: threadRoot,
    ...(isAboutMessage(row) ? { messageId: entityId } : {}),
    dependsOn,
    reason: reason === undefined ? undefined : { code: reason.code, params: reason.params },
    retryable: reason?.retryable ?? true,
    payload,
  } as Intent
}

export function rowOf(intent: Intent): IntentRow {
  const { id, seq, cid, kind, payload, createdAt, attempts, nextAt, state, reason, retryable } = intent
  return {
    id,
    seq,
    cid,
    kind,
    payload,
    createdAt,
    attempts,
    nextAt,
    state,
    entityId: entityOf(intent),
    threadRoot: intent.parentId,
    dependsOn: intent.dependsOn,
    reason: reason && { ...reason, retryable },
  }
}

export function newRowOf(newIntent: NewIntent, id: string, now: number): IntentInsert {
  return {
    id,
    cid: newIntent.cid,
    threadRoot: newIntent.parentId,
    kind: newIntent.kind,
    entityId: entityOf(newIntent),
    dependsOn: newIntent.dependsOn,
    payload: newIntent.payload,
    createdAt: now,
    ...(newIntent.notBefore === undefined ? {} : { state: 'scheduled', nextAt: newIntent.notBefore }),
  }
}

const NOT_ABOUT_MESSAGES = ['upload', 'mark-read', 'create-draft', 'delete-draft', 'block-person', 'unblock-person']
const isAboutMessage = ({ kind }: { readonly kind: string }): boolean => !NOT_ABOUT_MESSAGES.includes(kind)

function entityOf(intent: NewIntent | Intent): string {
  if (intent.kind === 'upload') return intent.payload.uploadId
  if (intent.kind === 'block-person' || intent.kind === 'unblock-person') return intent.payload.userId
  return isAboutMessage(intent) ? (intent.messageId ?? intent.cid) : intent.cid
}
