import type { Channel } from '../../domain/channel.ts'
import type { BroadcastMention } from '../../domain/message.ts'

/** A channel mention: `#` at the start of a word, then letters, digits, `-` and `_`. */
const WORD = /(?<=^|[\s([{"'„«“])#([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})/gu
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u

/** A run of a text; with `name` it is a possible channel mention. */
type ChannelPart = { readonly text: string; readonly name?: string }

/** Splits a text at possible channel mentions. Whether such a channel exists depends on the reader's list. */
export function splitChannelMentions(text: string): readonly ChannelPart[] {
  if (!text.includes('#')) return [{ text }]
  const parts: ChannelPart[] = []
  let from = 0
  for (const { index, 0: word, 1: name = '' } of text.matchAll(WORD)) {
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: word, name })
    from = index + word.length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** Channel mentions ignore case. */
export const channelNameKey = (name: string): string => name.toLocaleLowerCase()

/** Channels that can be mentioned: those whose whole name is one word. Direct conversations cannot. */
export const isMentionableChannel = ({ name, directUserIds }: Pick<Channel, 'name' | 'directUserIds'>): boolean =>
  directUserIds.length === 0 && NAME.test(name)

/** `@channel` and `@here` as whole words, ignoring case. */
const CALL = /(?<![\p{L}\p{N}_@])@(channel|here)(?![\p{L}\p{N}_])/giu
/** Mentions in code do not count. An unclosed fence extends to the end. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/gu

/** The broadcast mentions of a text. See docs/wire.md 3.3 "MESSAGE INPUT". */
export function broadcastsIn(text: string): BroadcastMention[] {
  if (!text.includes('@')) return []
  const called = new Set([...text.replaceAll(CODE, ' ').matchAll(CALL)].map((hit) => hit[1]?.toLowerCase()))
  return (['channel', 'here'] as const).filter((broadcast) => called.has(broadcast))
}

/** Those of the chosen ones that the text contains: an invisible mention would notify no one knowingly. */
export function presentBroadcasts(
  text: string,
  chosen: readonly BroadcastMention[] = [],
): { readonly reach?: readonly BroadcastMention[] } {
  const reach = broadcastsIn(text).filter((each) => chosen.includes(each))
  return reach.length === 0 ? {} : { reach }
}

/** Unlike other rights, this one must be granted explicitly: a server without it refuses the whole message. */
export const mayCall = ({ capabilities }: Pick<Channel, 'capabilities'>, broadcast: BroadcastMention): boolean =>
  capabilities.includes(`notify-${broadcast}`)

type Naming = {
  readonly mentionedUserIds: readonly string[]
  readonly reach?: readonly BroadcastMention[]
}

/**
 * Whether the message mentions this person, directly or by a broadcast mention. Who was online at the time of an
 * `@here` cannot be determined later, so it counts for everyone: rather a false mention than a missed one.
 */
export const isNamed = ({ mentionedUserIds, reach = [] }: Naming, userId: string): boolean =>
  reach.length > 0 || mentionedUserIds.includes(userId)
