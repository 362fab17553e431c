import type { EmojiRow } from '#main/cache/rows.ts'
import type { StoredTerms } from '#main/cache/people/emoji.ts'
import { EMOJI_BYTES, MAX_EMOJI, EMOJI_SIDE } from '#shared/domain/emoji.ts'
import { emojiNameIn } from '#shared/rules/messages/emoji.ts'
import { asList, asWire, countOf, idOf, nameOf, timeOf, urlOf } from './read.ts'

/** The name as it may appear in a text. */
const plainName = (value: unknown): string | undefined =>
  typeof value === 'string' ? emojiNameIn(`:${value}:`) : undefined

/** Source: ADR 19. Dropped without a name or a picture. */
export function decodeEmoji(value: unknown): EmojiRow | undefined {
  const wire = asWire(value)
  const name = plainName(wire?.['name'])
  const url = urlOf(wire?.['url'])
  if (name === undefined || url === undefined) return undefined
  return {
    name,
    aliases: asList(wire?.['aliases']).flatMap((each) => plainName(each) ?? []),
    url,
    mimeType: nameOf(wire?.['mime_type'], 64),
    createdBy: idOf(wire?.['created_by']),
    createdAt: timeOf(wire?.['created_at']),
  }
}

/** `custom_emoji` of the app's settings; `undefined` if the server has none. */
export function decodeEmojiTerms(value: unknown): (StoredTerms & { readonly version: string }) | undefined {
  const wire = asWire(value)
  if (!wire || typeof wire['version'] !== 'string') return undefined
  return {
    can: asList(wire['own_capabilities']).filter((each) => typeof each === 'string'),
    maxBytes: Math.min(countOf(wire['size_limit']) ?? EMOJI_BYTES, EMOJI_BYTES),
    maxSide: countOf(wire['side_limit']) ?? EMOJI_SIDE,
    maxCount: countOf(wire['count_limit']) ?? MAX_EMOJI,
    version: wire['version'],
  }
}
