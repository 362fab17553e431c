import type { ChannelConfig } from '#shared/domain/channel.ts'

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

/** Suggestions for the text after the slash: by prefix first, then by name. docs/wire.md 7.18. */
export function matchCommands(
  commands: readonly ChannelCommand[],
  query: string,
  compare: (a: string, b: string) => number,
): readonly ChannelCommand[] {
  const wanted = query.toLowerCase()
  const begins = ({ name }: ChannelCommand) => name.toLowerCase().startsWith(wanted)
  return commands
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)) || compare(a.name, b.name))
}

/** Why a command cannot be used now, whatever its arguments are. */
export type CommandBar = 'editing' | 'replying' | 'noRight'
/** What is missing before a command can be sent. */
export type CommandLack = 'person' | 'reason'

const ABOUT_A_PERSON: ReadonlySet<string> = new Set(['ban', 'unban', 'mute', 'unmute', 'flag'])
const NEEDS_BAN_RIGHT: ReadonlySet<string> = new Set(['ban', 'unban'])

type Here = {
  readonly capabilities: readonly string[]
  readonly editing: boolean
  readonly quoting: boolean
}

/** An edit runs no command; commands about people cannot be quote replies. See docs/wire.md 7.16 "Commands", 8.4. */
export function commandBar(name: string, { capabilities, editing, quoting }: Here): CommandBar | undefined {
  if (editing) return 'editing'
  if (quoting && ABOUT_A_PERSON.has(name)) return 'replying'
  const known = capabilities.length > 0
  if (known && NEEDS_BAN_RIGHT.has(name) && !capabilities.includes('ban-channel-members')) return 'noRight'
  return undefined
}

/**
 * What is missing in the arguments: most commands about people need a mention, a ban also a reason.
 *
 * @param labels names and ids that can follow an @
 */
export function commandLack({ command, args }: WrittenCommand, labels: readonly string[]): CommandLack | undefined {
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
