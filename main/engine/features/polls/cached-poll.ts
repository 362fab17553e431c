import { AppError } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import type { PollRow } from '#main/cache/rows.ts'
import * as polls from '#main/cache/messages/polls.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { Core } from '../../core.ts'

/** The cached poll of a message. Throws `message/gone`. */
export function cachedPoll(core: Pick<Core, 'cache' | 'context'>, messageId: MessageId): PollRow {
  const message = visibleMessage(core.context, messageId)
  const poll = message?.pollId === undefined ? undefined : polls.byId(core.cache.reader, message.pollId)
  if (message === undefined || message.type === 'deleted' || poll === undefined) throw new AppError('message/gone')
  return poll
}
