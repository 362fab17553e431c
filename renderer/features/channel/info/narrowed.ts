import type { MediaFilter } from '#shared/domain/channel-details.ts'

/** Stretches of time that people ask for; each goes on to now. */
export const SINCE = ['today', 'week', 'month', 'year'] as const
type Since = (typeof SINCE)[number]

/** Bytes. */
export const SIZES = [1_000_000, 10_000_000, 100_000_000] as const

/** What a shelf is narrowed to, with the word its beginning was chosen by. */
export type Narrowed = MediaFilter & { readonly since?: Since | undefined }

export const isNarrowed = (narrowed: Narrowed): boolean => Object.values(narrowed).some((value) => value !== undefined)

const DAYS: Readonly<Record<Since, number>> = { today: 0, week: 6, month: 29, year: 364 }

/** The beginning of a day of this computer's; epoch milliseconds. Today is the first of its days. */
export const startOf = (since: Since, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[since]).getTime()
