import { endpoint, type None, type CursorBody, type CursorReply } from './endpoint.ts'
import type { Maybe, WireChannel, WireMessage, WireUser } from './objects.ts'

/** See docs/wire.md 5.13. */
export type WireReminder = {
  message_id: string
  channel_cid: string
  user_id: string
  /** Absent: saved for later, without a time. */
  remind_at?: Maybe<string>
  created_at: string
  updated_at: string
  user?: Maybe<WireUser>
  message?: Maybe<WireMessage>
  channel?: Maybe<WireChannel>
}

/** See docs/wire.md 3.8. The object is at the top level too: some clients read it there. */
type ReminderReply = { reminder: WireReminder } & WireReminder

export const createReminder = endpoint('POST', '/messages/:id/reminders', 'CreateReminder')<
  None,
  { remind_at?: string | null },
  ReminderReply
>()
export const updateReminder = endpoint('PATCH', '/messages/:id/reminders', 'UpdateReminder')<
  None,
  { remind_at?: string | null },
  ReminderReply
>()
export const deleteReminder = endpoint('DELETE', '/messages/:id/reminders', 'DeleteReminder')<None, None, object>()
export const queryReminders = endpoint('POST', '/reminders/query', 'QueryReminders')<
  None,
  CursorBody,
  { reminders: readonly WireReminder[] } & CursorReply
>()
