import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../i18n/index.ts'

/** What a screen reader hears after a message's words: what hangs on it and what became of it. */
export function useRowDescription(message: Message): string {
  const t = useTexts('messages')
  const reactions = message.reactions.reduce((sum, group) => sum + group.count, 0)
  const parts = [
    message.attachments.length > 0 ? t('row.attachments', { count: message.attachments.length }) : '',
    message.pollId === undefined ? '' : t('row.poll'),
    message.editedAt === undefined ? '' : t('row.edited'),
    message.pinned ? t('row.pinned') : '',
    message.thread !== undefined && message.thread.replyCount > 0
      ? t('row.replies', { count: message.thread.replyCount })
      : '',
    reactions > 0 ? t('row.reactions', { count: reactions }) : '',
    message.status === 'failed' ? t('row.failed') : message.status === 'queued' ? t('row.queued') : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
