import { distinctId } from '#main/lib/ids.ts'
import { createChannel } from '../channels/channels.ts'
import { upsertUser } from '../users/users.ts'
import type { Db } from '../store/db.ts'
import { insertEmoji } from '../emoji/emoji.ts'
import { noteMessage, recountMessages, channelByCid, stampChannel } from '../channels/channel-table.ts'
import { changeMember, recountUnread } from '../channels/member-table.ts'
import {
  insertMessage,
  messageById,
  recountReplies,
  threadAuthors,
  type NewMessage,
} from '../messages/message-table.ts'
import { putChannelMute } from '../moderation/restriction-tables.ts'
import { noteReply } from '../threads/thread-table.ts'
import { insertPoll, putVote } from '../polls/poll-tables.ts'
import { putReaction } from '../messages/reaction-table.ts'
import { putReminder } from '../reminders/reminder-table.ts'
import { SECOND, type Micros } from '../store/time.ts'

/**
 * The content of a seed before it is written: plain data with relative times, so the same plan gives the same workspace
 * at any moment. {@link applyPlan} turns it into rows. Resource names are file names under `resources/demo/`.
 */
export type SeedPlan = {
  readonly people: readonly SeedPerson[]
  readonly channels: readonly SeedChannel[]
  /** In any order; written oldest first. Replies and quotes may only refer to older messages of the same channel. */
  readonly messages: readonly SeedMessage[]
  readonly polls: readonly SeedPoll[]
  /** How far each user has read. A member without an entry has read everything. */
  readonly reads: readonly SeedRead[]
  /** Channels that a user has muted, pinned to the top or archived. */
  readonly memberships?: readonly SeedMembership[]
  readonly emoji?: readonly SeedEmoji[]
}

/** A custom emoji; its picture is square. */
export type SeedEmoji = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly file: string
  /** Pixels per side. */
  readonly side: number
  readonly userId: string
}

export type SeedPerson = {
  readonly id: string
  readonly name: string
  /** Shown in the profile ("Product designer"). */
  readonly title?: string
  /** File name of a portrait. */
  readonly image?: string
  /** Language code of the messages of this user. */
  readonly language: string
  readonly bot?: boolean
  /** Application role; `user` by default. */
  readonly role?: 'user' | 'admin'
}

export type SeedChannel = {
  readonly type: 'messaging' | 'team'
  /** Omitted for direct messages: the contract derives their id from the members. */
  readonly id?: string
  /** The plan's name for a channel without an `id`, used in `cid` below; otherwise `cid` is `type:id`. */
  readonly alias?: string
  readonly name?: string
  readonly topic?: string
  readonly memberIds: readonly string[]
  readonly private?: boolean
  readonly createdBy: string
}

export type SeedAttachment = {
  /** File name of the resource; it is copied into the server's uploads. */
  readonly file: string
  readonly kind: 'image' | 'file' | 'audio' | 'video' | 'voiceRecording'
  readonly title: string
  readonly mimeType: string
  readonly width?: number
  readonly height?: number
  /** Seconds. */
  readonly duration?: number
}

export type SeedReaction = { readonly type: string; readonly userIds: readonly string[] }

export type SeedMessage = {
  readonly id: string
  /** `type:id`, or the alias of a channel without an id. */
  readonly cid: string
  readonly userId: string
  readonly text: string
  /** Minutes before now; fractions allowed. Written messages of one channel never share a timestamp. */
  readonly at: number
  readonly parentId?: string
  /** A reply that is also shown in the channel. */
  readonly showInChannel?: boolean
  readonly quotedId?: string
  readonly mentionedUserIds?: readonly string[]
  readonly attachments?: readonly SeedAttachment[]
  readonly pollId?: string
  readonly pinned?: boolean
  readonly silent?: boolean
  /** Minutes before now of the last edit. */
  readonly edited?: number
  readonly deleted?: boolean
  readonly system?: boolean
  readonly reactions?: readonly SeedReaction[]
  /** Who has put it aside, and in how many minutes from now they are reminded; absent: without a time. */
  readonly later?: readonly { readonly userId: string; readonly inMinutes?: number }[]
}

export type SeedPoll = {
  readonly id: string
  readonly createdBy: string
  readonly name: string
  readonly description?: string
  readonly options: readonly { readonly id: string; readonly text: string; readonly votes?: readonly string[] }[]
  readonly enforceUniqueVote?: boolean
  readonly maxVotesAllowed?: number
  readonly allowAnswers?: boolean
  readonly answers?: readonly { readonly userId: string; readonly text: string }[]
  readonly anonymous?: boolean
  readonly closed?: boolean
}

export type SeedRead = {
  readonly cid: string
  readonly userId: string
  /** The newest read message; later ones are unread. Absent: nothing was read. */
  readonly atMessageId?: string
}

export type SeedMembership = {
  readonly cid: string
  readonly userId: string
  readonly muted?: boolean
  readonly pinned?: boolean
  readonly archived?: boolean
}

/** The largest number of minutes a plan may reach back: three weeks and a day. */
export const SEED_MAX_MINUTES = 22 * 24 * 60

/** Copies a resource into the uploads and returns its URL. */
export type Publish = (file: {
  readonly file: string
  readonly title: string
  readonly mimeType: string
  readonly userId: string
  /** Pixels per side, for a square picture whose size must be stored. */
  readonly side?: number
}) => { readonly id: string; readonly url: string; readonly sizeBytes: number }

const MINUTE = 60 * SECOND

/** Writes a plan. The caller runs it in a transaction, so a plan is stored whole or not at all. */
export function applyPlan(db: Db, plan: SeedPlan, now: Micros, publish: Publish): void {
  const start = now - SEED_MAX_MINUTES * MINUTE
  writePeople(db, plan, start, publish)
  const cids = writeChannels(db, plan, start)
  for (const poll of plan.polls) {
    const sent = plan.messages.find(({ pollId }) => pollId === poll.id)
    writePoll(db, poll, sent === undefined ? start : Math.round(now - sent.at * MINUTE))
  }
  const cidOf = (name: string): string => cids.get(name) ?? name
  for (const message of plan.messages.toSorted((a, b) => b.at - a.at)) {
    writeMessage(db, { ...message, cid: cidOf(message.cid) }, now, publish)
  }
  for (const cid of new Set(cids.values())) {
    recountMessages(db, cid)
    readAll(db, cid)
  }
  for (const read of plan.reads) writeRead(db, cidOf(read.cid), read.userId, read.atMessageId)
  for (const cid of new Set(cids.values())) {
    recountUnread(db, cid)
    readThreads(db, cid)
  }
  writeMemberships(db, plan, now, cidOf)
  for (const emoji of plan.emoji ?? []) writeEmoji(db, emoji, start, publish)
}

function writeEmoji(db: Db, { name, aliases, file, side, userId }: SeedEmoji, at: Micros, publish: Publish): void {
  const { id } = publish({ file, title: file, mimeType: mimeOf(file), userId, side })
  insertEmoji(db, {
    name,
    aliases: JSON.stringify(aliases),
    upload_id: id,
    created_by: userId,
    created_at: at,
    updated_at: at,
  })
}

function writePeople(db: Db, plan: SeedPlan, at: Micros, publish: Publish): void {
  for (const person of plan.people) {
    const image = person.image
      ? publish({ file: person.image, title: person.image, mimeType: mimeOf(person.image), userId: person.id }).url
      : undefined
    const details = {
      name: person.name,
      language: person.language,
      ...(image === undefined ? {} : { image }),
      ...(person.title === undefined ? {} : { title: person.title }),
      ...(person.bot ? { bot: true } : {}),
    }
    upsertUser(db, person.id, details, at, person.role ?? 'user')
  }
}

const MIMES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}

function mimeOf(file: string): string {
  return MIMES[file.split('.').at(-1) ?? ''] ?? 'image/jpeg'
}

/** The names that the plan uses for channels, mapped to their cids. */
function writeChannels(db: Db, plan: SeedPlan, at: Micros): Map<string, string> {
  const cids = new Map<string, string>()
  for (const channel of plan.channels) {
    const id = channel.id ?? distinctId(channel.memberIds)
    const row = createChannel(
      db,
      {
        type: channel.type,
        id,
        createdBy: channel.createdBy,
        data: {
          ...(channel.name === undefined ? {} : { name: channel.name }),
          ...(channel.topic === undefined ? {} : { topic: channel.topic }),
          ...(channel.private ? { private: true } : {}),
        },
        members: channel.memberIds.map((userId) => ({ userId, role: undefined, custom: {} })),
        invites: [],
      },
      at,
    )
    cids.set(row.cid, row.cid)
    if (channel.alias !== undefined) cids.set(channel.alias, row.cid)
  }
  return cids
}

function writePoll(db: Db, poll: SeedPoll, at: Micros): void {
  insertPoll(
    db,
    {
      id: poll.id,
      name: poll.name,
      description: poll.description ?? '',
      created_by: poll.createdBy,
      enforce_unique: Number(poll.enforceUniqueVote ?? true),
      max_votes: poll.maxVotesAllowed ?? null,
      allow_answers: Number(poll.allowAnswers ?? false),
      allow_suggestions: 0,
      closes_at: null,
      visibility: poll.anonymous ? 'anonymous' : 'public',
      closed: Number(poll.closed ?? false),
      created_at: at,
      updated_at: at,
      custom: '{}',
    },
    poll.options.map((option) => ({ id: option.id, text: option.text, custom: '{}' })),
  )
  const votes = poll.options.flatMap((option) => (option.votes ?? []).map((userId) => ({ userId, option: option.id })))
  votes.forEach(({ userId, option }, index) => {
    const time = at + index * SECOND
    putVote(db, {
      id: `${poll.id}-${userId}-${option}`,
      poll_id: poll.id,
      option_id: option,
      user_id: userId,
      answer: null,
      created_at: time,
      updated_at: time,
    })
  })
  for (const answer of poll.answers ?? []) {
    putVote(db, {
      id: `${poll.id}-${answer.userId}-answer`,
      poll_id: poll.id,
      option_id: '',
      user_id: answer.userId,
      answer: answer.text,
      created_at: at,
      updated_at: at,
    })
  }
}

function writeMessage(db: Db, message: SeedMessage, now: Micros, publish: Publish): void {
  const at = stampChannel(db, message.cid, Math.round(now - message.at * MINUTE))
  const edited = message.edited === undefined ? null : Math.max(at + SECOND, Math.round(now - message.edited * MINUTE))
  const row: NewMessage = {
    id: message.id,
    cid: message.cid,
    user_id: message.userId,
    type: message.system ? 'system' : message.parentId === undefined ? 'regular' : 'reply',
    text: message.text,
    parent_id: message.parentId ?? null,
    show_in_channel: Number(message.showInChannel ?? false),
    in_channel: Number(message.parentId === undefined || message.showInChannel === true),
    quoted_id: message.quotedId ?? null,
    poll_id: message.pollId ?? null,
    silent: Number(message.silent ?? false),
    shadowed: 0,
    created_at: at,
    updated_at: edited ?? at,
    text_updated_at: edited,
    deleted_at: message.deleted ? (edited ?? at + MINUTE) : null,
    pinned_at: message.pinned ? at + MINUTE : null,
    pinned_by: message.pinned ? message.userId : null,
    pin_expires: null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: JSON.stringify(attachmentsOf(message, publish)),
    mentions: JSON.stringify(message.mentionedUserIds ?? []),
    custom: '{}',
  }
  insertMessage(db, row)
  if (row.in_channel) noteMessage(db, row.cid, at)
  if (row.parent_id !== null) writeReply(db, row.id, row.parent_id)
  writeReactions(db, message, at)
  for (const { userId, inMinutes } of message.later ?? []) {
    putReminder(db, {
      user_id: userId,
      message_id: message.id,
      cid: message.cid,
      remind_at: inMinutes === undefined ? null : now + inMinutes * MINUTE,
      fired: 0,
      created_at: now,
      updated_at: now,
    })
  }
}

/** Updates the thread as when a user sends a reply: participants and their read states. */
function writeReply(db: Db, id: string, parentId: string): void {
  const [reply, parent] = [messageById(db, id), recountReplies(db, parentId)]
  if (reply && parent) noteReply(db, reply, parentId, [parent.user_id, ...threadAuthors(db, parentId)])
}

function attachmentsOf(message: SeedMessage, publish: Publish): Record<string, unknown>[] {
  return (message.attachments ?? []).map((attachment) => {
    const { url, sizeBytes } = publish({ ...attachment, userId: message.userId })
    const isImage = attachment.kind === 'image'
    return {
      type: attachment.kind,
      ...(isImage ? { fallback: attachment.title, image_url: url } : { title: attachment.title, asset_url: url }),
      mime_type: attachment.mimeType,
      file_size: sizeBytes,
      original_width: attachment.width,
      original_height: attachment.height,
      ...(attachment.duration === undefined ? {} : { duration: attachment.duration }),
    }
  })
}

function writeReactions(db: Db, message: SeedMessage, at: Micros): void {
  const all = (message.reactions ?? []).flatMap(({ type, userIds }) => userIds.map((userId) => ({ type, userId })))
  all.forEach(({ type, userId }, index) => {
    const time = at + (index + 1) * SECOND
    putReaction(db, {
      message_id: message.id,
      user_id: userId,
      type,
      score: 1,
      created_at: time,
      updated_at: time,
      custom: '{}',
    })
  })
}

/** All members have read everything, unless the plan has another read state. */
function readAll(db: Db, cid: string): void {
  db.changing('members').run(
    `UPDATE members SET unread = 0, last_read = c.last_updated, last_read_message_id = (
       SELECT m.id FROM messages m WHERE m.cid = members.cid AND m.in_channel = 1
       ORDER BY m.created_at DESC, m.id DESC LIMIT 1)
     FROM channels c WHERE c.cid = members.cid AND members.cid = ?`,
    cid,
  )
}

/** A member who has read the channel up to a time has read its threads up to it too. */
function readThreads(db: Db, cid: string): void {
  db.run(
    `UPDATE thread_participants SET last_read = max(thread_participants.last_read, m.last_read)
     FROM members m WHERE m.cid = thread_participants.cid AND m.user_id = thread_participants.user_id
       AND thread_participants.cid = ?`,
    cid,
  )
}

function writeRead(db: Db, cid: string, userId: string, messageId: string | undefined): void {
  const message = messageId === undefined ? undefined : messageById(db, messageId)
  changeMember(db, cid, userId, {
    last_read: message?.created_at ?? channelByCid(db, cid)?.created_at ?? 0,
    last_read_message_id: message?.id ?? null,
  })
}

function writeMemberships(db: Db, plan: SeedPlan, now: Micros, cidOf: (name: string) => string): void {
  for (const membership of plan.memberships ?? []) {
    const cid = cidOf(membership.cid)
    changeMember(db, cid, membership.userId, {
      ...(membership.pinned ? { pinned_at: now } : {}),
      ...(membership.archived ? { archived_at: now } : {}),
    })
    if (membership.muted) {
      putChannelMute(db, { user_id: membership.userId, cid, created_at: now, updated_at: now, expires_at: null })
    }
  }
}
