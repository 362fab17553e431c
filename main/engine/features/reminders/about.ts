import type { Reminder } from '#shared/domain/reminder.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleReminder } from '../../changes/visible-reminder.ts'
import type { Sight } from '../../changes/sight.ts'
import { visibleChannel, visibleUser } from '../../changes/visible.ts'

/** A reminder with the words a system notification needs; words are empty while the message is not on this computer. */
export type AboutReminder = {
  readonly reminder: Reminder
  readonly parentId: MessageId | undefined
  readonly author: string
  /** Name of the channel; empty in a direct conversation. */
  readonly place: string
  readonly text: string
}

export function aboutReminder(sight: Sight, messageId: MessageId): AboutReminder | undefined {
  const reminder = visibleReminder(sight, messageId)
  if (!reminder) return undefined
  const message = visibleMessage(sight, messageId)
  const channel = visibleChannel(sight, reminder.cid)
  const author = message && visibleUser(sight, message.userId)
  return {
    reminder,
    parentId: message?.parentId,
    author: author?.name ?? message?.userId ?? '',
    place: channel && channel.directUserIds.length === 0 ? channel.name : '',
    text: message?.text ?? '',
  }
}
