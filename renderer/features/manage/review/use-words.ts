import type { ReviewItem, ReviewReport } from '#shared/domain/manage/review.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppStore } from '../../../store/hooks.ts'
import { selectName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { isReasonKind, splitReason } from './filters.ts'

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
