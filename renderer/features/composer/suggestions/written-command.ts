import type { Channel } from '#shared/domain/channel.ts'
import { commandBar, commandIn, commandLack, type WrittenCommand } from '#shared/rules/composer/commands.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import type { Facts } from '../send/decision.ts'
import type { Person } from './mentions.ts'

/** The command that stands in a composer, and what stands in its way. */
export type CommandState = { readonly written?: WrittenCommand; readonly problem?: Facts['command'] }

const NONE: CommandState = {}

export function commandState(channel: Channel, composer: ComposerState, people: readonly Person[]): CommandState {
  const { text, editing, quotedId } = composer
  const written = commandIn(text, channel.config.commands)
  // A message that begins with a slash by right is not spoiled by opening it.
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

/** What stands for the command at the beginning of a text, with the blanks behind it: `/mute `. */
export const writtenName = (text: string): string => /^\s*\/\S+\s*/u.exec(text)?.[0] ?? ''
