import * as v from 'valibot'
import { parseTime } from '#shared/lib/rfc3339.ts'
import type { WireEventType } from '#shared/wire/events.ts'
import { asWire, countOf, idOf, nameOf, type Wire } from './read.ts'

/**
 * What an applier may rely on, by event type: one shape each. What an event cannot do without, and what would change its
 * meaning when it were left out, must be right, or the event is dropped and counted; everything else that is odd counts as
 * absent. What stands inside (a message, a channel, a poll) is taken apart by its own decoder.
 */
const id = v.pipe(
  v.string(),
  v.check((text) => idOf(text) !== undefined, 'an id'),
)
const cid = v.pipe(
  id,
  v.check((text) => /^[^:]+:./s.test(text), 'a cid'),
)
const noun = v.custom<Wire>((value) => asWire(value) !== undefined, 'an object')
const named = v.pipe(noun, v.looseObject({ id }))

/** Odd ones count as absent. */
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.optional(schema), undefined)
const text = maybe(v.string())
const flag = maybe(v.boolean())
const count = v.optional(v.pipe(v.unknown(), v.transform(countOf)))
const name = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => nameOf(value)),
  ),
)

const inChannel = { cid, watcher_count: count, channel: maybe(noun), user: maybe(named), message: maybe(noun) }
/** About someone. */
const ofPerson = { user: named }
/** In a channel, or under a message there: a parent that is odd would move it into the channel. */
const inComposer = { cid, parent_id: v.optional(id), user: maybe(named) }
const aboutMessage = { ...inChannel, message: named }
const aboutReaction = {
  ...aboutMessage,
  reaction: v.pipe(noun, v.looseObject({ type: id, user_id: maybe(id), user: maybe(named) })),
}
const time = v.check((text: string) => parseTime(text) !== undefined, 'a time')
/** Without a time everything is gone: one that is odd must not be taken for that. */
const truncated = {
  ...inChannel,
  channel: v.optional(v.pipe(noun, v.looseObject({ truncated_at: v.nullish(v.pipe(v.string(), time)) }))),
}
const aboutMember = { ...inChannel, member: maybe(noun) }
const ofReader = { cid, user: named, last_read_message_id: maybe(id) }
const aboutVote = { poll: named, poll_vote: noun }
/** Without a channel it is meant everywhere: one that is odd must not be taken for that. */
const anywhere = { cid: v.optional(cid) }
const aboutReminder = { reminder: noun }
const aboutDraft = { draft: noun }
const aboutEmoji = { emoji: noun }

const SHAPES = {
  'message.new': aboutMessage,
  'message.updated': aboutMessage,
  'message.deleted': { ...aboutMessage, hard_delete: flag },
  'message.undeleted': aboutMessage,
  'message.read': {
    ...ofReader,
    thread: v.optional(v.pipe(noun, v.looseObject({ parent_message_id: id }))),
  },
  'message.delivered': { ...ofReader, last_delivered_at: text },
  'reaction.new': aboutReaction,
  'reaction.updated': aboutReaction,
  'reaction.deleted': aboutReaction,
  'channel.updated': { ...inChannel, channel: noun },
  'channel.deleted': inChannel,
  'channel.truncated': truncated,
  'channel.hidden': { ...inChannel, clear_history: flag },
  'channel.visible': inChannel,
  'channel.frozen': inChannel,
  'channel.unfrozen': inChannel,
  'channel.kicked': inChannel,
  'member.added': { ...aboutMember, member: noun },
  'member.updated': { ...aboutMember, member: noun },
  'member.removed': aboutMember,
  'notification.message_new': { ...aboutMessage, channel: noun },
  'notification.thread_message_new': { ...aboutMessage, thread_id: maybe(id) },
  'notification.mark_read': {
    ...anywhere,
    thread_id: v.optional(id),
    last_read_message_id: maybe(id),
    unread_channels: count,
  },
  'notification.mark_unread': {
    cid,
    thread_id: v.optional(id),
    last_read_at: text,
    last_read_message_id: maybe(id),
    first_unread_message_id: maybe(id),
    unread_messages: count,
  },
  'notification.added_to_channel': { ...aboutMember, channel: noun },
  'notification.removed_from_channel': inChannel,
  'notification.invited': inChannel,
  'notification.invite_accepted': aboutMember,
  'notification.invite_rejected': inChannel,
  'notification.channel_deleted': inChannel,
  'notification.channel_truncated': truncated,
  'notification.channel_mutes_updated': { me: named },
  'notification.mutes_updated': { me: named },
  'user.presence.changed': ofPerson,
  'user.updated': ofPerson,
  'user.deleted': { ...ofPerson, hard_delete: flag, mark_messages_deleted: flag },
  'user.deactivated': ofPerson,
  'user.reactivated': ofPerson,
  'user.banned': { ...anywhere, ...ofPerson, shadow: flag },
  'user.unbanned': { ...anywhere, ...ofPerson, shadow: flag },
  'user.messages.deleted': { ...anywhere, ...ofPerson, hard_delete: flag },
  'user.watching.start': { ...inChannel, ...ofPerson },
  'user.watching.stop': { ...inChannel, ...ofPerson },
  'typing.start': { ...inComposer, ...ofPerson },
  'typing.stop': { ...inComposer, ...ofPerson },
  'ai_indicator.update': { ...inComposer, ai_state: v.string() },
  'ai_indicator.clear': inComposer,
  'poll.updated': { poll: named },
  'poll.closed': { poll: named },
  'poll.deleted': { poll: named },
  'poll.vote_casted': aboutVote,
  'poll.vote_changed': aboutVote,
  'poll.vote_removed': aboutVote,
  'draft.updated': aboutDraft,
  'draft.deleted': aboutDraft,
  'reminder.created': aboutReminder,
  'reminder.updated': aboutReminder,
  'reminder.deleted': aboutReminder,
  'notification.reminder_due': aboutReminder,
  'thread.updated': { cid, thread: noun },
  'app.updated': { app: maybe(noun) },
  'emoji.created': aboutEmoji,
  'emoji.updated': { ...aboutEmoji, former_name: name },
  'emoji.deleted': aboutEmoji,
} as const satisfies { readonly [Type in WireEventType]?: v.ObjectEntries }

/** Types that are read at all. */
export type HeardType = keyof typeof SHAPES

type Shapes = { readonly [Type in HeardType]: v.ObjectSchema<(typeof SHAPES)[Type], undefined> }
const schemas = Object.fromEntries(Object.entries(SHAPES).map(([type, entries]) => [type, v.object(entries)])) as Shapes

/** An event whose fields are what they are said to be. */
export type HeardEvent<Type extends HeardType> = v.InferOutput<Shapes[Type]>

type Heard<Type extends HeardType> =
  { readonly ok: true; readonly event: HeardEvent<Type> } | { readonly ok: false; readonly field: string }

export const isHeard = (type: string): type is HeardType => Object.hasOwn(SHAPES, type)

/** Never throws. `null` and an empty text say nothing. */
export function decodeHeard<Type extends HeardType>(type: Type, wire: Wire): Heard<Type> {
  const said = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null && value !== ''))
  const parsed = v.safeParse(schemas[type], said, { abortEarly: true })
  if (parsed.success) return { ok: true, event: parsed.output }
  return { ok: false, field: v.getDotPath(parsed.issues[0] as v.BaseIssue<unknown>)?.split('.', 1)[0] ?? '' }
}
