import { CALL_ASKS_ABOVE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import { commandIn } from '#shared/rules/composer/commands.ts'
import { mayCall, broadcastsIn } from '#shared/rules/messages/broadcast-mentions.ts'
import { hourIn } from '../../../lib/time/hour-in.ts'
import { isDirect } from '../place.ts'

/** What is asked before a message goes to so many. */
export type Call = {
  readonly broadcast: BroadcastMention
  /** Everyone in the channel but the viewer. */
  readonly count: number
  /** For how many of those whose time zone is known it is night. */
  readonly asleep: number
}

const NIGHT_FROM = 22
const NIGHT_UNTIL = 7

/** What can be called here at all. A conversation of a few people needs no call. */
function callsOf(channel: Channel): readonly BroadcastMention[] {
  if (isDirect(channel)) return []
  return (['channel', 'here'] as const).filter((broadcast) => mayCall(channel, broadcast))
}

/** Of those, the ones that begin as it is written. */
export const matchCalls = (channel: Channel, query: string): readonly BroadcastMention[] =>
  callsOf(channel).filter((broadcast) => broadcast.startsWith(query.toLowerCase()))

/**
 * Whom a text calls beyond the people it names. A command calls no one.
 *
 * @param before what the message called before it was edited: that right was asked for once
 */
export function calledIn(
  text: string,
  channel: Channel,
  before: readonly BroadcastMention[] = [],
): readonly BroadcastMention[] {
  if (commandIn(text, channel.config.commands) !== undefined) return []
  const offered = callsOf(channel)
  return broadcastsIn(text).filter((broadcast) => before.includes(broadcast) || offered.includes(broadcast))
}

/** What is to be asked; nothing where few are called. */
export function callToAsk(
  broadcast: readonly BroadcastMention[],
  { memberCount }: Channel,
  others: readonly Pick<User, 'timeZone'>[],
  now: number,
): Call | undefined {
  const [widest] = broadcast
  const count = memberCount - 1
  if (widest === undefined || count <= CALL_ASKS_ABOVE) return undefined
  const hours = others.flatMap(({ timeZone }) => (timeZone === undefined ? [] : (hourIn(timeZone, now) ?? [])))
  return { broadcast: widest, count, asleep: hours.filter((hour) => hour >= NIGHT_FROM || hour < NIGHT_UNTIL).length }
}
