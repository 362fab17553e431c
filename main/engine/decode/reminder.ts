import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { ReminderRow } from '#main/cache/rows.ts'
import { asWire, idOf, timeOf, type DecodeContext } from './read.ts'

/** See docs/wire.md 5.13. Someone else's is none of ours. */
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
    // An answer stands at least for the moment the reminder was changed.
    asOf: Math.max(context.asOf, updatedAt),
  }
}
