import type { WireReminder } from '#shared/wire/reminders.ts'
import type { ReminderRow } from './reminder-table.ts'
import { toText } from '../time.ts'

/** The base form, as it is added to a message. See docs/wire.md 5.13. */
export function encodeReminder(row: ReminderRow): WireReminder {
  return {
    message_id: row.message_id,
    channel_cid: row.cid,
    user_id: row.user_id,
    ...(row.remind_at === null ? {} : { remind_at: toText(row.remind_at) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
