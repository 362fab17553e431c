import type { WireMessage, WirePoll, WireUser } from '#shared/wire/objects.ts'
import type { Db } from '../store/db.ts'
import { threadDrafts, bareDraft } from '../drafts/draft-table.ts'
import { groupsByIds } from '../users/group-tables.ts'
import { hiddenFrom, messagesByIds, threadAuthors, type MessageExtra, type MessageRow } from './message-table.ts'
import { locationsOf } from '../locations/location-table.ts'
import { blockedBy, userById, usersByIds } from '../users/user-table.ts'
import { optionsOf, pollsByIds, votesOf, encodePoll } from '../polls/poll-tables.ts'
import { reactionsOf } from './reaction-table.ts'
import { remindersOn } from '../reminders/reminder-table.ts'
import { encodeMessage } from './encode-messages.ts'
import { encodeUser, unknownUser, type OnlineNow } from '../users/encode-users.ts'

/** Finds users by id in their public form, loading each once. */
export type People = ((id: string) => WireUser) & {
  /** The full form for the user and administrators: with private keys and teams. */
  whole(id: string): WireUser
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
  const whole = (id: string): WireUser => {
    const row = userById(db, id)
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
