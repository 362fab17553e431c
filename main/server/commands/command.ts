import type { Identity } from '../http/auth/identify.ts'
import type { MessageDraft } from '../messages/message-input.ts'
import type { Access } from '../channels/access.ts'
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

/** What the person sees of it, and no one else. */
export type CommandAnswer = {
  readonly text: string
  readonly attachments?: readonly Readonly<Record<string, unknown>>[]
}

/**
 * One slash command. To add an own one:
 *
 * 1. Write a handler in a file of this folder. `run` acts through `call.work`, the request's transaction: rows are written
 *    with its `db`, and what it emits leaves after the commit. It answers a short text that only the person who typed the
 *    command sees. `refuse(…)` undoes whatever the handler did and is shown to the person as a message of type `error`.
 *    Nothing here may wait: there is no network and no timer in a handler. Rights are the handler's to check, with
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
 * 2. If its answer has buttons (`attachments[].actions`, each with `name`, `text`, `type: 'button'` and `value`), write
 *    `act` too: it is given the `value` of the button pressed and answers what to show next, `'send'` to turn the answer
 *    into a message of the channel, or `'drop'` to take it away. See `giphy.ts`. Answers with buttons live in memory: after
 *    a restart of the server their buttons answer 16.
 * 3. Put it into `HANDLERS` of `registry.ts` under its name.
 * 4. Name it: in `COMMANDS` of `channels/channel-types.ts` for every workspace, or for one workspace with
 *    `POST /commands {"name": "topic", "description": "Change the topic", "args": "[text]"}` and a server token. Channel
 *    types whose `commands` are `["all"]` have it from then on; others name it in their `commands`.
 * 5. Show it works in `tests/contract/channels/commands.test.ts`.
 *
 * A command that is named but has no handler is refused with code 44.
 */
export type CommandHandler = {
  run(call: CommandCall): CommandAnswer
  act?(button: string, call: Pick<CommandCall, 'work' | 'args'>): CommandAnswer | 'send' | 'drop'
}
