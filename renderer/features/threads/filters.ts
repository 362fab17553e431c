import type { Message } from '#shared/domain/message.ts'
import type { ThreadFilter } from '../../store/window/views.ts'

/** Whether a thread, by its first message, belongs to what was chosen. `mine`: the viewer began it. */
export function isWanted(message: Message, filter: ThreadFilter, viewerId: string | undefined): boolean {
  switch (filter) {
    case 'unread':
      return (message.thread?.unread ?? 0) > 0
    case 'mine':
      return message.userId === viewerId
    case 'following':
      return message.thread?.following === true
    case 'all':
      return true
  }
}
