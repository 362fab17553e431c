import type { Channel } from '#shared/domain/channel.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'

/** `@channel` and `@here` as whole words, anyone who wrote them in whichever case. */
const CALL = /(?<![\p{L}\p{N}_@])@(channel|here)(?![\p{L}\p{N}_])/giu
/** What stands in code is shown, not said. An unclosed fence goes to the end. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/gu

/** Whom a text calls beyond the people it names. See docs/wire.md 3.3 "MESSAGE INPUT". */
export function broadcastsIn(text: string): BroadcastMention[] {
  if (!text.includes('@')) return []
  const called = new Set([...text.replaceAll(CODE, ' ').matchAll(CALL)].map((hit) => hit[1]?.toLowerCase()))
  return (['channel', 'here'] as const).filter((broadcast) => called.has(broadcast))
}

/** Unlike other rights this one is not taken for granted: a server that refuses it refuses the whole message. */
export const mayCall = ({ capabilities }: Pick<Channel, 'capabilities'>, broadcast: BroadcastMention): boolean =>
  capabilities.includes(`notify-${broadcast}`)

type Naming = {
  readonly mentionedUserIds: readonly string[]
  readonly reach?: readonly BroadcastMention[] | undefined
}

/**
 * The message names this person, or all who are in its channel. Who was there at the time of an `@here` no one can tell
 * later, so it counts for everyone: too much is read over, too little is missed.
 */
export const isNamed = ({ mentionedUserIds, reach = [] }: Naming, userId: string): boolean =>
  reach.length > 0 || mentionedUserIds.includes(userId)
