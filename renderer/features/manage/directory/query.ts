import { PERSON_SORTS, type PersonSort, type PersonState } from '#shared/domain/manage/directory.ts'
import type { TableSort } from '../../../ui/Table/Table.tsx'

export const PERIODS = ['day', 'week', 'month', 'notMonth', 'notQuarter'] as const
type Period = (typeof PERIODS)[number]

/** How the directory is narrowed. */
export type DirectoryFilter = {
  readonly roles: readonly string[]
  readonly teams: readonly string[]
  readonly state?: PersonState
  readonly period?: Period
}

/** How the directory was when a link on it was followed. */
export type DirectoryList = {
  readonly find: string
  readonly filter: DirectoryFilter
  readonly sort: TableSort
  /** How many people were loaded. */
  readonly count: number
}

export const NO_FILTER: DirectoryFilter = { roles: [], teams: [] }

export const isNarrowed = ({ roles, teams, state, period }: DirectoryFilter): boolean =>
  roles.length > 0 || teams.length > 0 || state !== undefined || period !== undefined

const DAY_MS = 86_400_000
const DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30, notMonth: 30, notQuarter: 90 }

/** Bounds of the time of the last activity. */
export function boundsOf(period: Period | undefined, now: number): { activeAfter?: number; activeBefore?: number } {
  if (period === undefined) return {}
  const at = now - DAYS[period] * DAY_MS
  return period === 'notMonth' || period === 'notQuarter' ? { activeBefore: at } : { activeAfter: at }
}

/** The order that a column stands for; names for all others. */
export function sortOf({ column, direction }: TableSort): { readonly by: PersonSort; readonly direction: 1 | -1 } {
  return { by: PERSON_SORTS.find((name) => name === column) ?? 'name', direction }
}
