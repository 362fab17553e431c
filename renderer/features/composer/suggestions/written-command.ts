import type { Channel } from '#shared/domain/channel.ts'
import {
  commandBar,
  commandIn,
  commandLack,
  type WrittenCommand,
  type ChannelCommand,
} from '#shared/rules/composer/commands.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import type { Facts } from '../send/decision.ts'
import type { Person } from './mentions.ts'
import { useTexts } from '../../../i18n/index.ts'

/** The command in a composer, and why it cannot be sent. */
export type CommandState = { readonly written?: WrittenCommand; readonly problem?: Facts['command'] }

const NONE: CommandState = {}

export function commandState(channel: Channel, composer: ComposerState, people: readonly Person[]): CommandState {
  const { text, editing, quotedId } = composer
  const written = commandIn(text, channel.config.commands)
  // Editing a message that already starts with a slash does not turn it into a command.
  if (written === undefined || text === editing?.original) return NONE
  const labels = people.flatMap(({ id, name }) => [id, name])
  const here = barHere(channel, editing !== undefined, quotedId !== undefined)
  const problem = commandBar(written.command.name, here) ?? commandLack(written, labels)
  return problem === undefined ? { written } : { written, problem }
}

export const barHere = ({ capabilities }: Channel, editing: boolean, quoting: boolean) => ({
  capabilities,
  editing,
  quoting,
})

/** The command's name at the start of a text, with the spaces after it: `/mute `. */
export const writtenName = (text: string): string => /^\s*\/\S+\s*/u.exec(text)?.[0] ?? ''

/** Standard commands, which have translated descriptions; other commands use the server's. */
const KNOWN = ['ban', 'flag', 'giphy', 'mute', 'unban', 'unmute'] as const
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name)

/** The description of a command, in one line. */
export function useCommandTexts(): (command: ChannelCommand) => string {
  const t = useTexts('composer')
  return ({ name, description }) => (isKnown(name) ? t(`commands.known.${name}`) : description)
}
