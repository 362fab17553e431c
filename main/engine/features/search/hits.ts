import type { SearchHit } from '#shared/domain/search.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { partsOf } from '#shared/rules/search/search-excerpt.ts'
import { fieldsOf, matches, type Sought } from '#shared/rules/search/search-match.ts'
import { searchableOf } from '#main/cache/search/query.ts'
import type { ReadContext } from '../../changes/read-context.ts'
import { visibleMessage } from '../../changes/visible-message.ts'

/**
 * A found message as the viewer sees it now; `undefined` if it was deleted meanwhile, here or by an unsent intent, or if
 * the index is outdated.
 */
export function hitOf(context: ReadContext, id: string, sought: Sought): SearchHit | undefined {
  const message = visibleMessage(context, asMessageId(id))
  const fact = searchableOf(context.cache, id)
  if (!message || !fact || message.type === 'deleted' || !matches(fact.message, fact.poll, sought)) return undefined
  const shown = { ...fact.message, text: message.text }
  return {
    messageId: message.id,
    cid: message.cid,
    userId: message.userId,
    ...(message.parentId === undefined ? {} : { parentId: message.parentId }),
    createdAt: message.createdAt,
    ...(message.timeUnsure === true ? { timeUnsure: true } : {}),
    edited: message.editedAt !== undefined,
    pinned: message.pinned,
    replyCount: message.thread?.replyCount ?? 0,
    attachmentKinds: message.attachments.map(({ kind }) => kind),
    parts: partsOf(fieldsOf(shown, fact.poll), sought.terms),
  }
}
