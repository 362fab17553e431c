import { createSelector } from '@reduxjs/toolkit'
import type { Reminder } from '#shared/domain/reminder.ts'
import { compareReminders, reminderState } from '#shared/rules/reminders/reminders.ts'
import type { AppState } from './store.ts'

/** All reminders of the viewer, in the order of the list. */
export const selectReminders = createSelector(
  [(state: AppState) => state.entities.reminders],
  (reminders): readonly Reminder[] => Object.values(reminders).toSorted(compareReminders),
)

/** Moments of those that are still open. */
export const selectReminderTimes = createSelector([selectReminders], (reminders): readonly number[] =>
  reminders.flatMap(({ doneAt, remindAt }) => (doneAt === undefined && remindAt !== undefined ? remindAt : [])),
)

/** The words beside "Reminders" in the sidebar count these. */
export const dueCount = (times: readonly number[], now: number): number =>
  times.filter((remindAt) => ['due', 'overdue'].includes(reminderState({ remindAt }, now))).length
