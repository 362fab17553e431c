import type { AppDispatch } from '../../store/store.ts'
import type { Command } from '../../store/command.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { continueDraft, discardDraft, reschedule } from './drafts/commands.ts'
import { retryItem, takeBackItem } from '../outbox/index.ts'
import { doneReminder, openMessage, removeReminder, setReminder } from '../reminders/index.ts'
import type { LaterItem } from './items.ts'

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
