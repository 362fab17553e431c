import type { KeywordCount } from '#shared/domain/search.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { keywordIn } from '#shared/rules/notifications/notifying.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as pages from '#main/cache/messages/pages.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { Core } from '../../core.ts'

/** Messages of others that are looked at, the newest, and the channels they are taken from. */
const LOOKED_AT = 50
const CHANNELS = 30
const OF_EACH = 20

/** How many of the last messages of others have one of these words. From this computer alone. */
export function countKeywords(core: Core, keywords: readonly string[]): KeywordCount {
  return core.cache.read((reader) => {
    const newest = channels
      .listedCids(reader)
      .slice(0, CHANNELS)
      .flatMap((cid) => pages.newest(reader, `timeline:${cid}`, OF_EACH))
      .toSorted((a, b) => b.createdAt - a.createdAt)
    const texts: string[] = []
    for (const { id } of newest) {
      if (texts.length === LOOKED_AT) break
      const message = visibleMessage(core.context, id as MessageId)
      if (message !== undefined && message.userId !== core.me && message.type === 'regular') texts.push(message.text)
    }
    return { of: texts.length, matched: texts.filter((text) => keywordIn(text, keywords) !== undefined).length }
  })
}
