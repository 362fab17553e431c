import type { ChannelCommand } from '#shared/rules/composer/commands.ts'
import { useTexts } from '../../../i18n/index.ts'

/** Standard commands, which have translated descriptions; other commands use the server's. */
const KNOWN = ['ban', 'flag', 'giphy', 'mute', 'unban', 'unmute'] as const
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name)

/** The description of a command, in one line. */
export function useCommandTexts(): (command: ChannelCommand) => string {
  const t = useTexts('composer')
  return ({ name, description }) => (isKnown(name) ? t(`commands.known.${name}`) : description)
}
