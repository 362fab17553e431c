import { refuse } from '../http/refusal.ts'
import { flag } from '../moderation/flags.ts'
import { ban, mute, unban, unmute } from '../moderation/moderation.ts'
import { fold } from '../messages/words.ts'
import { membersOf } from '../channels/member-table.ts'
import { userById } from '../users/user-table.ts'
import type { CommandCall, CommandHandler } from './command.ts'

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

export const muteCommand = about(({ work, who }, { id, name }) => {
  mute(work, who, id)
  return `${name} has been muted`
})

export const unmuteCommand = about(({ work, who }, { id, name }) => {
  unmute(work, who, id)
  return `${name} has been unmuted`
})

export const banCommand = about(({ work, who, access }, { id, name, rest }) => {
  ban(work, who, { targetId: id, cid: access.channel.cid, reason: rest === '' ? undefined : rest })
  return `${name} has been banned`
})

export const unbanCommand = about(({ work, who, access }, { id, name }) => {
  unban(work, who, { targetId: id, cid: access.channel.cid })
  return `${name} has been unbanned`
})

export const flagCommand = about(({ work, who }, { id, name, rest }) => {
  flag(work, who, { kind: 'user', targetId: id, reason: rest === '' ? undefined : rest })
  return `${name} has been flagged`
})
