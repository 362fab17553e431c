import type { Reminder } from '#shared/domain/reminder.ts'
import { reminderState } from '#shared/rules/reminders/reminders.ts'

export type Tab = 'open' | 'saved' | 'done'
export const TABS: readonly Tab[] = ['open', 'saved', 'done']

type GroupName = 'overdue' | 'due' | 'today' | 'upcoming'
const GROUP_NAMES: readonly GroupName[] = ['overdue', 'due', 'today', 'upcoming']

export type Group = { readonly name: GroupName | undefined; readonly reminders: readonly Reminder[] }

export function tabOf(reminder: Reminder): Tab {
  if (reminder.doneAt !== undefined) return 'done'
  return reminder.remindAt === undefined ? 'saved' : 'open'
}

/** The groups of a tab: open reminders by due time, others as one list. Without empty groups. */
export function groupsOf(reminders: readonly Reminder[], tab: Tab, now: number): readonly Group[] {
  const listed = reminders.filter((reminder) => tabOf(reminder) === tab)
  if (tab !== 'open') return listed.length === 0 ? [] : [{ name: undefined, reminders: listed }]
  return GROUP_NAMES.map((name) => ({
    name,
    reminders: listed.filter((reminder) => groupOf(reminder, now) === name),
  })).filter((group) => group.reminders.length > 0)
}

export function groupOf(reminder: Reminder, now: number): GroupName {
  const state = reminderState(reminder, now)
  if (state === 'overdue' || state === 'due') return state
  const [at, today] = [new Date(reminder.remindAt ?? now), new Date(now)]
  return at.toDateString() === today.toDateString() ? 'today' : 'upcoming'
}
