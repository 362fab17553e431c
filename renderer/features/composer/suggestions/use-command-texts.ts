import type { ChannelCommand } from '#shared/rules/composer/commands.ts'
import { useTexts } from '../../../i18n/index.ts'

/** Commands every workspace has, described in the viewer's language; others in the server's words. */
const KNOWN = ['ban', 'flag', 'giphy', 'mute', 'unban', 'unmute'] as const
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name)

/** What a command does, in one line. */
export function useCommandTexts(): (command: ChannelCommand) => string {
  const t = useTexts('composer')
  return ({ name, description }) => (isKnown(name) ? t(`commands.known.${name}`) : description)
}
