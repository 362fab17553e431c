import type { Reminder } from '#shared/domain/reminder.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleReminder } from '../../changes/visible-reminder.ts'
import type { ReadContext } from '../../changes/read-context.ts'
import { visibleChannel, visibleUser } from '../../changes/visible.ts'

/** A reminder with the texts of a system notification; they are empty if the message is not cached. */
export type AboutReminder = {
  readonly reminder: Reminder
  readonly parentId: MessageId | undefined
  readonly author: string
  /** Name of the channel; empty in a direct conversation. */
  readonly place: string
  readonly text: string
}

export function aboutReminder(context: ReadContext, messageId: MessageId): AboutReminder | undefined {
  const reminder = visibleReminder(context, messageId)
  if (!reminder) return undefined
  const message = visibleMessage(context, messageId)
  const channel = visibleChannel(context, reminder.cid)
  const author = message && visibleUser(context, message.userId)
  return {
    reminder,
    parentId: message?.parentId,
    author: author?.name ?? message?.userId ?? '',
    place: channel && channel.directUserIds.length === 0 ? channel.name : '',
    text: message?.text ?? '',
  }
}
