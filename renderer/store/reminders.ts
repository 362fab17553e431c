import { createSelector } from '@reduxjs/toolkit'
import type { Reminder } from '#shared/domain/message.ts'
import { compareReminders, reminderState, refreshInMs } from '#shared/rules/reminders/reminders.ts'
import type { AppState } from './store.ts'
import { useCallback, useSyncExternalStore } from 'react'

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

/**
 * One timer for everything on screen that shows the time until a reminder. It fires when the next of these labels changes
 * and does not run while the page is hidden.
 */
const watched = new Map<symbol, { readonly times: readonly number[]; readonly notify: () => void }>()
let timer: ReturnType<typeof setTimeout> | undefined
let now = Date.now()

/** Longest delay of a browser timer: 2^31 - 1 ms. */
const LONGEST_MS = 2 ** 31 - 1

function plan(): void {
  clearTimeout(timer)
  timer = undefined
  if (document.visibilityState === 'hidden') return
  const waits = [...watched.values()].flatMap(({ times }) => times.flatMap((at) => refreshInMs(at, now) ?? []))
  if (waits.length > 0) timer = setTimeout(turn, Math.min(LONGEST_MS, Math.max(1, Math.min(...waits))))
}

function turn(): void {
  now = Date.now()
  for (const { notify } of watched.values()) notify()
  plan()
}

function onVisibility(): void {
  if (document.visibilityState === 'hidden') plan()
  else turn()
}

function watch(times: readonly number[], notify: () => void): () => void {
  const key = Symbol('reminder clock')
  if (watched.size === 0) {
    now = Date.now()
    document.addEventListener('visibilitychange', onVisibility)
  }
  watched.set(key, { times, notify })
  plan()
  return () => {
    watched.delete(key)
    if (watched.size === 0) document.removeEventListener('visibilitychange', onVisibility)
    plan()
  }
}

/** The clock stops without subscribers, so the first read updates it. */
function read(): number {
  if (watched.size === 0 && Date.now() - now >= 1_000) now = Date.now()
  return now
}

/** The current time, updated whenever the label of one of these times changes. Epoch milliseconds. */
export function useReminderClock(times: readonly (number | undefined)[]): number {
  const key = times.filter((at) => at !== undefined).join(' ')
  const subscribe = useCallback(
    (notify: () => void) => watch(key === '' ? [] : key.split(' ').map(Number), notify),
    [key],
  )
  return useSyncExternalStore(subscribe, read)
}
