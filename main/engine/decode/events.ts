import * as v from 'valibot'
import { parseTime } from '#shared/lib/rfc3339.ts'
import type { WireEventType } from '#shared/wire/events.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { asWire, countOf, idOf, nameOf, type Wire, pastOf } from './read.ts'

/**
 * What an applier may rely on, one shape per event type. Fields that are required, and fields that would change the
 * meaning if they were ignored, must be valid, or the event is dropped and counted; other invalid fields count as absent.
 * Nested objects (a message, a channel, a poll) are decoded by their own decoders.
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
/** Passed on as it is: a copy of each message, user and reaction of an event costs more than all other checks. */
const named = v.custom<Wire & { readonly id: string }>((value) => idOf(asWire(value)?.['id']) !== undefined, 'named')

/** Invalid values count as absent. */
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
/** About a user. */
const ofPerson = { user: named }
/** In a channel or thread: an invalid parent is an error, because ignoring it would move the event into the channel. */
const inComposer = { cid, parent_id: v.optional(id), user: maybe(named) }
const aboutMessage = { ...inChannel, message: named }
const aboutReaction = {
  ...aboutMessage,
  reaction: v.pipe(noun, v.looseObject({ type: id, user_id: maybe(id), user: maybe(named) })),
}
const time = v.check((text: string) => parseTime(text) !== undefined, 'a time')
/** Without a time everything is removed: an invalid time must not be read as none. */
const truncated = {
  ...inChannel,
  channel: v.optional(v.pipe(noun, v.looseObject({ truncated_at: v.nullish(v.pipe(v.string(), time)) }))),
}
const aboutMember = { ...inChannel, member: maybe(noun) }
const ofReader = { cid, user: named, last_read_message_id: maybe(id) }
const aboutVote = { poll: named, poll_vote: noun }
/** Without a channel it applies everywhere: an invalid channel must not be read as none. */
const anywhere = { cid: v.optional(cid) }
const aboutReminder = { reminder: noun }
const aboutDraft = { draft: noun }
const aboutReview = { review_queue_item: named, stats: maybe(noun) }
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
  'channel.updated': { ...inChannel, channel: noun, history_changed: flag },
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
  'review_queue_item.new': aboutReview,
  'review_queue_item.updated': aboutReview,
  'moderation.updated': {},
  'integrations.updated': {},
  'integrations.failing': { integration: noun },
  'user_group.created': {},
  'user_group.updated': {},
  'user_group.deleted': {},
  'user_group.member_added': {},
  'user_group.member_removed': {},
  'app.updated': { app: maybe(noun), channel_type: maybe(name) },
  'emoji.created': aboutEmoji,
  'emoji.updated': { ...aboutEmoji, former_name: name },
  'emoji.deleted': aboutEmoji,
} as const satisfies { readonly [Type in WireEventType]?: v.ObjectEntries }

/** Event types that are handled. */
export type HandledType = keyof typeof SHAPES

type Shapes = { readonly [Type in HandledType]: v.ObjectSchema<(typeof SHAPES)[Type], undefined> }
const schemas = Object.fromEntries(Object.entries(SHAPES).map(([type, entries]) => [type, v.object(entries)])) as Shapes

/** An event with checked fields. */
export type HandledEvent<Type extends HandledType> = v.InferOutput<Shapes[Type]>

type DecodedFields<Type extends HandledType> =
  | { readonly ok: true; readonly event: HandledEvent<Type> }
  | { readonly ok: false; readonly field: string }

const HANDLED: ReadonlyMap<string, HandledType> = new Map(
  (Object.keys(SHAPES) as HandledType[]).map((type) => [type, type]),
)

/** The type, if events of it are handled: as a constant, by which tables are read faster than by a text of the server. */
export const handledType = (type: string): HandledType | undefined => HANDLED.get(type)

/** Never throws. `null` and an empty text count as absent. */
export function decodeFields<Type extends HandledType>(type: Type, wire: Wire): DecodedFields<Type> {
  const parsed = v.safeParse(schemas[type], present(wire), { abortEarly: true })
  if (parsed.success) return { ok: true, event: parsed.output }
  return { ok: false, field: v.getDotPath(parsed.issues[0] as v.BaseIssue<unknown>)?.split('.', 1)[0] ?? '' }
}

const isAbsent = (value: unknown): boolean => value === null || value === ''

const present = (wire: Wire): Wire =>
  Object.values(wire).some(isAbsent)
    ? Object.fromEntries(Object.entries(wire).filter(([, value]) => !isAbsent(value)))
    : wire

/** Fields of any event, before an applier reads it. */
export type EventEnvelope = {
  readonly type: string
  /** Server time; absent if the event has no plausible one. */
  readonly at: number | undefined
  readonly cid?: Cid | undefined
  readonly wire: Wire
}

/** See docs/wire.md 4.1. `undefined` if it is not an event. Never throws. */
export function decodeEvent(value: unknown, latest?: number): EventEnvelope | undefined {
  const wire = asWire(value)
  const type = nameOf(wire?.['type'], 200)
  if (!wire || type === undefined) return undefined
  const cid = eventCid(wire)
  return { type, at: pastOf(wire['created_at'], { latest }), cid, wire }
}

/** The channel of an event: `cid`, or its parts, or that of the object inside. */
function eventCid(wire: Wire): Cid | undefined {
  const [type, id] = [idOf(wire['channel_type']), idOf(wire['channel_id'])]
  const parts = type !== undefined && id !== undefined ? `${type}:${id}` : undefined
  const found =
    idOf(wire['cid']) ?? parts ?? idOf(asWire(wire['channel'])?.['cid']) ?? idOf(asWire(wire['message'])?.['cid'])
  return found === undefined ? undefined : asCid(found)
}
