import type { Channel, ChannelConfig } from '#shared/domain/channel.ts'

export type ChannelCommand = ChannelConfig['commands'][number]

const SLASH = /^\/([a-z0-9_-]{1,64})(?:\s+([\s\S]*))?$/i

/** Splits `/mute @bob` into name and arguments. */
export function readCommand(text: string): { readonly name: string; readonly args: string } | undefined {
  const match = SLASH.exec(text.trim())
  return match ? { name: (match[1] ?? '').toLowerCase(), args: (match[2] ?? '').trim() } : undefined
}

/** A text that is a command of the channel; any other text with a slash is plain text. */
export type WrittenCommand = { readonly command: ChannelCommand; readonly args: string }

export function commandIn(text: string, commands: readonly ChannelCommand[]): WrittenCommand | undefined {
  const typed = readCommand(text)
  const command = typed && commands.find(({ name }) => name.toLowerCase() === typed.name)
  return typed && command && { command, args: typed.args }
}

/** Commands that this app runs itself: nothing is sent, or a text that the command made. In the order of the list. */
export const OWN_COMMANDS = [
  'remind',
  'poll',
  'status',
  'dnd',
  'away',
  'me',
  'shrug',
  'topic',
  'invite',
  'search',
  'later',
  'leave',
] as const
export type OwnCommand = (typeof OWN_COMMANDS)[number]

const OWN_ARGS: Readonly<Record<OwnCommand, string>> = {
  remind: '[time]',
  poll: '',
  status: '[text]',
  dnd: '',
  away: '',
  me: '[text]',
  shrug: '[text]',
  topic: '[text]',
  invite: '',
  search: '[text]',
  later: '',
  leave: '',
}
/** Not in a conversation with chosen people, which has no topic and which nobody joins or leaves. */
const IN_CHANNELS: ReadonlySet<string> = new Set<OwnCommand>(['topic', 'invite', 'leave'])

/** The commands of a channel, which its server runs, and those of the app that it does not replace. */
export function commandsOf({
  config: { commands },
  directUserIds,
}: Pick<Channel, 'config' | 'directUserIds'>): readonly ChannelCommand[] {
  const own = OWN_COMMANDS.filter(
    (name) =>
      commands.every((command) => command.name.toLowerCase() !== name) &&
      (directUserIds.length === 0 || !IN_CHANNELS.has(name)),
  )
  return [...own.map((name) => ({ name, args: OWN_ARGS[name], description: '' })), ...commands]
}

/** The command of the app in a text, unless the channel has one of that name. */
export function ownCommandIn(
  text: string,
  channel: Pick<Channel, 'config' | 'directUserIds'>,
): { readonly name: OwnCommand; readonly args: string } | undefined {
  const written = commandIn(text, commandsOf(channel))
  const name = OWN_COMMANDS.find((each) => each === written?.command.name)
  const isServers = written !== undefined && channel.config.commands.includes(written.command)
  return name === undefined || written === undefined || isServers ? undefined : { name, args: written.args }
}

/** What takes something away from others or from the viewer: offered last. */
const LAST = ['leave', 'unmute', 'mute', 'flag', 'unban', 'ban']

/**
 * Suggestions for the text after the slash: by prefix first, then those used most, then the app's own in their order and the
 * others by name. What takes something away is last whatever its use. docs/wire.md 7.18.
 *
 * @param uses how often each command was used on this device
 */
export function matchCommands(
  commands: readonly ChannelCommand[],
  query: string,
  compare: (a: string, b: string) => number,
  uses: Readonly<Record<string, number>> = {},
): readonly ChannelCommand[] {
  const wanted = query.toLowerCase()
  const begins = ({ name }: ChannelCommand) => name.toLowerCase().startsWith(wanted)
  const usesOf = ({ name }: ChannelCommand): number => (Object.hasOwn(uses, name) ? (uses[name] ?? 0) : 0)
  const placeOf = ({ name }: ChannelCommand): number => {
    const own: number = OWN_COMMANDS.findIndex((each) => each === name)
    return own === -1 ? OWN_COMMANDS.length : own
  }
  return commands
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted(
      (a, b) =>
        Number(begins(b)) - Number(begins(a)) ||
        LAST.indexOf(a.name) - LAST.indexOf(b.name) ||
        usesOf(b) - usesOf(a) ||
        placeOf(a) - placeOf(b) ||
        compare(a.name, b.name),
    )
}

/** Why a command cannot be used now, whatever its arguments are. */
export type CommandBar = 'editing' | 'replying' | 'noRight'
/** What is missing before a command can be sent. */
export type CommandLack = 'person' | 'reason' | 'text'

const ABOUT_A_PERSON: ReadonlySet<string> = new Set(['ban', 'unban', 'mute', 'unmute', 'flag'])
const NEED_TEXT: ReadonlySet<string> = new Set<OwnCommand>(['me', 'topic'])
const NEEDED_RIGHTS: ReadonlyMap<string, string> = new Map([
  ['ban', 'ban-channel-members'],
  ['unban', 'ban-channel-members'],
  ['poll', 'send-poll'],
  ['topic', 'update-channel'],
  ['invite', 'update-channel-members'],
  ['leave', 'leave-channel'],
])

type Here = {
  readonly capabilities: readonly string[]
  readonly editing: boolean
  readonly quoting: boolean
}

/** An edit runs no command; commands about people cannot be quote replies. See docs/wire.md 7.16 "Commands", 8.4. */
export function commandBar(name: string, { capabilities, editing, quoting }: Here): CommandBar | undefined {
  if (editing) return 'editing'
  if (quoting && ABOUT_A_PERSON.has(name)) return 'replying'
  const right = NEEDED_RIGHTS.get(name)
  if (capabilities.length > 0 && right !== undefined && !capabilities.includes(right)) return 'noRight'
  return undefined
}

/**
 * What is missing in the arguments: most commands about people need a mention, a ban also a reason, some others a text.
 *
 * @param labels names and ids that can follow an @
 */
export function commandLack({ command, args }: WrittenCommand, labels: readonly string[]): CommandLack | undefined {
  if (NEED_TEXT.has(command.name) && args === '') return 'text'
  if (!ABOUT_A_PERSON.has(command.name)) return undefined
  const rest = afterPerson(args, labels)
  if (rest === undefined) return 'person'
  return command.name === 'ban' && rest === '' ? 'reason' : undefined
}

/**
 * The arguments without the mentioned person; absent without a mention. The server may know people who are not cached
 * here.
 */
function afterPerson(args: string, labels: readonly string[]): string | undefined {
  const at = args.search(/(?:^|\s)@\S/u)
  if (at < 0) return undefined
  const typed = args.slice(args.indexOf('@', at) + 1)
  const longestFirst = labels.filter((label) => label !== '').toSorted((a, b) => b.length - a.length)
  const ends = (rest: string): boolean => !/^[\p{L}\p{N}_]/u.test(rest)
  const label = longestFirst.find((each) => typed.startsWith(each) && ends(typed.slice(each.length)))
  const rest = label === undefined ? typed.replace(/^\S+/u, '') : typed.slice(label.length)
  return `${args.slice(0, at)} ${rest}`.trim()
}
