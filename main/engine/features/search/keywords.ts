import type { KeywordCount } from '#shared/domain/search.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { keywordIn } from '#shared/rules/notifications/notifying.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { Core } from '../../core.ts'

/** Newest messages of others that are checked, and the channels they are taken from. */
const CHECKED_MESSAGES = 50
const CHANNELS = 30
const PER_CHANNEL = 20

/** How many of the latest messages of others contain one of the keywords. From the cache alone. */
export function countKeywords(core: Core, keywords: readonly string[]): KeywordCount {
  return core.cache.read((reader) => {
    const newest = channels
      .listedCids(reader)
      .slice(0, CHANNELS)
      .flatMap((cid) => pages.newest(reader, `timeline:${cid}`, PER_CHANNEL))
      .toSorted((a, b) => b.createdAt - a.createdAt)
    const texts: string[] = []
    for (const { id } of newest) {
      if (texts.length === CHECKED_MESSAGES) break
      const message = visibleMessage(core.context, id as MessageId)
      if (message !== undefined && message.userId !== core.me && message.type === 'regular') texts.push(message.text)
    }
    return { of: texts.length, matched: texts.filter((text) => keywordIn(text, keywords) !== undefined).length }
  })
}
