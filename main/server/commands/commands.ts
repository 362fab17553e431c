import type { Identity } from '../http/auth/identify.ts'
import type { MessageDraft } from '../messages/message-input.ts'
import { type Access, openChannel } from '../channels/access.ts'
import { type Work, trying } from '../work.ts'
import type { MessageRow } from '../messages/message-table.ts'
import * as v from 'valibot'
import { readCommand } from '#shared/rules/composer/commands.ts'
import { runMessageAction } from '#shared/wire/messages.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { route, type Later, type Route } from '../http/router.ts'
import { idText } from '../http/shapes.ts'
import { commandsIn } from '../channels/channel-types.ts'
import { messageFor } from '../messages/message-announce.ts'
import { checkId, checkRights } from '../messages/message-checks.ts'
import { post } from '../messages/message-post.ts'
import { flag } from '../moderation/flags.ts'
import { ban, mute, unban, unmute } from '../moderation/moderation.ts'
import { fold } from '../messages/words.ts'
import { membersOf } from '../channels/member-table.ts'
import { userById } from '../users/user-tables.ts'
import { askProgram, programOf } from '../integrations/outgoing.ts'
import { giphyCommand } from './giphy.ts'

/** A message that began with `/name`. */
type CommandCall = {
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
 * 3. Add it to {@link HANDLERS} under its name.
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
type Ephemeral = {
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

/** Members searched for a name. */
const MEMBERS_SEARCHED = 1_000

type MentionedUser = { readonly id: string; readonly name: string; readonly rest: string }

/** The first mentioned user, or the one that `@id` or `@name` at the beginning names. See docs/wire.md 8.4. */
function mentionedUser({ work, access, draft, args }: CommandCall): MentionedUser {
  const people = membersOf(work.db, access.channel.cid, MEMBERS_SEARCHED).map((row) => work.people(row.user_id))
  const [mentioned] = draft.mentioned_users ?? []
  const known = mentioned === undefined ? undefined : userById(work.db, mentioned)
  const named = people
    .flatMap((user) => [user.name ?? '', user.id].map((name) => ({ user, name })))
    .filter(({ name }) => name !== '' && begins(args, name))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  const id = known?.id ?? named?.user.id
  if (id === undefined) return refuse('input', 'Name a person: @username')
  const rest = named ? args.replace(/^@/, '').slice(named.name.length) : args.replace(/^@\S*/, '')
  return { id, name: work.people(id).name ?? id, rest: rest.trim() }
}

/** Whether the arguments begin with this name, as a whole word. */
function begins(args: string, name: string): boolean {
  const text = args.replace(/^@/, '')
  const next = text.slice(name.length, name.length + 1)
  return fold(text.slice(0, name.length)) === fold(name) && /^[\s,.:;!?]?$/.test(next)
}

/** A command about one user. */
const about = (act: (call: CommandCall, user: MentionedUser) => string): CommandHandler => ({
  run: (call) => ({ text: act(call, mentionedUser(call)) }),
})

const muteCommand = about(({ work, who }, { id, name }) => {
  mute(work, who, id)
  return `${name} has been muted`
})

const unmuteCommand = about(({ work, who }, { id, name }) => {
  unmute(work, who, id)
  return `${name} has been unmuted`
})

const banCommand = about(({ work, who, access }, { id, name, rest }) => {
  ban(work, who, { targetId: id, cid: access.channel.cid, reason: rest === '' ? undefined : rest })
  return `${name} has been banned`
})

const unbanCommand = about(({ work, who, access }, { id, name }) => {
  unban(work, who, { targetId: id, cid: access.channel.cid })
  return `${name} has been unbanned`
})

const flagCommand = about(({ work, who }, { id, name, rest }) => {
  flag(work, who, { kind: 'user', targetId: id, reason: rest === '' ? undefined : rest })
  return `${name} has been flagged`
})

/** The handler of each command. To add one, see {@link CommandHandler}. */
export const HANDLERS: Readonly<Record<string, CommandHandler>> = {
  giphy: giphyCommand,
  mute: muteCommand,
  unmute: unmuteCommand,
  ban: banCommand,
  unban: unbanCommand,
  flag: flagCommand,
}

function handlerOf(name: string): CommandHandler | undefined {
  return Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined
}

const actionBody = v.looseObject({ message_id: idText(), form_data: v.record(v.string(), v.string()) })

export const commandRoutes: readonly Route[] = [
  route(runMessageAction, { body: actionBody }, ({ params, body, who }, work) => {
    const ephemeral = work.ephemerals.get(params.id)
    if (ephemeral?.row.user_id !== who.userId) return refuse('doesNotExist', `message ${params.id} does not exist`)
    const access = openChannel(work.db, ephemeral.row.cid, who)
    const button = body.form_data['image_action'] ?? Object.values(body.form_data)[0] ?? ''
    const next = handlerOf(ephemeral.command)?.act?.(button, { work, args: ephemeral.args })
    if (next === undefined) return refuse('input', 'this message has no buttons')
    if (next === 'drop' || next === 'send') work.ephemerals.drop(params.id)
    if (next === 'drop') return {}
    return { message: next === 'send' ? send(work, access, who, ephemeral) : show(work, who, ephemeral, next) }
  }),
]

/** Runs the command a text begins with, if the channel offers it; `undefined`: the text is an ordinary message. */
export function runCommand(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
): WireMessage | Later | undefined {
  const command = readCommand(draft.text ?? '')
  if (!command || !commandsIn(work.db, access.flags).some(({ name }) => name === command.name)) return undefined
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  checkRights(work, access, who, draft)
  checkId(work, draft)
  const row = blankRow(work, access, who, draft)
  const program = programOf(work.db, command.name)
  if (program) return askProgram(work, program, { access, who, row, args: command.args })
  const handler = handlerOf(command.name)
  if (!handler) return refuse('customCommandMissing', `the command ${command.name} has no handler`)
  const extra = JSON.stringify({ command: command.name, args: command.args })
  try {
    const reply = trying(work, (inner) => handler.run({ work: inner, access, who, draft, args: command.args }))
    const ephemeral = { row: { ...row, extra }, draft, command: command.name, args: command.args }
    return show(work, who, ephemeral, reply)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return messageFor(work, { ...row, type: 'error', text: error.message, extra }, who)
  }
}

/** The reply as the user sees it; stored in memory when it has buttons. */
function show(work: Work, who: Identity, ephemeral: Ephemeral, reply: CommandReply): WireMessage {
  const attachments = reply.attachments ?? []
  const row = { ...ephemeral.row, text: reply.text, attachments: JSON.stringify(attachments), updated_at: work.now }
  if (attachments.length > 0) work.ephemerals.put({ ...ephemeral, row })
  return messageFor(work, row, who)
}

/** Turns the reply into a message of the channel, without its buttons. */
function send(work: Work, access: Access, who: Identity, { row, draft, command, args }: Ephemeral): WireMessage {
  const attachments = (JSON.parse(row.attachments) as Readonly<Record<string, unknown>>[]).map(
    ({ actions: _buttons, ...attachment }) => attachment,
  )
  const message = { ...draft, id: row.id, text: row.text, attachments }
  return messageFor(work, post(work, access, who, message, { command: { name: command, args } }), who)
}

/** A message row that is not stored. */
function blankRow(work: Work, access: Access, who: Identity, draft: MessageDraft): MessageRow {
  return {
    id: draft.id ?? work.ids.uuid(),
    cid: access.channel.cid,
    user_id: who.userId,
    type: 'ephemeral',
    text: '',
    parent_id: draft.parent_id ?? null,
    show_in_channel: Number(draft.show_in_channel ?? false),
    in_channel: 0,
    quoted_id: null,
    poll_id: null,
    silent: 1,
    shadowed: 0,
    created_at: work.now,
    updated_at: work.now,
    text_updated_at: null,
    deleted_at: null,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: '[]',
    mentions: '[]',
    custom: '{}',
    audience: null,
    pending: 0,
    extra: '{}',
  }
}
