import { useState } from 'react'
import type { DryRunSummary, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { isNightHour, isNightIn } from '#shared/rules/people/local-time.ts'
import { fieldsOf, momentOf, type Fields } from '../../../../lib/time/moments.ts'
import { useMinute } from '../../../../lib/time/clocks.ts'

/** When a campaign is to start and to end, as it is being chosen. */
export type StartChoice = {
  readonly when: 'now' | 'later'
  readonly start: Fields
  readonly ends: boolean
  readonly end: Fields
}

const NO_MOMENT: Fields = { date: '', time: '' }

const choiceOf = ({ scheduledFor, stopAt }: ListedCampaign): StartChoice => ({
  when: scheduledFor === undefined ? 'now' : 'later',
  start: scheduledFor === undefined ? NO_MOMENT : fieldsOf(scheduledFor),
  ends: stopAt !== undefined,
  end: stopAt === undefined ? NO_MOMENT : fieldsOf(stopAt),
})

/** Stays while the list is looked at again: the list shows what time it is for each person then. */
export function useStartChoice(campaign: ListedCampaign) {
  const [choice, setChoice] = useState(() => choiceOf(campaign))
  const now = useMinute()
  const { when, start } = choice
  /** The moment that was chosen; this minute as long as none is. Everyone gets the message then. */
  const at = (when === 'later' ? momentOf(start.date, start.time) : undefined) ?? now
  return { choice, at, change: (to: Partial<StartChoice>) => setChoice((before) => ({ ...before, ...to })) }
}

/** For how many of those who get it, and whose time zone is known, it is night; and whether it is here. */
export function nightAt({ zones }: DryRunSummary, at: number): { readonly people: number; readonly here: boolean } {
  const people = Object.entries(zones).reduce((sum, [zone, count]) => sum + (isNightIn(zone, at) ? count : 0), 0)
  return { people, here: isNightHour(new Date(at).getHours()) }
}

/** How many of those who get it have no time zone that is known. */
export const withoutZone = ({ zones, people }: DryRunSummary): number =>
  people - Object.values(zones).reduce((sum, count) => sum + count, 0)
