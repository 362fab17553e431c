import { CALL_ASKS_ABOVE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Reach } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import { commandIn } from '#shared/rules/commands.ts'
import { mayCall, reachIn } from '#shared/rules/reach.ts'
import { hourIn } from '../../lib/hour-in.ts'
import { isDirect } from './place.ts'

/** What is asked before a message goes to so many. */
export type Call = {
  readonly reach: Reach
  /** Everybody in the channel but the viewer. */
  readonly count: number
  /** For how many of those whose time zone is known it is night. */
  readonly asleep: number
}

const NIGHT_FROM = 22
const NIGHT_UNTIL = 7

/** What can be called here at all. A conversation of a few people needs no call. */
export function callsOf(channel: Channel): readonly Reach[] {
  if (isDirect(channel)) return []
  return (['channel', 'here'] as const).filter((reach) => mayCall(channel, reach))
}

/** Of those, the ones that begin as it is written. */
export const matchCalls = (channel: Channel, query: string): readonly Reach[] =>
  callsOf(channel).filter((reach) => reach.startsWith(query.toLowerCase()))

/**
 * Whom a text calls beyond the people it names. A command calls nobody.
 *
 * @param before what the message called before it was edited: that right was asked for once
 */
export function calledIn(text: string, channel: Channel, before: readonly Reach[] = []): readonly Reach[] {
  if (commandIn(text, channel.config.commands) !== undefined) return []
  const offered = callsOf(channel)
  return reachIn(text).filter((reach) => before.includes(reach) || offered.includes(reach))
}

/** What is to be asked; nothing where few are called. Source: product paper 4.3, "Mention all/here". */
export function callToAsk(
  reach: readonly Reach[],
  { memberCount }: Channel,
  others: readonly Pick<User, 'timeZone'>[],
  now: number,
): Call | undefined {
  const [widest] = reach
  const count = memberCount - 1
  if (widest === undefined || count <= CALL_ASKS_ABOVE) return undefined
  const hours = others.flatMap(({ timeZone }) => (timeZone === undefined ? [] : (hourIn(timeZone, now) ?? [])))
  return { reach: widest, count, asleep: hours.filter((hour) => hour >= NIGHT_FROM || hour < NIGHT_UNTIL).length }
}
