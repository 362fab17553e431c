import { FUZZY_DISTANCE, SUGGESTION_PAGE, CALL_ASKS_ABOVE } from '#shared/constants.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { isNightIn } from '#shared/rules/people/local-time.ts'
import { readCommand, commandIn } from '#shared/rules/composer/commands.ts'
import { fold as foldForSearch } from '#shared/rules/search/search-fold.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import type { User } from '#shared/domain/user.ts'
import { mayCall, broadcastsIn } from '#shared/rules/messages/mentions.ts'
import { distance, fold, foldWithOffsets } from '../../../lib/text/fold.ts'
import { isDirect } from '../selectors.ts'

export type Person = {
  readonly id: UserId
  readonly name: string
  readonly inChannel: boolean
  /** Muted by the viewer. */
  readonly muted?: boolean
}

/** Part of a label; matched parts are drawn in the accent color. */
export type Part = { readonly text: string; readonly hit: boolean }

export type MentionMatch = {
  readonly person: Person
  readonly name: readonly Part[]
  readonly id: readonly Part[]
}

const NO_MATCH = 99

/**
 * People to offer for the query after `@`: members of the channel first, then by how well the name matches, then by
 * who wrote last, then by name.
 *
 * @param speakers authors of recent messages, newest first
 */
export function matchPeople(
  people: readonly Person[],
  query: string,
  compare: (a: string, b: string) => number,
  speakers: readonly UserId[] = [],
): readonly MentionMatch[] {
  const wanted = fold(query)
  const spoke = new Map(speakers.map((id, at) => [id, at]))
  const recency = ({ id }: Person): number => spoke.get(id) ?? speakers.length
  return people
    .map((person) => ({ person, rank: rankOf(person, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted(
      (a, b) =>
        Number(b.person.inChannel) - Number(a.person.inChannel) ||
        a.rank - b.rank ||
        recency(a.person) - recency(b.person) ||
        compare(a.person.name, b.person.name),
    )
    .slice(0, SUGGESTION_PAGE)
    .map(({ person }) => ({ person, name: markHit(person.name, wanted), id: markHit(person.id, wanted) }))
}

/** Channels whose name starts with the query, then those with a word that does, then the rest. */
export function matchChannels<T extends Pick<SettledChannel, 'name'>>(
  channels: readonly T[],
  query: string,
  compare: (a: string, b: string) => number,
): readonly T[] {
  const wanted = foldForSearch(query)
  const ranked = channels.flatMap((channel) => {
    const at = foldForSearch(channel.name).indexOf(wanted)
    if (at < 0) return []
    const isWord = at > 0 && /[-_]/.test(channel.name[at - 1] ?? '')
    return [{ channel, rank: at === 0 ? 0 : isWord ? 1 : 2 }]
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || compare(a.channel.name, b.channel.name))
    .slice(0, SUGGESTION_PAGE)
    .map(({ channel }) => channel)
}

/** People to offer: muted people only after `/unmute`, and there no one else; every other command may name anyone. */
export function offeredIn(text: string, people: readonly Person[]): readonly Person[] {
  const command = readCommand(text)?.name
  if (command !== undefined && command !== 'unmute') return people
  return people.filter(({ muted = false }) => muted === (command === 'unmute'))
}

/** The text a taken suggestion inserts. The trailing space lets the user type on. */
export const mentionText = (person: Person): string => `@${person.name || person.id} `

function rankOf(person: Person, wanted: string): number {
  const name = fold(person.name)
  const id = fold(person.id)
  if (wanted === '' || name.startsWith(wanted)) return 0
  if (matchesWords(name, wanted)) return 1
  if (id.startsWith(wanted)) return 2
  if (name.includes(wanted)) return 3
  if (id.includes(wanted)) return 4
  return fuzzyRank([...name.split(/\s+/), id], wanted)
}

/** Every word of the query but the last equals a word of the name; the last is the start of one. */
function matchesWords(name: string, wanted: string): boolean {
  const inName = name.split(/\s+/)
  const inQuery = wanted.split(/\s+/)
  const last = inQuery.pop() ?? ''
  return inQuery.every((word) => inName.includes(word)) && inName.some((word) => word.startsWith(last))
}

/** A short query must be nearly right: with three letters wrong out of four anything would match. */
function fuzzyRank(candidates: readonly string[], wanted: string): number {
  const limit = Math.min(FUZZY_DISTANCE, Math.floor(wanted.length / 2))
  if (wanted.length < 3) return NO_MATCH
  const best = Math.min(
    ...candidates.map((word) =>
      Math.min(distance(word, wanted, limit), distance(word.slice(0, wanted.length), wanted, limit)),
    ),
  )
  return best <= limit ? 5 + best : NO_MATCH
}

function markHit(label: string, wanted: string): readonly Part[] {
  const folded = foldWithOffsets(label)
  const found = wanted === '' ? -1 : folded.text.indexOf(wanted)
  if (found < 0) return [{ text: label, hit: false }]
  const from = folded.at[found] ?? 0
  const to = folded.at[found + wanted.length] ?? label.length
  return [
    { text: label.slice(0, from), hit: false },
    { text: label.slice(from, to), hit: true },
    { text: label.slice(to), hit: false },
  ].filter((part) => part.text !== '')
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
function allowedBroadcasts(channel: SettledChannel): readonly BroadcastMention[] {
  if (isDirect(channel)) return []
  return (['channel', 'here'] as const).filter((broadcast) => mayCall(channel, broadcast))
}

/** Allowed broadcast mentions that start with the query. */
export const matchBroadcasts = (channel: SettledChannel, query: string): readonly BroadcastMention[] =>
  allowedBroadcasts(channel).filter((broadcast) => broadcast.startsWith(query.toLowerCase()))

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
