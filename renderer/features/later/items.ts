import { createSelector } from '@reduxjs/toolkit'
import type { Draft } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { reminderState } from '#shared/rules/reminders/reminders.ts'
import { selectDrafts, selectParked, selectScheduled, selectWaiting } from '../../store/composers/unsent.ts'
import { selectReminders } from '../../store/reminders.ts'
import type { LaterKind, LaterShown } from '../../store/window/views.ts'
import type { AppDispatch } from '../../store/store.ts'
import type { Command } from '../../store/command.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { continueDraft, discardDraft, reschedule } from './drafts/commands.ts'
import { takeBackItem } from '../../store/composers/unsent.ts'
import { retryItem } from '../outbox/index.ts'
import { doneReminder, openMessage, removeReminder, setReminder } from '../reminders/index.ts'

export type Scheduled = OutboxItem & { readonly sendAt: number }

/** One thing that was put aside. `id` is unique among all kinds. */
export type LaterItem = { readonly id: string } & (
  | { readonly kind: 'saved' | 'reminders' | 'done'; readonly reminder: Reminder }
  | { readonly kind: 'drafts'; readonly draft: Draft }
  | { readonly kind: 'scheduled'; readonly item: Scheduled }
  | { readonly kind: 'outbox'; readonly item: OutboxItem }
)

const kindOf = ({ doneAt, remindAt }: Reminder): 'saved' | 'reminders' | 'done' =>
  doneAt !== undefined ? 'done' : remindAt === undefined ? 'saved' : 'reminders'

/** Everything that was put aside, and what was completed lately. */
export const selectLater = createSelector(
  [selectReminders, selectDrafts, selectScheduled, selectWaiting, selectParked],
  (reminders, drafts, scheduled, waiting, parked): readonly LaterItem[] => [
    ...parked.map((item) => ({ id: `outbox ${item.id}`, kind: 'outbox' as const, item })),
    ...waiting.map((item) => ({ id: `outbox ${item.id}`, kind: 'outbox' as const, item })),
    ...reminders.map((reminder) => ({ id: `reminder ${reminder.messageId}`, kind: kindOf(reminder), reminder })),
    ...scheduled.map((item) => ({ id: `scheduled ${item.id}`, kind: 'scheduled' as const, item })),
    ...drafts.map((draft) => ({ id: `draft ${draft.key}`, kind: 'drafts' as const, draft })),
  ],
)

/** In the order in which they need the user. */
const GROUPS = ['needs', 'today', 'upcoming', 'anyTime', 'done'] as const
type GroupName = (typeof GROUPS)[number]
export type Group = { readonly name: GroupName; readonly items: readonly LaterItem[] }

/** Whether it waits for the user: it failed, or its time has come. */
export function needsUser(item: LaterItem, now: number): boolean {
  if (item.kind === 'outbox') return item.item.state === 'parked'
  return item.kind === 'reminders' && ['due', 'overdue'].includes(reminderState(item.reminder, now))
}

function groupOf(item: LaterItem, now: number): GroupName {
  if (needsUser(item, now)) return 'needs'
  const at = timeOf(item)
  if (item.kind === 'done') return 'done'
  if (item.kind === 'outbox') return 'today'
  if (at === undefined) return 'anyTime'
  return at <= now || new Date(at).toDateString() === new Date(now).toDateString() ? 'today' : 'upcoming'
}

/** When it is due; absent: at any time. */
function timeOf(item: LaterItem): number | undefined {
  if (item.kind === 'reminders') return item.reminder.remindAt
  if (item.kind === 'scheduled') return item.item.sendAt
  return item.kind === 'outbox' ? item.item.createdAt : undefined
}

/** Newest first where nothing is due. */
const rankOf = (item: LaterItem): number =>
  timeOf(item) ?? -('draft' in item ? item.draft.updatedAt : 'reminder' in item ? item.reminder.updatedAt : 0)

/** What failed comes before what is due. */
const weightOf = (item: LaterItem, now: number): number =>
  item.kind === 'outbox' && needsUser(item, now) ? 0 : item.kind === 'outbox' ? 2 : 1

/** The groups of what is shown, without empty ones. */
export function groupsOf(items: readonly LaterItem[], shown: LaterShown, now: number): readonly Group[] {
  const listed = items.filter(({ kind }) => (shown === 'all' ? kind !== 'done' : kind === shown))
  return GROUPS.map((name) => ({
    name,
    items: listed
      .filter((item) => groupOf(item, now) === name)
      .toSorted((a, b) => weightOf(a, now) - weightOf(b, now) || rankOf(a) - rankOf(b)),
  })).filter((group) => group.items.length > 0)
}

export const countOf = (items: readonly LaterItem[], kind: LaterKind | 'all'): number =>
  items.filter((item) => (kind === 'all' ? item.kind !== 'done' : item.kind === kind)).length

/** What can be done with something that was put aside; an action that it does not have is absent. */
type LaterActions = {
  readonly open: () => void
  /** Completes it, or makes it active again. Each of these resolves with whether it was carried out. */
  readonly done?: () => Promise<boolean>
  readonly sendNow?: () => Promise<boolean>
  readonly edit?: () => void
  readonly changeTime?: () => void
  readonly retry?: () => void
  /** Absent where it cannot be undone: then it is asked about first. */
  readonly remove?: () => Promise<boolean>
}

export function actionsOn(item: LaterItem, dispatch: AppDispatch): LaterActions {
  const run = async (work: Command<unknown>): Promise<boolean> => (await dispatch(work)).ok
  switch (item.kind) {
    case 'saved':
    case 'reminders':
    case 'done': {
      const { messageId } = item.reminder
      return {
        open: () => dispatch(openMessage(item.reminder)),
        // Its earlier time has passed: it is saved without one.
        done: () => run(item.kind === 'done' ? setReminder({ messageId }) : doneReminder({ messageId })),
        changeTime: () => void dispatch(dialogOpened({ kind: 'reminder', messageId })),
        remove: () => run(removeReminder({ messageId })),
      }
    }
    case 'drafts':
      return {
        open: () => dispatch(continueDraft(item.draft)),
        remove: () => run(discardDraft(item.draft)),
      }
    case 'scheduled': {
      const { id } = item.item
      const edit = (): void => void dispatch(takeBackItem({ id }))
      return { open: edit, edit, sendNow: () => run(reschedule({ id })) }
    }
    case 'outbox': {
      const { id, kind, state, retryable } = item.item
      const retry = (): void => void dispatch(retryItem({ id }))
      const edit =
        kind === 'send-message' && state !== 'inflight' ? () => void dispatch(takeBackItem({ id })) : undefined
      const canRetry = state === 'parked' && retryable
      return { open: edit ?? (canRetry ? retry : () => undefined), edit, retry: canRetry ? retry : undefined }
    }
  }
}
