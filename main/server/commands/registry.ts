import type { CommandHandler } from './command.ts'
import { giphyCommand } from './giphy.ts'
import { banCommand, flagCommand, muteCommand, unbanCommand, unmuteCommand } from './moderation.ts'

/** The handler of each command. To add one, see {@link CommandHandler}. */
export const HANDLERS: Readonly<Record<string, CommandHandler>> = {
  giphy: giphyCommand,
  mute: muteCommand,
  unmute: unmuteCommand,
  ban: banCommand,
  unban: unbanCommand,
  flag: flagCommand,
}

export function handlerOf(name: string): CommandHandler | undefined {
  return Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined
}
