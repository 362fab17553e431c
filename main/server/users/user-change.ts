import * as v from 'valibot'
import {
  createGuest,
  deactivateUser,
  deactivateUsers,
  deleteUser,
  deleteUsers,
  exportUser,
  reactivateUser,
  reactivateUsers,
  restoreUsers,
  sendUserEvent,
  updateUsersPartial,
} from '#shared/wire/users.ts'
import type { WireUser } from '#shared/wire/objects.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { type Identity, createToken } from '../http/auth/identify.ts'
import { encodeMessages, encodeReaction } from '../messages/encode-messages.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, object, oneOf, text } from '../http/shapes.ts'
import { announcePresence, announceUser } from '../realtime/presence.ts'
import { appSettings } from '../admin/settings.ts'
import { announceRemovedMessages, isAppModerator } from '../moderation/moderation.ts'
import { changeOf } from '../admin/partial-updates.ts'
import { eachOf, finishTask } from '../admin/tasks.ts'
import {
  MESSAGES_OF,
  removeMessagesOf,
  restoreMessagesOf,
  removeReactionsOf,
  type Removal,
} from '../messages/removal.ts'
import { messagesByIds } from '../messages/message-table.ts'
import type { ReactionRow } from '../messages/reaction-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { isOwnEvent, MAX_EVENT_BYTES } from '../realtime/emission.ts'
import { forgetReviewed } from '../moderation/flags.ts'
import { accessTo } from '../channels/access.ts'
import { removeChannel } from '../channels/channel-remove.ts'
import { takeOut } from '../channels/member-changes.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { needServer, requireUser, setServerFields, upsertUser, userInput } from './users.ts'
import { directChannelsOf, putUser, userById, usersByIds, withMutesOrBlocks, type UserRow } from './user-tables.ts'
import { mutesAndBlocksOf, privacyOf } from './encode-users.ts'

const MAX_USERS = 100

const removal = oneOf(['soft', 'pruning', 'hard'])
const userIds = list(v.string(), MAX_USERS)
const patch = v.looseObject({ id: idText(), set: object, unset: list(v.string(), 100) })

const activationBody = v.looseObject({
  mark_messages_deleted: flag,
  restore_messages: flag,
  name: text(255),
  created_by_id: idText(),
})
type ActivationInput = Pick<
  v.InferOutput<typeof activationBody>,
  'mark_messages_deleted' | 'restore_messages' | 'created_by_id'
>

const deleteQuery = v.looseObject({
  mark_messages_deleted: flag,
  hard_delete: flag,
  delete_conversation_channels: flag,
})

const deleteBody = v.looseObject({
  user_ids: userIds,
  user: removal,
  messages: removal,
  conversations: oneOf(['soft', 'hard']),
  new_channel_owner_id: idText(),
})

export const userChangeRoutes: readonly Route[] = [
  route(updateUsersPartial, { body: v.looseObject({ users: list(patch, MAX_USERS) }) }, ({ body, who }, work) => {
    const users: Record<string, WireUser> = {}
    for (const each of body.users ?? []) {
      const id = each.id ?? refuse('input', 'every user needs an id')
      users[id] = updatePartially(work, who, id, each)
    }
    return { users, membership_deletion_task_id: '' }
  }),
  {
    ...route(createGuest, { body: v.looseObject({ user: v.optional(userInput) }) }, ({ body }, work) => {
      if (appSettings(work.db).guest_user_creation_disabled) refuse('notAllowed', 'guest access is switched off')
      return makeGuest(work, body.user ?? {})
    }),
    anonymous: true,
  },
  route(deleteUser, { query: deleteQuery }, ({ params, query, who }, work) => {
    needServer(who)
    const hard = query.hard_delete ?? false
    requireUser(work.db, params.id)
    const user = { ...work.people.whole(params.id), deleted_at: toText(work.now) }
    removeUser(work, who, params.id, {
      user: hard ? 'hard' : 'soft',
      messages: hard ? 'hard' : query.mark_messages_deleted ? 'soft' : undefined,
      conversations: query.delete_conversation_channels ? (hard ? 'hard' : 'soft') : undefined,
    })
    return { user, task_id: finishTask(work, { result: { user_id: params.id } }) }
  }),
  route(deleteUsers, { body: deleteBody }, ({ body, who }, work) => {
    needServer(who)
    const ids = named(body.user_ids)
    const result = eachOf(work, ids, (inner, id) =>
      removeUser(inner, who, id, {
        user: body.user ?? 'soft',
        messages: body.messages,
        conversations: body.conversations,
        newOwner: body.new_channel_owner_id,
      }),
    )
    return { task_id: finishTask(work, { result }) }
  }),
  route(restoreUsers, { body: v.looseObject({ user_ids: userIds }) }, ({ body, who }, work) => {
    needServer(who)
    eachOf(work, named(body.user_ids), (inner, id) => {
      putUser(inner.db, { ...requireUser(inner.db, id), deleted_at: null, updated_at: inner.now })
      inner.people.forget(id)
      announceUser(inner, id)
    })
    return {}
  }),
  route(deactivateUser, { body: activationBody }, ({ params, body, who }, work) => {
    needServer(who)
    return { user: deactivate(work, who, params.id, body) }
  }),
  route(reactivateUser, { body: activationBody }, ({ params, body, who }, work) => {
    needServer(who)
    requireUser(work.db, params.id)
    if (body.name) upsertUser(work.db, params.id, { name: body.name }, work.now)
    return { user: reactivate(work, who, params.id, body) }
  }),
  route(
    deactivateUsers,
    { body: v.looseObject({ user_ids: userIds, ...activationBody.entries }) },
    ({ body, who }, work) => {
      needServer(who)
      const result = eachOf(work, named(body.user_ids), (inner, id) => deactivate(inner, who, id, body))
      return { task_id: finishTask(work, { result }) }
    },
  ),
  route(
    reactivateUsers,
    { body: v.looseObject({ user_ids: userIds, ...activationBody.entries }) },
    ({ body, who }, work) => {
      needServer(who)
      const result = eachOf(work, named(body.user_ids), (inner, id) => reactivate(inner, who, id, body))
      return { task_id: finishTask(work, { result }) }
    },
  ),
  route(exportUser, {}, ({ params, who }, work) => {
    needServer(who)
    return everythingOf(work, requireUser(work.db, params.id).id)
  }),
  route(
    sendUserEvent,
    { body: v.looseObject({ event: v.optional(v.looseObject({ type: v.optional(v.string()) })) }) },
    ({ params, body, who }, work) => {
      needServer(who)
      requireUser(work.db, params.id)
      const event = body.event ?? {}
      const { type } = event
      if (typeof type !== 'string' || type === '' || type.length > 100) return refuse('input', 'event.type is required')
      if (isOwnEvent(type)) return refuse('eventNotSupported', `${type} is the server's own event`)
      if (JSON.stringify(event).length > MAX_EVENT_BYTES) refuse('payloadTooBig', 'an event is limited to 5 KB')
      work.emit({
        event: { ...event, type, created_at: toText(work.now), user: work.people(params.id) },
        to: { kind: 'users', ids: [params.id] },
      })
      return {}
    },
  ),
]

function named(ids: readonly string[] | undefined): string[] {
  if (!ids || ids.length === 0) return refuse('input', 'user_ids is required')
  return [...new Set(ids)]
}

/** Users may change themselves; a server token may change anyone, including roles and teams. */
function updatePartially(work: Work, who: Identity, id: string, request: v.InferOutput<typeof patch>): WireUser {
  if (!who.server && id !== who.userId) return refuse('notAllowed', 'users may only change themselves')
  const row = requireUser(work.db, id)
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  const privacy = JSON.parse(row.privacy ?? '{}') as Json
  const { set: input, unset } = changeOf({ ...custom, privacy_settings: privacy }, request)
  const settings = input['privacy_settings']
  const set = isObject(settings) ? { ...input, privacy_settings: { ...privacy, ...settings } } : input
  for (const key of unset) if (key !== 'teams_role') delete custom[key]
  const orNull = (key: 'name' | 'image' | 'language') => (unset.includes(key) ? null : row[key])
  const columns = {
    name: orNull('name'),
    image: orNull('image'),
    language: orNull('language'),
    privacy: unset.includes('privacy_settings') ? null : row.privacy,
  }
  const text = unset.includes('name') ? { name_words: '' } : {}
  putUser(work.db, { ...row, ...columns, ...text, custom: JSON.stringify(custom) })
  upsertUser(work.db, id, set, work.now, roleIn(who, set))
  if (who.server) setServerFields(work.db, id, set)
  disconnectRevoked(work, row, id)
  work.people.forget(id)
  announceUser(work, id)
  if (userById(work.db, id)?.invisible !== row.invisible) announcePresence(work, id)
  return personFor(work, who, id)
}

const roleIn = (who: Identity, set: Json): string | undefined =>
  who.server && typeof set['role'] === 'string' && set['role'] !== '' ? set['role'] : undefined

/**
 * The requested id of a guest gets a random prefix, so that a guest cannot take over another user's id. See
 * docs/wire.md 1.5.
 */
function makeGuest(work: Work, details: Json): { access_token: string; user: WireUser } {
  const requested = typeof details['id'] === 'string' ? details['id'] : ''
  const id = `guest-${work.ids.uuid()}-${requested}`.replace(/-$/, '')
  const { id: _id, role: _role, ...rest } = details
  upsertUser(work.db, id, rest, work.now, 'guest')
  return { access_token: createToken({ userId: id }, work.secret), user: work.people.whole(id) }
}

function deactivate(work: Work, who: Identity, id: string, input: ActivationInput): WireUser {
  const row = requireUser(work.db, id)
  announceActivation(work, who, { ...row, deactivated_at: row.deactivated_at ?? work.now }, input)
  if (input.mark_messages_deleted) {
    removeMessagesOf(work, id, undefined, 'soft')
    announceRemovedMessages(work, id, undefined, false)
  }
  disconnect(work, id)
  return work.people.whole(id)
}

function reactivate(work: Work, who: Identity, id: string, input: ActivationInput): WireUser {
  const row = requireUser(work.db, id)
  if (row.deactivated_at === null) refuse('input', `user ${id} is not deactivated`)
  announceActivation(work, who, { ...row, deactivated_at: null }, input)
  if (input.restore_messages && row.deactivated_at !== null) restoreMessagesOf(work, who, id, row.deactivated_at)
  return work.people.whole(id)
}

function announceActivation(work: Work, who: Identity, row: UserRow, { created_by_id }: ActivationInput): void {
  putUser(work.db, { ...row, updated_at: work.now })
  work.people.forget(row.id)
  const byId = created_by_id ?? who.userId
  const by = byId === '' ? {} : { created_by: work.people(byId) }
  announceUser(work, row.id, row.deactivated_at === null ? 'user.reactivated' : 'user.deactivated', by)
}

function everythingOf(work: Work, id: string) {
  const ids = work.db.all<{ id: string }>(MESSAGES_OF, null, null, id).map((row) => row.id)
  const rows = [...messagesByIds(work.db, ids).values()].toSorted((a, b) => a.created_at - b.created_at)
  const reactions = work.db.all<ReactionRow>('SELECT * FROM reactions WHERE user_id = ? ORDER BY created_at', id)
  return {
    user: work.people.whole(id),
    messages: encodeMessages(work.db, rows, { viewer: id, now: work.now, people: work.people }),
    reactions: reactions.map((row) => encodeReaction(row, work.people)),
  }
}

type UserRemoval = {
  readonly user: Removal
  readonly messages?: Removal
  /** Also removes conversations with one other user. */
  readonly conversations?: 'soft' | 'hard'
  /** The new creator of the user's channels. */
  readonly newOwner?: string
}

/**
 * Deletes a user. `soft`: the row stays with `deleted_at` and cannot be used; `pruning`: name, picture and custom data
 * are cleared too; `hard`: memberships and the row are deleted as well. See docs/wire.md 3.11 and 8.21 "user delete".
 */
function removeUser(work: Work, who: Identity, userId: string, removal: UserRemoval): void {
  const row = requireUser(work.db, userId)
  if (removal.newOwner !== undefined) {
    requireUser(work.db, removal.newOwner)
    work.db.keepingCaches.run('UPDATE channels SET created_by = ? WHERE created_by = ?', removal.newOwner, userId)
  }
  if (removal.conversations) {
    for (const cid of directChannelsOf(work.db, userId)) {
      const channel = channelByCid(work.db, cid)
      if (channel) removeChannel(work, accessTo(work.db, channel, who), who, removal.conversations === 'hard')
    }
  }
  const pruned = removal.user === 'soft' ? {} : { name: null, name_words: '', image: null, custom: '{}', privacy: null }
  putUser(work.db, { ...row, ...pruned, deleted_at: row.deleted_at ?? work.now, updated_at: work.now })
  if (removal.user !== 'soft') forgetReviewed(work.db, userId, 'profile')
  if (removal.messages && removal.messages !== 'soft') forgetReviewed(work.db, userId, 'everything')
  work.people.forget(userId)
  announceUser(work, userId, 'user.deleted', {
    mark_messages_deleted: removal.messages !== undefined,
    hard_delete: removal.user === 'hard',
    delete_conversation_channels: removal.conversations !== undefined,
  })
  if (removal.messages) {
    removeMessagesOf(work, userId, undefined, removal.messages)
    announceRemovedMessages(work, userId, undefined, removal.messages === 'hard')
  }
  if (removal.user === 'hard') deleteRow(work, who, userId)
  disconnect(work, userId)
}

/** Deletes reactions, memberships and the row with its dependent rows. Remaining messages show an unknown author. */
function deleteRow(work: Work, who: Identity, userId: string): void {
  removeReactionsOf(work, userId, undefined)
  const cids = work.db.all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ?', userId)
  for (const { cid } of cids) {
    const channel = channelByCid(work.db, cid)
    if (channel) takeOut(work, accessTo(work.db, channel, who), who, userId)
  }
  work.db.changing('users', 'members', 'channel_mutes').run('DELETE FROM users WHERE id = ?', userId)
}

/** Tokens that were revoked just now do not stay in use on open connections; with a newer token clients come back. */
export function disconnectRevoked(work: Work, before: UserRow | undefined, id: string): void {
  const revoked = userById(work.db, id)?.tokens_revoked_before ?? 0
  if (revoked > (before?.tokens_revoked_before ?? 0)) disconnect(work, id)
}

/** Closes open connections; the next handshake is refused by the state of the user. */
function disconnect(work: Work, userId: string): void {
  work.afterwards(() => {
    for (const connection of work.hub.ofUser(userId)) {
      connection.sink.flush()
      connection.sink.close(CLOSE_CODES.tokenExpired, 'signed out')
    }
  })
}

/**
 * A user in the form that the caller may see: complete for themselves and for moderators, with privacy settings for
 * themselves and for a server token.
 */
export function personFor(work: Work, who: Identity, id: string, known?: UserRow): WireUser {
  const isOwn = id === who.userId && !who.server
  if (!isOwn && !isAppModerator(who)) return work.people(id)
  const row = known ?? userById(work.db, id)
  const privacy = row !== undefined && (isOwn || who.server) ? { privacy_settings: privacyOf(row) } : {}
  return { ...work.people.whole(id, row), ...privacy }
}

/**
 * A page of users in the form that the caller may see; for a server token together with their mutes and blocks. What a
 * page costs does not grow with those who have neither, as most people do.
 */
export function pageOfPeople(work: Work, who: Identity, ids: readonly string[]): WireUser[] {
  if (!isAppModerator(who)) work.people.load(ids)
  const rows = isAppModerator(who) ? usersByIds(work.db, ids) : undefined
  const muting = who.server ? withMutesOrBlocks(work.db, ids) : undefined
  return ids.map((id) => {
    const person = personFor(work, who, id, rows?.get(id))
    if (muting === undefined) return person
    return { ...person, ...(muting.has(id) ? mutesAndBlocksOf(work, id) : NO_MUTES) }
  })
}

const NO_MUTES = { mutes: [], channel_mutes: [], blocked_user_ids: [] }
