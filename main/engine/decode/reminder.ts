import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { ReminderRow } from '#main/cache/rows.ts'
import { asWire, idOf, timeOf, type DecodeContext } from './read.ts'

/** See docs/wire.md 5.13. Reminders of other users are dropped. */
export function decodeReminder(value: unknown, context: DecodeContext): ReminderRow | undefined {
  const wire = asWire(value)
  const messageId = idOf(wire?.['message_id'])
  const cid = idOf(wire?.['channel_cid'])
  if (!wire || messageId === undefined || cid === undefined) {
    context.dropped?.('reminder')
    return undefined
  }
  if ((idOf(wire['user_id']) ?? context.viewerId) !== context.viewerId) return undefined
  const createdAt = timeOf(wire['created_at']) ?? context.asOf
  const updatedAt = timeOf(wire['updated_at']) ?? createdAt
  return {
    messageId: asMessageId(messageId),
    cid: asCid(cid),
    remindAt: timeOf(wire['remind_at']),
    createdAt,
    updatedAt,
    // A response is at least as new as the last change of the reminder.
    asOf: Math.max(context.asOf, updatedAt),
  }
}
