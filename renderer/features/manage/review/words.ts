import type { ReviewItem, ReviewReport, PendingDecision, ReviewDecision } from '#shared/domain/manage/review.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppStore } from '../../../store/hooks.ts'
import { selectName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'

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
const isReasonKind = (kind: string): kind is ReasonKind => REASON_KINDS.some((each) => each === kind)

/** Sentences about items of the queue. */
export function useWords() {
  const t = useTexts('review')
  const formats = useFormats()
  const now = useMinute()
  const store = useAppStore()
  const name = (userId: string | undefined): string =>
    userId === undefined ? t('deletedPerson') : selectName(store.getState(), userId)
  const kind = (text: string): string => (isReasonKind(text) ? t(`reasons.${text}`) : text)
  /** What someone reported, without their note. */
  const reasonOf = ({ reason, rule }: Pick<ReviewReport, 'reason' | 'rule'>): string =>
    reason === undefined || reason === '' ? (rule ?? t('reasons.none')) : kind(splitReason(reason).kind)
  /** The most frequent reason. */
  const mainReason = ({ reports }: ReviewItem): string => {
    const counts = new Map<string, number>()
    for (const report of reports) {
      const text = reasonOf(report)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? t('reasons.none')
  }
  const place = ({ cid, channelName, subject }: Pick<ReviewItem, 'cid' | 'channelName' | 'subject'>): string => {
    if (subject === 'person') return t('person')
    const title = channelName ?? (cid === undefined ? '' : channelTitle(store.getState(), cid))
    return title === '' ? t('head.elsewhere') : `#${title}`
  }
  const why = (item: ReviewItem): string => {
    const count = item.reports.filter(({ byId }) => byId !== undefined).length
    return count === 0 ? mainReason(item) : t('reportsCount', { count, reason: mainReason(item) })
  }
  return {
    name,
    kind,
    reasonOf,
    mainReason,
    place,
    why,
    time: (at: number): string => formats.listTime(at, now),
    clock: (at: number): string => formats.time(at),
    day: (at: number): string => formats.dayAndTime(at),
  }
}

/** Caught by a rule and reported by no one. */
export const isCaught = ({ reports }: ReviewItem): boolean => reports.every(({ byId }) => byId === undefined)

const ACTIONS = [
  'approve',
  'delete',
  'restore',
  'ban',
  'unban',
  'reopen',
  'other',
] as const satisfies readonly ReviewDecision['action'][]

/** Why a decision was not applied: who was first, or the refusal of the server. */
export function useRefusedText(): (decision: PendingDecision) => string {
  const t = useTexts('review')
  const errorText = useErrorText()
  const words = useWords()
  return ({ reason }) => {
    const { by, at, action } = reason?.params ?? {}
    if (reason?.code === 'review/decided' && typeof by === 'string' && typeof at === 'number') {
      const what = ACTIONS.find((each) => each === action) ?? 'other'
      return t(`refused.by.${what}`, { name: by, time: words.clock(at) })
    }
    return t('refused.why', { reason: errorText(reason ?? { code: 'outbox/refused' }) })
  }
}
