import { createSelector } from '@reduxjs/toolkit'
import type { Reminder } from '#shared/domain/reminder.ts'
import { compareReminders, reminderState } from '#shared/rules/reminders/reminders.ts'
import type { AppState } from './store.ts'

/** All reminders of the viewer, in the order of the list. */
export const selectReminders = createSelector(
  [(state: AppState) => state.entities.reminders],
  (reminders): readonly Reminder[] => Object.values(reminders).toSorted(compareReminders),
)

/** Times of the reminders that are not done. */
export const selectReminderTimes = createSelector([selectReminders], (reminders): readonly number[] =>
  reminders.flatMap(({ doneAt, remindAt }) => (doneAt === undefined && remindAt !== undefined ? remindAt : [])),
)

/** The number beside "Reminders" in the sidebar: due and overdue ones. */
export const dueCount = (times: readonly number[], now: number): number =>
  times.filter((remindAt) => ['due', 'overdue'].includes(reminderState({ remindAt }, now))).length
