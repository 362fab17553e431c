import { CALL_ASKS_ABOVE } from '#shared/constants.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { isNightIn } from '#shared/rules/people/local-time.ts'
import { readCommand, commandIn } from '#shared/rules/composer/commands.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import { mayCall, broadcastsIn } from '#shared/rules/messages/mentions.ts'
import { isDirect } from '../selectors.ts'

export type Person = {
  readonly id: UserId
  readonly name: string
  readonly inChannel: boolean
  /** Muted by the viewer. */
  readonly muted?: boolean
}

/** People to offer: muted people only after `/unmute`, and there no one else; every other command may name anyone. */
export function offeredIn(text: string, people: readonly Person[]): readonly Person[] {
  const command = readCommand(text)?.name
  if (command !== undefined && command !== 'unmute') return people
  return people.filter(({ muted = false }) => muted === (command === 'unmute'))
}

type MentionAt = { readonly id: UserId; readonly from: number; readonly to: number }

/**
 * Where a text mentions people: after each `@` the longest name or id of a known person that is a whole word there.
 * It does not matter whether the name was taken from the list, typed, restored from a draft or part of an edit.
 */
export function mentionsAt(text: string, people: readonly Person[]): readonly MentionAt[] {
  if (!text.includes('@')) return []
  const labels = labelsOf(people)
  const found: MentionAt[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const rest = text.slice(at + 1)
    const hit = labels.find(({ label }) => rest.startsWith(label) && !/^[\p{L}\p{N}_]/u.test(rest.slice(label.length)))
    if (hit) found.push({ id: hit.id, from: at, to: at + 1 + hit.label.length })
  }
  return found
}

export const mentionedIn = (text: string, people: readonly Person[]): readonly UserId[] => [
  ...new Set(mentionsAt(text, people).map(({ id }) => id)),
]

type Label = { readonly id: UserId; readonly label: string }
const labelCache = new WeakMap<readonly Person[], readonly Label[]>()

/** Names and ids of people, longest first. Cached per list of people, because the text is searched at every key. */
function labelsOf(people: readonly Person[]): readonly Label[] {
  const cached = labelCache.get(people)
  if (cached !== undefined) return cached
  const labels = people
    .flatMap(({ id, name }) => [
      { id, label: name },
      { id, label: id },
    ])
    .filter(({ label }) => label !== '')
    .toSorted((a, b) => b.label.length - a.label.length)
  labelCache.set(people, labels)
  return labels
}

/** The mention that deleting one character at the caret would break; it is deleted as a whole. */
export const mentionToDelete = (
  key: 'Backspace' | 'Delete',
  caret: number,
  text: string,
  people: readonly Person[],
): MentionAt | undefined =>
  mentionsAt(text, people).find(({ from, to }) =>
    key === 'Backspace' ? from < caret && caret <= to : from <= caret && caret < to,
  )

/** What the confirmation says before a broadcast mention notifies many people. */
export type BroadcastWarning = {
  readonly broadcast: BroadcastMention
  /** Members of the channel except the viewer. */
  readonly count: number
  /** For how many members with a known time zone it is night. */
  readonly asleep: number
}

/** Broadcast mentions the viewer may use here; none in a direct message. */
export function allowedBroadcasts(channel: SettledChannel): readonly BroadcastMention[] {
  if (isDirect(channel)) return []
  return (['channel', 'here'] as const).filter((broadcast) => mayCall(channel, broadcast))
}

/**
 * Broadcast mentions in a text that notify. A command notifies no one.
 *
 * @param before those the message had before it was edited, for which the right is not checked again
 */
export function notifyingBroadcasts(
  text: string,
  channel: SettledChannel,
  before: readonly BroadcastMention[] = [],
): readonly BroadcastMention[] {
  if (commandIn(text, channel.config.commands) !== undefined) return []
  const allowed = allowedBroadcasts(channel)
  return broadcastsIn(text).filter((broadcast) => before.includes(broadcast) || allowed.includes(broadcast))
}

/** The warning to show before sending; undefined if few people are notified. */
export function broadcastWarning(
  broadcasts: readonly BroadcastMention[],
  { memberCount }: SettledChannel,
  others: readonly Pick<User, 'timeZone'>[],
  now: number,
): BroadcastWarning | undefined {
  const [widest] = broadcasts
  const count = memberCount - 1
  if (widest === undefined || count <= CALL_ASKS_ABOVE) return undefined
  const asleep = others.filter(({ timeZone }) => timeZone !== undefined && isNightIn(timeZone, now)).length
  return { broadcast: widest, count, asleep }
}
