import { SUGGESTION_PAGE, FUZZY_DISTANCE } from '#shared/constants.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { commandBar, commandIn, commandsOf, matchCommands } from '#shared/rules/composer/commands.ts'
import { filledSnippet, matchSnippets } from '#shared/rules/composer/snippets.ts'
import type { Formats } from '../../../i18n/index.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import { type Emoji, readTone, searchEmoji, withTone } from '../../emoji/index.ts'
import { type Person, allowedBroadcasts } from './mentions.ts'
import type { Suggestion } from './use-suggestions.ts'
import type { BroadcastMention } from '#shared/domain/message.ts'
import { fold as foldForSearch } from '#shared/rules/search/search-fold.ts'
import { distance, fold, foldWithOffsets } from '../../../lib/text/fold.ts'

export { loadEmoji } from '../../emoji/index.ts'

type Here = {
  readonly channel: SettledChannel
  readonly text: string
  readonly speakers: readonly UserId[]
  readonly formats: Formats
}

export function commandsFor(
  query: string,
  { channel, formats }: Here,
  bars: Parameters<typeof commandBar>[1],
  uses: Readonly<Record<string, number>>,
): readonly Suggestion[] {
  return matchCommands(commandsOf(channel), query, formats.compare, uses).map((command) => ({
    kind: 'command',
    id: command.name,
    insert: `/${command.name} `,
    command,
    bar: commandBar(command.name, bars),
  }))
}

/** People, followed by the broadcast mentions. */
export function peopleFor(
  query: string,
  people: readonly Person[],
  { channel, text, speakers, formats }: Here,
): readonly Suggestion[] {
  const isCommand = commandIn(text, channel.config.commands) !== undefined
  const broadcasts = (isCommand ? [] : matchBroadcasts(channel, query)).map((broadcast) => ({
    kind: 'broadcast' as const,
    id: `@${broadcast}`,
    insert: `@${broadcast} `,
    broadcast,
  }))
  const named = matchPeople(people, query, formats.compare, speakers).map((match) => ({
    kind: 'person' as const,
    id: match.person.id,
    insert: mentionText(match.person),
    match,
  }))
  return [...named.slice(0, SUGGESTION_PAGE - broadcasts.length), ...broadcasts]
}

export function emojiFor(query: string, book: readonly Emoji[]): readonly Suggestion[] {
  const tone = readTone()
  return searchEmoji(book, query, SUGGESTION_PAGE).map((emoji) => ({
    kind: 'emoji',
    id: emoji.unicode,
    insert: `${withTone(emoji, tone)} `,
    emoji,
  }))
}

export function channelsFor(
  query: string,
  channels: readonly Pick<SettledChannel, 'cid' | 'name' | 'isPrivate'>[],
  { compare }: Formats,
): readonly Suggestion[] {
  return matchChannels(channels, query, compare).map((channel) => ({
    kind: 'channel',
    id: channel.cid,
    insert: `#${channel.name} `,
    name: channel.name,
    isPrivate: channel.isPrivate,
  }))
}

/** What the placeholders of a snippet stand for, besides the day and the time. */
export type SnippetNames = { readonly me: string; readonly name: string }

/** The user's snippets with their placeholders filled in for this channel and the current time. */
export function snippetsFor(
  query: string,
  snippets: Settings['snippets'],
  names: SnippetNames,
  formats: Formats,
): readonly Suggestion[] {
  const now = Date.now()
  const values = { ...names, date: formats.date(now, now), time: formats.time(now) }
  return matchSnippets(snippets, query, formats.compare)
    .slice(0, SUGGESTION_PAGE)
    .map(({ name, text }) => ({ kind: 'snippet', id: name, insert: filledSnippet(text, values), name }))
}

/** Languages of a code fence: the name written after it and the label shown. Language names are not translated. */
const LANGUAGES: readonly { readonly name: string; readonly label: string }[] = [
  { name: 'bash', label: 'Shell' },
  { name: 'c', label: 'C' },
  { name: 'cpp', label: 'C++' },
  { name: 'cs', label: 'C#' },
  { name: 'css', label: 'CSS' },
  { name: 'diff', label: 'Diff' },
  { name: 'go', label: 'Go' },
  { name: 'html', label: 'HTML' },
  { name: 'java', label: 'Java' },
  { name: 'js', label: 'JavaScript' },
  { name: 'json', label: 'JSON' },
  { name: 'kotlin', label: 'Kotlin' },
  { name: 'md', label: 'Markdown' },
  { name: 'php', label: 'PHP' },
  { name: 'python', label: 'Python' },
  { name: 'ruby', label: 'Ruby' },
  { name: 'rust', label: 'Rust' },
  { name: 'sql', label: 'SQL' },
  { name: 'swift', label: 'Swift' },
  { name: 'toml', label: 'TOML' },
  { name: 'ts', label: 'TypeScript' },
  { name: 'tsx', label: 'TSX' },
  { name: 'xml', label: 'XML' },
  { name: 'yaml', label: 'YAML' },
]

export function languagesFor(query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase()
  return LANGUAGES.filter(({ name, label }) => name.startsWith(wanted) || label.toLowerCase().startsWith(wanted))
    .slice(0, SUGGESTION_PAGE)
    .map(({ name, label }) => ({ kind: 'language', id: name, insert: `\`\`\`${name}`, name, label }))
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

/** Allowed broadcast mentions that start with the query. */
const matchBroadcasts = (channel: SettledChannel, query: string): readonly BroadcastMention[] =>
  allowedBroadcasts(channel).filter((broadcast) => broadcast.startsWith(query.toLowerCase()))

/** The text a taken suggestion inserts. The trailing space lets the user type on. */
const mentionText = (person: Person): string => `@${person.name || person.id} `

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
