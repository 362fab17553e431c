import type { Reminder } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { command } from '../../store/command.ts'
import { selectSession } from '../../store/selectors.ts'
import type { AppState, Thunk } from '../../store/store.ts'
import { UNDO_MS, type Undoable } from '../../store/window/recent.ts'
import { placeOpened } from '../../store/window/ui.ts'

type One = { readonly messageId: MessageId }

export const openReminders = command('reminders/opened', (_input: void, engine) => engine.reminders.open(), {
  quiet: true,
})
export const closeReminders = command('reminders/closed', (_input: void, engine) => engine.reminders.close(), {
  quiet: true,
})

/** Sets, moves or snoozes; without a time it is saved for later. */
export const setReminder = command(
  'reminders/set',
  (input: One & { readonly remindAt?: number }, engine) => engine.reminders.set(input),
  {
    undo: ({ messageId, remindAt }, before) =>
      reminderUndo(remindAt === undefined ? 'reminder/saved' : 'reminder/set', messageId, before),
  },
)
export const doneReminder = command('reminders/done', (input: One, engine) => engine.reminders.done(input), {
  undo: ({ messageId }, before) => reminderUndo('reminder/done', messageId, before, UNDO_MS),
})
export const removeReminder = command('reminders/removed', (input: One, engine) => engine.reminders.remove(input), {
  undo: ({ messageId }, before) => reminderUndo('reminder/removed', messageId, before, UNDO_MS),
})

/** The reminder as it was: at its time, without one, completed, or none. */
function reminderUndo(code: string, messageId: MessageId, before: AppState, noticeMs?: number): Undoable {
  const was = before.entities.reminders[messageId]
  const text = excerpt(before.entities.messages[messageId]?.text ?? '', 80)
  return {
    code: text === '' ? `${code}-other` : code,
    params: { text },
    noticeMs,
    undo: async ({ engine }) => {
      if (was === undefined) return engine.reminders.remove({ messageId })
      await engine.reminders.set({ messageId, ...(was.remindAt === undefined ? {} : { remindAt: was.remindAt }) })
      if (was.doneAt !== undefined) await engine.reminders.done({ messageId })
    },
  }
}

/** The text becomes a note to self, with a reminder of it. Errors are shown in the dialog. */
export const createReminder = command(
  'reminders/created',
  async ({ text, remindAt }: { readonly text: string; readonly remindAt?: number }, engine, state) => {
    const { userId } = selectSession(state)
    if (userId === undefined) throw new AppError('session/signed-out')
    const cid = await engine.channels.direct({ userIds: [userId] })
    const messageId = await engine.messages.send({ cid, text, keepsDraft: true, silent: true })
    await engine.reminders.set({ messageId, ...(remindAt === undefined ? {} : { remindAt }) })
  },
  { quiet: true },
)

/** Opens the message in its channel or thread. */
export function openMessage({ messageId, cid }: Pick<Reminder, 'messageId' | 'cid'>): Thunk {
  return (dispatch, getState) => {
    const parentId = getState().entities.messages[messageId]?.parentId
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
}
