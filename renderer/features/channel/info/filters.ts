import type { MediaFilter } from '#shared/domain/channel-details.ts'

/** Periods offered as a filter; each ends now. */
export const SINCE = ['today', 'week', 'month', 'year'] as const
type Since = (typeof SINCE)[number]

/** Bytes. */
export const SIZES = [1_000_000, 10_000_000, 100_000_000] as const

/** The filters of a media tab, with the period that `from` was computed from. */
export type ActiveFilters = MediaFilter & { readonly since?: Since }

export const hasFilters = (filters: ActiveFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)

const DAYS: Readonly<Record<Since, number>> = { today: 0, week: 6, month: 29, year: 364 }

/** Local midnight at the start of a period that includes today. Epoch milliseconds. */
export const startOf = (since: Since, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[since]).getTime()
