import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import * as table from '#main/cache/people/emoji.ts'
import { portraitRef } from '#main/cache/messages/media.ts'
import type { ReadContext } from './read-context.ts'

/** Animated types; a browser plays them. */
const ANIMATED: ReadonlySet<string> = new Set(['image/gif', 'image/webp', 'image/avif'])

export function visibleEmoji({ cache }: ReadContext, name: string): CustomEmoji | undefined {
  const row = table.byName(cache, name)
  if (row === undefined) return undefined
  return {
    name,
    aliases: row.aliases,
    image: portraitRef('emoji', name, row.url),
    moves: ANIMATED.has(row.mimeType ?? ''),
    ...(row.createdBy === undefined ? {} : { createdBy: row.createdBy }),
    ...(row.createdAt === undefined ? {} : { createdAt: row.createdAt }),
  }
}

export function visibleEmojiTerms({ cache }: ReadContext): EmojiTerms | undefined {
  const terms = table.terms(cache)
  if (terms === undefined) return undefined
  const { can, maxBytes, maxSide, maxCount } = terms
  return {
    canCreate: can.includes('create-emoji'),
    canManage: can.includes('manage-emoji'),
    maxBytes,
    maxSide,
    maxCount,
  }
}
