import type { Identity } from '../auth/identify.ts'
import type { MessageDraft } from '../routes/message-input.ts'
import type { Access } from '../rules/access.ts'
import type { Work } from '../work.ts'

/** A message that began with `/name`. */
export type CommandCall = {
  readonly work: Work
  readonly access: Access
  readonly who: Identity
  readonly draft: MessageDraft
  /** What stands after the name, trimmed. */
  readonly args: string
}

/** What the person sees of it, and nobody else. */
export type CommandAnswer = {
  readonly text: string
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
}

/**
 * One slash command. To add an own one:
 *
 * 1. Write a `CommandHandler`: act through `call.work` (it is the request's transaction; what it emits leaves after the
 *    commit) and answer a short text. `refuse(…)` is shown to the person as a message of type `error`.
 * 2. If its answer has buttons (`attachments[].actions`), write `act`: it is given the button's name and answers what
 *    to show next, `'send'` to turn the answer into a message of the channel, or `'drop'` to take it away.
 * 3. Put it into `HANDLERS` of `registry.ts` under its name, and the name with its description into the list of commands: in
 *    `rules/channel-types.ts` for everybody, or through `POST /commands` for one workspace.
 *
 * A command of the list without a handler here is refused with code 44.
 */
export type CommandHandler = {
  run(call: CommandCall): CommandAnswer
  act?(button: string, call: Pick<CommandCall, 'work' | 'args'>): CommandAnswer | 'send' | 'drop'
}

const SLASH = /^\/([a-z0-9_-]{1,64})(?:\s+([\s\S]*))?$/i

/** `/mute @bob` as name and arguments. */
export function readCommand(text: string): { readonly name: string; readonly args: string } | undefined {
  const match = SLASH.exec(text.trim())
  return match ? { name: (match[1] ?? '').toLowerCase(), args: (match[2] ?? '').trim() } : undefined
}
