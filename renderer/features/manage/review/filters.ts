import type { Cid, UserId } from '#shared/lib/brand.ts'

/** What narrows the queue. */
export type ReviewFilters = {
  readonly cid?: Cid
  readonly reason?: string
  readonly reporterId?: UserId
  readonly authorId?: UserId
  readonly since?: number
}

/** The kind of a report stands before the first colon; what the reporter adds, behind it. */
export function splitReason(reason: string): { readonly kind: string; readonly note: string } {
  const at = reason.indexOf(':')
  return at < 0
    ? { kind: reason.trim(), note: '' }
    : { kind: reason.slice(0, at).trim(), note: reason.slice(at + 1).trim() }
}

/** Kinds of reports that Parlor writes. */
export const REASON_KINDS = ['spam', 'insult', 'private', 'other'] as const
type ReasonKind = (typeof REASON_KINDS)[number]
export const isReasonKind = (kind: string): kind is ReasonKind => REASON_KINDS.some((each) => each === kind)
