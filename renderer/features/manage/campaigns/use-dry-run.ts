import { useCallback, useEffect, useRef, useState } from 'react'
import type { CampaignContent, DryRunSummary, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { isNightHour, isNightIn } from '#shared/rules/people/local-time.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { fieldsOf, momentOf, type Fields } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { dryRunStep, endDryRun } from './commands.ts'
import { isSameContent, sentContent } from './use-drafts.ts'

/** The same object as long as it says the same: what is loaded again begins nothing anew. */
export function useSameContent(content: CampaignContent): CampaignContent {
  const [kept, setKept] = useState(content)
  if (kept === content || isSameContent(kept, content)) return kept
  setKept(content)
  return content
}

export type DryRun = {
  /** What it is about: after a change of it the result is old. */
  readonly of: CampaignContent
  readonly running: boolean
  readonly checked: number
  readonly run?: string
  readonly summary?: DryRunSummary
  readonly error?: ErrorBody
}

/** The page that asked is gone. */
const LEFT = -1

/** One dry run at a time, in steps; the next one, or leaving the page, ends it, and its people are let go. */
export function useDryRun(): {
  readonly dryRun: DryRun | undefined
  readonly begin: (
    content: CampaignContent,
    campaign?: { readonly id: string; readonly version: string },
  ) => Promise<void>
} {
  const dispatch = useAppDispatch()
  const [dryRun, setDryRun] = useState<DryRun>()
  const current = useRef(0)
  const held = useRef<string>(undefined)
  useEffect(
    () => () => {
      current.current = LEFT
      if (held.current !== undefined) void dispatch(endDryRun({ run: held.current }))
    },
    [dispatch],
  )
  const begin = useCallback(
    async (of: CampaignContent, campaign?: { readonly id: string; readonly version: string }): Promise<void> => {
      const mine = (current.current += 1)
      const content = sentContent(of)
      setDryRun((before) => ({ of, running: true, checked: 0, run: before?.run, summary: before?.summary }))
      let run: string | undefined
      for (;;) {
        const step = await dispatch(dryRunStep({ content, campaign, run }))
        if (mine !== current.current) {
          if (step.ok && current.current === LEFT) void dispatch(endDryRun({ run: step.value.run }))
          return
        }
        if (!step.ok) {
          setDryRun({ of, running: false, checked: 0, error: step.error })
          return
        }
        const { summary, checked } = step.value
        run = step.value.run
        held.current = run
        if (summary !== undefined) {
          setDryRun({ of, running: false, checked, run, summary })
          return
        }
        setDryRun((before) => ({ of, running: true, checked, summary: before?.summary }))
      }
    },
    [dispatch],
  )
  return { dryRun, begin }
}

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
