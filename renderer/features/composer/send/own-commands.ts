import type { SettledChannel } from '../../../store/hooks.ts'
import {
  type OwnCommand,
  commandBar,
  commandIn,
  commandLack,
  commandsOf,
  OWN_COMMANDS,
  type WrittenCommand,
  type ChannelCommand,
} from '#shared/rules/composer/commands.ts'
import { nameFor } from '../../../lib/page/stored.ts'
import { perAccount } from '../../../store/objects.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { useTexts } from '../../../i18n/index.ts'
import type { Facts } from './use-send.ts'
import type { Person } from '../suggestions/mentions.ts'

const USES_KEY = 'parlor.commands.uses'

/** How often each command was used on this device. Storage may be unavailable; the order is then the first one. */
class CommandUses {
  readonly #key: string

  constructor(account: string) {
    this.#key = nameFor(USES_KEY, account)
  }

  read(): Readonly<Record<string, number>> {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '{}')
      const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
      return Object.fromEntries(entries.filter(([, count]) => typeof count === 'number'))
    } catch (reason) {
      console.debug('uses of commands not read', reason)
      return {}
    }
  }

  add(name: string): void {
    const uses = this.read()
    try {
      localStorage.setItem(this.#key, JSON.stringify({ ...uses, [name]: (uses[name] ?? 0) + 1 }))
    } catch (reason) {
      console.debug('uses of commands not saved', reason)
    }
  }
}

export const COMMAND_USES = perAccount(({ account }) => new CommandUses(account))

/** The text that a command makes of its arguments, to be sent in its place. Absent: it sends nothing. */
export function textOfCommand(name: OwnCommand, args: string): string | undefined {
  if (name === 'me') return `_${args}_`
  // Escaped, because the arms would be taken for emphasis.
  if (name === 'shrug') return `${args} ¯\\\\\\_(ツ)\\_/¯`.trim()
  return undefined
}

/** The command in a composer, and why it cannot be sent. */
export type CommandState = { readonly written?: WrittenCommand; readonly problem?: Facts['command'] }

const NONE: CommandState = {}

export function commandState(
  channel: SettledChannel,
  composer: ComposerState,
  people: readonly Person[],
): CommandState {
  const { text, editing, quotedId } = composer
  const written = commandIn(text, commandsOf(channel))
  // Editing a message that already starts with a slash does not turn it into a command.
  if (written === undefined || text === editing?.original) return NONE
  const labels = people.flatMap(({ id, name }) => [id, name])
  const here = barHere(channel, editing !== undefined, quotedId !== undefined)
  const problem = commandBar(written.command.name, here) ?? commandLack(written, labels)
  return problem === undefined ? { written } : { written, problem }
}

export const barHere = ({ capabilities }: SettledChannel, editing: boolean, quoting: boolean) => ({
  capabilities,
  editing,
  quoting,
})

/** The command's name at the start of a text, with the spaces after it: `/mute `. */
export const writtenName = (text: string): string => /^\s*\/\S+\s*/u.exec(text)?.[0] ?? ''

/** The app's own and the standard commands have translated descriptions; other commands use the server's. */
const KNOWN = [...OWN_COMMANDS, 'ban', 'flag', 'giphy', 'mute', 'unban', 'unmute'] as const
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name)

/** The description of a command in one line, with the name of the program that answers it. */
export function useCommandTexts(): (command: ChannelCommand) => string {
  const t = useTexts('composer')
  return ({ name, description, program }) => {
    if (program !== undefined) return [description, program].filter((each) => each !== '').join(' · ')
    // A server's command of a name that the app has, too: it does what the server says.
    const isReplaced = description !== '' && OWN_COMMANDS.some((each) => each === name)
    return isKnown(name) && !isReplaced ? t(`commands.known.${name}`) : description
  }
}
