import type { Channel } from '#shared/domain/channel.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'

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
