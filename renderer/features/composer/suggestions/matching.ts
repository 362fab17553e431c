import { SUGGESTION_PAGE } from '#shared/constants.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { commandBar, commandIn, commandsOf, matchCommands } from '#shared/rules/composer/commands.ts'
import { filledSnippet, matchSnippets } from '#shared/rules/composer/snippets.ts'
import type { Formats } from '../../../i18n/index.ts'
import type { SettledChannel } from '../../../store/hooks.ts'
import { type Emoji, readTone, searchEmoji, withTone } from '../../emoji/index.ts'
import { matchBroadcasts, matchChannels, matchPeople, mentionText } from './match-names.ts'
import type { Person } from './mentions.ts'
import type { Suggestion } from './use-suggestions.ts'

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
