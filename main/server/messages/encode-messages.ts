import type {
  WireMessage,
  WirePoll,
  WireUser,
  WireDraft,
  WireReaction,
  WireReactionGroup,
} from '#shared/wire/objects.ts'
import type { Db } from '../store/db.ts'
import { threadDrafts, bareDraft } from '../drafts/draft-table.ts'
import { locationsOf, type LocationRow, encodeLocation } from '../locations/location-table.ts'
import {
  blockedBy,
  userById,
  usersByIds,
  type UserRow,
  groupsByIds,
  type GroupRow,
  encodeGroup,
} from '../users/user-tables.ts'
import { optionsOf, pollsByIds, votesOf, encodePoll } from '../polls/poll-tables.ts'
import { remindersOn, type ReminderRow, encodeReminder } from '../reminders/reminder-table.ts'
import { encodeUser, unknownUser, type OnlineNow } from '../users/encode-users.ts'
import { toText } from '../store/time.ts'
import {
  hiddenFrom,
  messagesByIds,
  threadAuthors,
  type MessageExtra,
  type MessageRow,
  audienceIds,
} from './message-table.ts'
import { reactionsOf, type ReactionRow } from './reaction-table.ts'

/** Finds users by id in their public form, loading each once. */
export type People = ((id: string) => WireUser) & {
  /** The full form for the user and administrators: with private keys and teams. */
  whole(id: string, row?: UserRow): WireUser
  load(ids: Iterable<string>): void
  /** Drops a user after a change of their row. */
  forget(id: string): void
  /** Stored texts with freshly signed file URLs. */
  readonly fresh: (text: string) => string
}

export function people(db: Db, online: OnlineNow, fresh: (text: string) => string): People {
  const known = new Map<string, WireUser>()
  const load = (ids: Iterable<string>): void => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id))
    for (const [id, row] of usersByIds(db, missing)) known.set(id, withFreshImage(encodeUser(row, online), fresh))
  }
  const find = (id: string): WireUser => {
    if (!known.has(id)) load([id])
    return known.get(id) ?? unknownUser(id)
  }
  const whole = (id: string, known?: UserRow): WireUser => {
    const row = known ?? userById(db, id)
    return row ? withFreshImage(encodeUser(row, online, true), fresh) : unknownUser(id)
  }
  return Object.assign(find, { load, fresh, whole, forget: (id: string) => void known.delete(id) })
}

function withFreshImage(user: WireUser, fresh: (text: string) => string): WireUser {
  return user.image ? { ...user, image: fresh(user.image) } : user
}

/** Encodes a page of messages with a fixed number of queries, independent of its length. */
export function encodeMessages(
  db: Db,
  rows: readonly MessageRow[],
  view: {
    readonly viewer: string | undefined
    readonly now: number
    readonly people: People
    readonly showDeleted?: boolean
  },
): WireMessage[] {
  if (rows.length === 0) return []
  const quoted = messagesByIds(
    db,
    rows.flatMap((row) => row.quoted_id ?? []),
  )
  const all = [...rows, ...quoted.values()]
  const ids = all.map((row) => row.id)
  const reactions = Map.groupBy(reactionsOf(db, ids), (reaction) => reaction.message_id)
  view.people.load(peopleIn(all, [...reactions.values()].flat()))
  const polls = loadPolls(db, all, view)
  const roles = rolesOf(db, all)
  const locations = locationsOf(db, ids)
  const reminders = view.viewer === undefined ? undefined : remindersOn(db, view.viewer, ids)
  const drafts = view.viewer === undefined ? undefined : threadDrafts(db, view.viewer, ids)
  const groups = groupsByIds(db, all.flatMap(groupIdsOf))
  const hidden = view.viewer === undefined ? undefined : hiddenFrom(db, view.viewer, ids)
  const blocked = view.viewer === undefined || quoted.size === 0 ? undefined : blockedBy(db, view.viewer)
  const shownTo = (row: MessageRow | undefined) => (row && blocked?.has(row.user_id) ? undefined : row)
  return rows.map((row) =>
    encodeMessage(row, {
      user: view.people,
      reactions: (id) => reactions.get(id) ?? [],
      quoted: (id) => shownTo(quoted.get(id)),
      poll: (id) => polls.get(id),
      participants: (id) => threadAuthors(db, id),
      channelRole: (cid, userId) => roles.get(`${cid} ${userId}`),
      viewer: view.viewer,
      now: view.now,
      fresh: view.people.fresh,
      location: (id) => locations.get(id),
      reminder: (id) => reminders?.get(id),
      draft: (id) => {
        const draft = drafts?.get(id)
        return draft && bareDraft(view, draft)
      },
      groups: (id) => groups.get(id),
      hidden: (id) => hidden?.has(id) ?? false,
      showDeleted: view.showDeleted ?? false,
    }),
  )
}

const groupIdsOf = (row: MessageRow): readonly string[] =>
  row.extra === '{}' ? [] : ((JSON.parse(row.extra) as MessageExtra).mentioned_group_ids ?? [])

function peopleIn(rows: readonly MessageRow[], reactions: readonly { user_id: string }[]): Set<string> {
  const ids = new Set(reactions.map((reaction) => reaction.user_id))
  for (const row of rows) {
    ids.add(row.user_id)
    if (row.pinned_by !== null) ids.add(row.pinned_by)
    for (const id of JSON.parse(row.mentions) as string[]) ids.add(id)
  }
  return ids
}

function loadPolls(
  db: Db,
  rows: readonly MessageRow[],
  view: { readonly viewer: string | undefined; readonly people: People },
): Map<string, WirePoll> {
  const found = pollsByIds(
    db,
    rows.flatMap((row) => row.poll_id ?? []),
  )
  return new Map(
    [...found.values()].map((row) => [
      row.id,
      encodePoll(row, {
        options: optionsOf(db, row.id),
        votes: votesOf(db, row.id),
        user: view.people,
        viewer: view.viewer,
      }),
    ]),
  )
}

const ROLES = `SELECT m.cid, m.user_id, m.channel_role FROM json_each(?) AS pair
  JOIN members m ON m.cid = pair.value ->> 0 AND m.user_id = pair.value ->> 1`

function rolesOf(db: Db, rows: readonly MessageRow[]): Map<string, string> {
  const pairs = new Map(rows.map((row) => [`${row.cid} ${row.user_id}`, [row.cid, row.user_id]]))
  const found = db.all<{ cid: string; user_id: string; channel_role: string }>(
    ROLES,
    JSON.stringify([...pairs.values()]),
  )
  return new Map(found.map((row) => [`${row.cid} ${row.user_id}`, row.channel_role]))
}

const LATEST_REACTIONS = 10

/** Data of a message from other tables, loaded for a whole page at once. */
type MessageParts = {
  readonly user: (id: string) => WireUser
  readonly reactions: (messageId: string) => readonly ReactionRow[]
  readonly quoted: (messageId: string) => MessageRow | undefined
  readonly poll: (pollId: string) => WirePoll | undefined
  readonly participants: (messageId: string) => readonly string[]
  readonly channelRole: (cid: string, userId: string) => string | undefined
  /** The user whose own reactions are included. `undefined` in the form for many recipients. */
  readonly viewer: string | undefined
  readonly now: number
  readonly fresh: (text: string) => string
  readonly location: (messageId: string) => LocationRow | undefined
  /** The viewer's own reminder. */
  readonly reminder: (messageId: string) => ReminderRow | undefined
  /** The viewer's draft in the message's thread. */
  readonly draft: (messageId: string) => WireDraft | undefined
  readonly groups: (groupId: string) => GroupRow | undefined
  /** True for a message that the viewer deleted only for themselves. */
  readonly hidden: (messageId: string) => boolean
  /** Includes the content of deleted messages: for moderators on request. */
  readonly showDeleted: boolean
}

function encodeMessage(row: MessageRow, parts: MessageParts): WireMessage {
  const found = row.quoted_id === null ? undefined : parts.quoted(row.quoted_id)
  const quoted = found && isForReader(found, parts) ? found : undefined
  return {
    ...bareMessage(row, parts),
    ...(row.quoted_id === null ? {} : { quoted_message_id: row.quoted_id }),
    ...(quoted ? { quoted_message: bareMessage(quoted, parts) } : {}),
  }
}

/** A quote does not widen the audience of a restricted message. */
function isForReader(row: MessageRow, { viewer }: MessageParts): boolean {
  const readers = audienceIds(row)
  return readers === undefined || (viewer !== undefined && readers.includes(viewer))
}

/** Without its own quote: quotes are one level deep. */
function bareMessage(row: MessageRow, parts: MessageParts): WireMessage {
  const forMe = parts.hidden(row.id)
  const deleted = forMe || (row.deleted_at !== null && !parts.showDeleted)
  const text = deleted ? '' : row.text
  const mentions = deleted ? [] : (JSON.parse(row.mentions) as string[])
  const role = parts.channelRole(row.cid, row.user_id)
  const poll = row.poll_id === null || deleted ? undefined : parts.poll(row.poll_id)
  return {
    ...(deleted ? {} : (JSON.parse(row.custom) as Record<string, unknown>)),
    id: row.id,
    cid: row.cid,
    text,
    html: toHtml(text),
    type: deleted || row.deleted_at !== null ? 'deleted' : row.type,
    user: parts.user(row.user_id),
    attachments: deleted ? [] : JSON.parse(parts.fresh(row.attachments)),
    mentioned_users: mentions.map(parts.user),
    ...(row.parent_id === null ? {} : { parent_id: row.parent_id, show_in_channel: row.show_in_channel === 1 }),
    reply_count: row.reply_count,
    deleted_reply_count: row.deleted_reply_count,
    ...(row.reply_count > 0 ? { thread_participants: parts.participants(row.id).map(parts.user) } : {}),
    ...reactionFields(row, parts),
    ...(row.poll_id === null || deleted ? {} : { poll_id: row.poll_id }),
    ...(poll ? { poll } : {}),
    ...pinFields(row, parts),
    ...(deleted ? {} : rareFields(row, parts)),
    silent: row.silent === 1,
    shadowed: row.shadowed === 1,
    ...(role === undefined ? {} : { member: { channel_role: role } }),
    ...(row.text_updated_at === null ? {} : { message_text_updated_at: toText(row.text_updated_at) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
    ...(forMe ? { deleted_for_me: true } : {}),
  }
}

/** Fields that few messages have: a command, broadcast mentions, a location, the viewer's reminder. */
function rareFields(row: MessageRow, parts: MessageParts): Partial<WireMessage> {
  const { pending_message_metadata: _private, ...extra } = JSON.parse(row.extra) as MessageExtra
  const location = parts.location(row.id)
  const reminder = parts.reminder(row.id)
  const draft = parts.draft(row.id)
  const groups = extra.mentioned_group_ids?.flatMap((id) => parts.groups(id) ?? [])
  return {
    ...extra,
    ...(groups ? { mentioned_groups: groups.map(encodeGroup) } : {}),
    ...(draft ? { draft } : {}),
    ...(extra.command === undefined ? {} : { command_info: { name: extra.command } }),
    ...(location ? { shared_location: encodeLocation(location) } : {}),
    ...(reminder ? { reminder: encodeReminder(reminder) } : {}),
  }
}

function pinFields(row: MessageRow, parts: MessageParts): Partial<WireMessage> {
  const expired = row.pin_expires !== null && row.pin_expires <= parts.now
  if (row.pinned_at === null || expired) return { pinned: false, pinned_at: null, pinned_by: null, pin_expires: null }
  return {
    pinned: true,
    pinned_at: toText(row.pinned_at),
    pinned_by: row.pinned_by === null ? null : parts.user(row.pinned_by),
    pin_expires: row.pin_expires === null ? null : toText(row.pin_expires),
  }
}

function reactionFields(row: MessageRow, parts: MessageParts): Partial<WireMessage> {
  const all = parts.reactions(row.id)
  const groups: Record<string, WireReactionGroup> = {}
  const counts: Record<string, number> = {}
  const scores: Record<string, number> = {}
  for (const [type, list] of Map.groupBy(all, (reaction) => reaction.type)) {
    const sum = list.reduce((total, reaction) => total + reaction.score, 0)
    counts[type] = list.length
    scores[type] = sum
    groups[type] = {
      count: list.length,
      sum_scores: sum,
      first_reaction_at: toText(list.at(-1)?.created_at ?? 0),
      last_reaction_at: toText(list[0]?.created_at ?? 0),
      latest_reactions_by: list
        .slice(0, LATEST_REACTIONS)
        .map(({ user_id, created_at }) => ({ user_id, created_at: toText(created_at) })),
    }
  }
  const own = parts.viewer === undefined ? [] : all.filter((reaction) => reaction.user_id === parts.viewer)
  return {
    latest_reactions: all.slice(0, LATEST_REACTIONS).map((reaction) => encodeReaction(reaction, parts.user)),
    own_reactions: own.map((reaction) => encodeReaction(reaction, parts.user)),
    reaction_groups: groups,
    reaction_counts: counts,
    reaction_scores: scores,
  }
}

export function encodeReaction(row: ReactionRow, user: (id: string) => WireUser): WireReaction {
  return {
    ...(JSON.parse(row.custom) as Record<string, unknown>),
    type: row.type,
    message_id: row.message_id,
    user_id: row.user_id,
    user: user(row.user_id),
    score: row.score,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The contract's `html`: the text, escaped, in paragraphs. Our own client never reads it. */
function toHtml(text: string): string {
  if (text === '') return ''
  const escaped = text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '')
  return `<p>${escaped.replaceAll(/\n{2,}/g, '</p>\n<p>').replaceAll('\n', '<br />\n')}</p>\n`
}
