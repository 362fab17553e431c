import type { Identity } from '../http/auth/identify.ts'
import type { MessageDraft } from '../messages/message-input.ts'
import type { Access } from '../channels/access.ts'
import type { Work } from '../work.ts'
import type { MessageRow } from '../messages/message-table.ts'

/** A message that began with `/name`. */
export type CommandCall = {
  readonly work: Work
  readonly access: Access
  readonly who: Identity
  readonly draft: MessageDraft
  /** The text after the name, trimmed. */
  readonly args: string
}

/** The reply, shown only to the user who typed the command. */
export type CommandReply = {
  readonly text: string
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
}

/**
 * One slash command. To add one:
 *
 * 1. Write a handler in a file of this folder. `run` acts through `call.work`, the request's transaction: rows are written
 *    with its `db`, and events it emits are sent after the commit. It returns a short text that only the user who typed the
 *    command sees. `refuse(…)` rolls back what the handler did and is shown to the user as a message of type `error`.
 *    A handler is synchronous: no network and no timers. It checks rights itself, with
 *    `need(call.access, call.who, 'capability', 'Action')`; the right to write in the channel was checked before.
 *
 *    ```ts
 *    // main/server/commands/topic.ts: /topic [text]
 *    export const topicCommand: CommandHandler = {
 *      run({ work, access, who, args }) {
 *        need(access, who, 'update-channel', 'UpdateChannel')
 *        if (args === '') return refuse('input', 'Say what the topic is: /topic [text]')
 *        changeChannel(work.db, access.channel.cid, { name: args.slice(0, 100), updated_at: work.now })
 *        return { text: `The topic is now: ${args}` }
 *      },
 *    }
 *    ```
 *
 * 2. If its reply has buttons (`attachments[].actions`, each with `name`, `text`, `type: 'button'` and `value`), write
 *    `act` too: it gets the `value` of the pressed button and returns what to show next, `'send'` to turn the reply
 *    into a message of the channel, or `'drop'` to remove it. See `giphy.ts`. Replies with buttons are in memory only: after
 *    a restart of the server their buttons are refused with code 16.
 * 3. Add it to `HANDLERS` of `command-routes.ts` under its name.
 * 4. Declare it: in `COMMANDS` of `channels/channel-types.ts` for every workspace, or for one workspace with
 *    `POST /commands {"name": "topic", "description": "Change the topic", "args": "[text]"}` and a server token. Channel
 *    types whose `commands` are `["all"]` offer it from then on; others list it in their `commands`.
 * 5. Test it in `tests/contract/channels/commands.test.ts`.
 *
 * A command that is declared but has no handler is refused with code 44.
 */
export type CommandHandler = {
  run(call: CommandCall): CommandReply
  act?(button: string, call: Pick<CommandCall, 'work' | 'args'>): CommandReply | 'send' | 'drop'
}

/** A command's reply with buttons, in memory only: it becomes a message when it is sent. */
export type Ephemeral = {
  readonly row: MessageRow
  readonly draft: MessageDraft
  readonly command: string
  readonly args: string
}

const MAX_REPLIES = 1_000

/** The newest replies; the oldest are dropped, and all are lost when the process ends. */
export class Ephemerals {
  readonly #byId = new Map<string, Ephemeral>()

  put(ephemeral: Ephemeral): void {
    this.#byId.delete(ephemeral.row.id)
    if (this.#byId.size >= MAX_REPLIES) this.#byId.delete(this.#byId.keys().next().value ?? '')
    this.#byId.set(ephemeral.row.id, ephemeral)
  }

  get(id: string): Ephemeral | undefined {
    return this.#byId.get(id)
  }

  drop(id: string): void {
    this.#byId.delete(id)
  }
}
