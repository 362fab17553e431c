import type { ReactedMessage } from '#shared/domain/search.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reacted from '#main/cache/messages/reacted.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { Core } from '../../core.ts'

/** Own messages with reactions of others, the newest reaction first, without own reactions. */
export function reactedMessages(
  core: Core,
  before = Number.MAX_SAFE_INTEGER,
  limit: number,
): readonly ReactedMessage[] {
  return core.cache.read(() => {
    const found: ReactedMessage[] = []
    for (let from = before; found.length < limit;) {
      const page = reacted.mine(core.cache.reader, from, limit)
      found.push(...page.flatMap(({ id, at }) => shown(core, id, at) ?? []))
      const last = page.at(-1)
      if (last === undefined || page.length < limit) break
      from = last.at
    }
    return found.slice(0, limit)
  })
}

function shown(core: Core, id: ReactedMessage['messageId'], at: number): ReactedMessage | undefined {
  const row = messages.byId(core.cache.reader, id)
  const message = visibleMessage(core.context, id)
  const others = row?.latestReactions.filter(({ userId }) => userId !== core.me) ?? []
  if (message === undefined || message.type === 'deleted' || others.length === 0) return undefined
  return {
    messageId: id,
    cid: message.cid,
    ...(message.parentId === undefined ? {} : { parentId: message.parentId }),
    text: message.text,
    at,
    reactions: others.map(({ type, userId, createdAt }) => ({ type, userId, createdAt })),
  }
}
