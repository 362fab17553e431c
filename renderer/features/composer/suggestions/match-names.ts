import type { BroadcastMention } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { FUZZY_DISTANCE, SUGGESTION_PAGE } from '#shared/constants.ts'
import { fold as foldForSearch } from '#shared/rules/search/search-fold.ts'
import { distance, fold, foldWithOffsets } from '../../../lib/text/fold.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import { allowedBroadcasts, type Person } from './mentions.ts'

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

/** Allowed broadcast mentions that start with the query. */
export const matchBroadcasts = (channel: SettledChannel, query: string): readonly BroadcastMention[] =>
  allowedBroadcasts(channel).filter((broadcast) => broadcast.startsWith(query.toLowerCase()))

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
