import * as v from 'valibot'
import {
  addUserGroupMembers,
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  removeUserGroupMembers,
  searchUserGroups,
  updateUserGroup,
  type WireUserGroup,
} from '#shared/wire/admin.ts'
import type { Identity } from '../http/auth/identify.ts'
import {
  encodeGroup,
  deleteGroup,
  deleteGroupMember,
  groupById,
  groupMembers,
  groupPage,
  putGroup,
  putGroupMember,
  searchGroups,
  type GroupRow,
} from './user-tables.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, text, time, whole } from '../http/shapes.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { requireUser } from './users.ts'
import { toWords } from '../messages/words.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'

/** See docs/wire.md 5.24. */
const MAX_MEMBERS = 100
/** Sorts after every id. */
const LAST = '\u{10FFFF}'
const GROUP_ID = /^[A-Za-z0-9_-]{1,64}$/

const groupBody = v.looseObject({
  name: text(255),
  id: idText(64),
  description: text(1_024),
  member_ids: list(v.string(), MAX_MEMBERS),
  team_id: idText(64),
})
const ofTeam = v.looseObject({ team_id: idText(64) })
const membersBody = v.looseObject({ ...ofTeam.entries, member_ids: list(v.string(), MAX_MEMBERS), as_admin: flag })
const pageQuery = v.looseObject({ limit: whole(100), id_gt: idText(), created_at_gt: time, team_id: idText(64) })
const searchQuery = v.looseObject({
  query: text(255),
  limit: whole(100),
  name_gt: idText(),
  id_gt: idText(),
  team_id: idText(64),
})

/** All users may find groups, to mention them; administrators and the group's own admins may change them. */
export const userGroupRoutes: readonly Route[] = [
  route(listUserGroups, { query: pageQuery }, ({ query }, work) => {
    const last = query.id_gt === undefined ? undefined : groupById(work.db, query.id_gt)
    const after = { at: query.created_at_gt ?? last?.created_at ?? -1, id: query.id_gt ?? '' }
    return { user_groups: groupPage(work.db, after, query.team_id, query.limit ?? 25).map((row) => encode(work, row)) }
  }),
  route(createUserGroup, { body: groupBody }, ({ body, who }, work) => {
    if (!isAdmin(who)) refuse('notAllowed', 'only administrators make groups')
    const id = body.id ?? work.ids.uuid()
    if (!GROUP_ID.test(id)) return refuse('input', 'id must be letters, numbers and "_-"')
    if (groupById(work.db, id)) return refuse('input', `user group ${id} already exists`)
    putGroup(work.db, {
      id,
      name: body.name || refuse('input', 'name is required'),
      description: body.description ?? null,
      team_id: body.team_id ?? null,
      created_by: who.userId || null,
      created_at: work.now,
      updated_at: work.now,
    })
    for (const userId of body.member_ids ?? []) join(work, id, userId, false)
    return { user_group: announce(work, id, 'user_group.created') }
  }),
  route(searchUserGroups, { query: searchQuery }, ({ query }, work) => {
    const beyond = query.name_gt === undefined ? '' : LAST
    const after = { name: query.name_gt ?? '', id: query.id_gt ?? beyond }
    const start = toWords(query.query || refuse('input', 'query is required'))
    const isFound = (name: string): boolean => start !== '' && toWords(name).startsWith(start)
    const rows = searchGroups(work.db, isFound, after, query.team_id, query.limit ?? 25)
    return { user_groups: rows.map((row) => encode(work, row)) }
  }),
  route(getUserGroup, { query: ofTeam }, ({ params, query }, work) => ({
    user_group: encode(work, known(work, params.id, query.team_id)),
  })),
  route(updateUserGroup, { body: groupBody, query: ofTeam }, ({ params, body, query, who }, work) => {
    const row = changeable(work, params.id, who, query.team_id ?? body.team_id)
    const { name, description } = body
    putGroup(work.db, {
      ...row,
      name: name || row.name,
      description: description === undefined ? row.description : description,
      updated_at: work.now,
    })
    return { user_group: announce(work, row.id, 'user_group.updated') }
  }),
  route(deleteUserGroup, { query: ofTeam }, ({ params, query, who }, work) => {
    const row = changeable(work, params.id, who, query.team_id)
    announce(work, row.id, 'user_group.deleted')
    deleteGroup(work.db, row.id)
    return {}
  }),
  route(addUserGroupMembers, { body: membersBody }, ({ params, body, who }, work) => {
    const row = changeable(work, params.id, who, body.team_id)
    const ids = named(body.member_ids)
    for (const userId of ids) join(work, row.id, userId, body.as_admin ?? false)
    if (countMembers(work, row.id) > MAX_MEMBERS) refuse('input', `a group has at most ${MAX_MEMBERS} members`)
    return { user_group: announce(work, row.id, 'user_group.member_added', ids) }
  }),
  route(removeUserGroupMembers, { body: membersBody }, ({ params, body, who }, work) => {
    const row = changeable(work, params.id, who, body.team_id)
    const ids = named(body.member_ids)
    for (const userId of ids) deleteGroupMember(work.db, row.id, userId)
    return { user_group: announce(work, row.id, 'user_group.member_removed', ids) }
  }),
]

function named(ids: readonly string[] | undefined): string[] {
  return ids?.length ? [...new Set(ids)] : refuse('input', 'member_ids is required')
}

/** All or nothing: an unknown user rolls back the whole request. */
function join(work: Work, groupId: string, userId: string, asAdmin: boolean): void {
  requireUser(work.db, userId)
  putGroupMember(work.db, { group_id: groupId, user_id: userId, is_admin: Number(asAdmin), created_at: work.now })
}

const countMembers = (work: Work, id: string): number =>
  work.db.get<{ n: number }>('SELECT count(*) AS n FROM user_group_members WHERE group_id = ?', id)?.n ?? 0

/** With a team, only a group of that team matches. */
function known(work: Work, id: string, team?: string): GroupRow {
  const row = groupById(work.db, id)
  if (!row || (team !== undefined && row.team_id !== team)) {
    return refuse('doesNotExist', `user group ${id} does not exist`)
  }
  return row
}

function changeable(work: Work, id: string, who: Identity, team: string | undefined): GroupRow {
  const row = known(work, id, team)
  const admins = groupMembers(work.db, id).filter((member) => member.is_admin === 1)
  if (isAdmin(who) || admins.some((member) => member.user_id === who.userId)) return row
  return refuse('notAllowed', 'only administrators and the group’s own admins change a group')
}

function encode(work: Work, row: GroupRow): WireUserGroup {
  return {
    ...encodeGroup(row),
    members: groupMembers(work.db, row.id).map((member) => ({
      group_id: member.group_id,
      user_id: member.user_id,
      is_admin: member.is_admin === 1,
      created_at: toText(member.created_at),
    })),
  }
}

/** Sent to all connections. See docs/wire.md 4.10. */
function announce(work: Work, id: string, type: string, members?: readonly string[]): WireUserGroup {
  const group = encode(work, known(work, id))
  work.emit({
    event: { type, created_at: toText(work.now), user_group: group, ...(members ? { members } : {}) },
    to: { kind: 'all' },
  })
  return group
}
