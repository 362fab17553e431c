import type { Reminder } from '#shared/domain/reminder.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import type { Thunk } from '../../store/store.ts'
import { placeOpened } from '../../store/window/ui.ts'

type One = { readonly messageId: MessageId }

export const openReminders = command('reminders/opened', (_input: void, engine) => engine.reminders.open(), {
  quiet: true,
})
export const closeReminders = command('reminders/closed', (_input: void, engine) => engine.reminders.close(), {
  quiet: true,
})

/** Sets, moves or snoozes; without a time it is saved for later. */
export const setReminder = command('reminders/set', (input: One & { readonly remindAt?: number }, engine) =>
  engine.reminders.set(input),
)
export const doneReminder = command('reminders/done', (input: One, engine) => engine.reminders.done(input))
export const removeReminder = command('reminders/removed', (input: One, engine) => engine.reminders.remove(input))

/** Opens the message in its channel or thread. */
export function openMessage({ messageId, cid }: Pick<Reminder, 'messageId' | 'cid'>): Thunk {
  return (dispatch, getState) => {
    const parentId = getState().entities.messages[messageId]?.parentId
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
}
