import { CALL_ASKS_ABOVE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import { commandIn } from '#shared/rules/composer/commands.ts'
import { mayCall, broadcastsIn } from '#shared/rules/messages/mentions.ts'
import { hourIn } from '../../../lib/time/moments.ts'
import { isDirect } from '../place.ts'

/** What the confirmation says before a broadcast mention notifies many people. */
export type BroadcastWarning = {
  readonly broadcast: BroadcastMention
  /** Members of the channel except the viewer. */
  readonly count: number
  /** For how many members with a known time zone it is night. */
  readonly asleep: number
}

const NIGHT_FROM = 22
const NIGHT_UNTIL = 7

/** Broadcast mentions the viewer may use here; none in a direct message. */
function allowedBroadcasts(channel: Channel): readonly BroadcastMention[] {
  if (isDirect(channel)) return []
  return (['channel', 'here'] as const).filter((broadcast) => mayCall(channel, broadcast))
}

/** Allowed broadcast mentions that start with the query. */
export const matchBroadcasts = (channel: Channel, query: string): readonly BroadcastMention[] =>
  allowedBroadcasts(channel).filter((broadcast) => broadcast.startsWith(query.toLowerCase()))

/**
 * Broadcast mentions in a text that notify. A command notifies no one.
 *
 * @param before those the message had before it was edited, for which the right is not checked again
 */
export function notifyingBroadcasts(
  text: string,
  channel: Channel,
  before: readonly BroadcastMention[] = [],
): readonly BroadcastMention[] {
  if (commandIn(text, channel.config.commands) !== undefined) return []
  const allowed = allowedBroadcasts(channel)
  return broadcastsIn(text).filter((broadcast) => before.includes(broadcast) || allowed.includes(broadcast))
}

/** The warning to show before sending; undefined if few people are notified. */
export function broadcastWarning(
  broadcasts: readonly BroadcastMention[],
  { memberCount }: Channel,
  others: readonly Pick<User, 'timeZone'>[],
  now: number,
): BroadcastWarning | undefined {
  const [widest] = broadcasts
  const count = memberCount - 1
  if (widest === undefined || count <= CALL_ASKS_ABOVE) return undefined
  const hours = others.flatMap(({ timeZone }) => (timeZone === undefined ? [] : (hourIn(timeZone, now) ?? [])))
  return { broadcast: widest, count, asleep: hours.filter((hour) => hour >= NIGHT_FROM || hour < NIGHT_UNTIL).length }
}
