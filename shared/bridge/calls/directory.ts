import * as v from 'valibot'
import {
  PERSON_SORTS,
  PERSON_STATES,
  REMOVALS,
  type DirectoryPerson,
  type IssuedToken,
  type PersonDetails,
  type RefusedPerson,
  type UserGroup,
  type Findable,
  type RoleTable,
  type Standing,
} from '../../domain/manage/directory.ts'
import type { UserId } from '../../lib/brand.ts'
import { call } from '../../lib/contract.ts'
import { PERSON_NAME_LENGTH } from '../../constants.ts'
import { isFieldName } from '../../lib/field-names.ts'
import { duration, line, nothing, shortText, userId, key, cid } from '../schemas.ts'

/** The server sends at most 100 people at once, and none beyond the first 1,100. */
const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000)), 0)
const instant = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

const role = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const team = v.pipe(line, v.maxLength(64))
const language = v.pipe(v.string(), v.regex(/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$/))
const several = v.pipe(v.array(userId), v.minLength(1), v.maxLength(100))
const fieldName = v.pipe(v.string(), v.check(isFieldName, 'reserved'))
const fieldText = v.pipe(v.string(), v.maxLength(5_000))
const fieldValue = v.union([
  fieldText,
  v.pipe(v.number(), v.finite()),
  v.boolean(),
  v.object({ json: v.pipe(fieldText, v.minLength(1)) }),
])

const profile = {
  name: v.optional(v.pipe(line, v.maxLength(PERSON_NAME_LENGTH))),
  role: v.optional(role),
  teams: v.optional(v.pipe(v.array(team), v.maxLength(100))),
  /** Empty: none. */
  language: v.optional(language),
}

/** `refused`: those for whom it was not done, each with its reason; for the others it is done. */
type Outcome = { readonly refused: readonly RefusedPerson[] }

/**
 * The people of a workspace, for those who may manage them. All need a connection and reject with `network/offline`,
 * `manage/not-allowed`, or the server's own refusal.
 */
export const directory = {
  /**
   * 100 at most; `more`: the server has further ones. `find` matches names and ids. `bannedIn`, `teams`, `roles`: any of
   * them. `cut`: the server lists no further people, although there are some. `state: 'deleted'` is for local workspaces; on other servers `deactivated` lists the first 1,100 people at most.
   */
  list: call<{ readonly people: readonly DirectoryPerson[]; readonly more: boolean; readonly cut?: true }>()(
    v.object({
      find: v.optional(v.pipe(shortText, v.trim(), v.maxLength(100)), ''),
      roles: v.optional(v.pipe(v.array(role), v.maxLength(20)), []),
      teams: v.optional(v.pipe(v.array(team), v.maxLength(20)), []),
      state: v.optional(v.picklist(PERSON_STATES)),
      activeAfter: v.optional(instant),
      activeBefore: v.optional(instant),
      sort: v.object({ by: v.picklist(PERSON_SORTS), direction: v.picklist([1, -1]) }),
      offset,
    }),
  ),
  /** One person with their devices. Rejects with `people/gone` if the server does not have them. */
  person: call<PersonDetails>()(v.object({ userId })),
  /** Roles that people can have. */
  roles: call<readonly string[]>()(nothing),
  /**
   * Creates a person. Without `id` one is made from the name; `join` adds them to every public team channel. Rejects with
   * `people/taken` if the id exists.
   */
  create: call<{ readonly userId: UserId }>()(
    v.object({
      ...profile,
      id: v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[@A-Za-z0-9_-]{1,255}$/))),
      name: v.pipe(line, v.maxLength(PERSON_NAME_LENGTH)),
      join: v.optional(v.boolean(), false),
    }),
  ),
  /**
   * Changes what is given. Rejects with `people/yourself` for the viewer's own role, and with `people/not-json` for a
   * field that is no JSON.
   */
  change: call<DirectoryPerson>()(
    v.object({
      userId,
      ...profile,
      fields: v.optional(v.pipe(v.record(fieldName, fieldValue), v.maxEntries(100))),
      removeFields: v.optional(v.pipe(v.array(fieldName), v.maxLength(100))),
    }),
  ),
  changeRole: call<Outcome>()(v.object({ userIds: several, role })),
  /** They can no longer sign in. `deleteMessages`: their messages are deleted for everyone; `restore` brings them back. */
  deactivate: call<Outcome>()(v.object({ userIds: several, deleteMessages: v.optional(v.boolean(), false) })),
  reactivate: call<Outcome>()(v.object({ userIds: several, restoreMessages: v.optional(v.boolean(), false) })),
  /**
   * Deletes people. `messages`, `conversations` (with one other person): absent, they stay. `newOwnerId` becomes the
   * creator of their channels. `running`: the server does it in the background.
   */
  remove: call<Outcome & { readonly running: boolean }>()(
    v.object({
      userIds: several,
      user: v.picklist(REMOVALS),
      messages: v.optional(v.picklist(REMOVALS)),
      conversations: v.optional(v.picklist(['soft', 'hard'])),
      newOwnerId: v.optional(userId),
    }),
  ),
  /** Undoes a deletion that left the profile. */
  restore: call<void>()(v.object({ userIds: several })),
  /** Every token of this person that was issued before now is refused from now on. */
  signOut: call<void>()(v.object({ userId })),
  /**
   * Issues a token of a local workspace, once: it is stored nowhere, and cannot be shown again. Rejects with
   * `app/not-local` on another server, and with `people/inactive` for those who cannot sign in.
   */
  issueToken: call<IssuedToken>()(v.object({ userId, forMs: duration })),
}

const groupId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const groupName = v.pipe(line, v.maxLength(255))
const description = v.pipe(v.string(), v.maxLength(1_024), v.trim())
const memberIds = v.pipe(v.array(userId), v.minLength(1), v.maxLength(100))

/**
 * User groups, for those who may manage people. All need a connection and reject with `network/offline`,
 * `manage/not-allowed`, or the server's own refusal.
 */
export const groups = {
  /** 100 at most, oldest first; `next` continues after them. With `find`: those whose name begins with it. */
  list: call<{ readonly groups: readonly UserGroup[]; readonly next?: string }>()(
    v.object({ find: v.optional(v.pipe(shortText, v.trim(), v.maxLength(100)), ''), after: v.optional(key) }),
  ),
  /** Without `id` the server makes one. Rejects with `groups/taken` if it exists. */
  create: call<UserGroup>()(
    v.object({ id: v.optional(groupId), name: groupName, description: v.optional(description) }),
  ),
  /** An empty description removes it. */
  change: call<UserGroup>()(
    v.object({ id: groupId, name: v.optional(groupName), description: v.optional(description) }),
  ),
  remove: call<void>()(v.object({ id: groupId })),
  /** Adds people, or changes whether they are admins of the group. */
  addMembers: call<UserGroup>()(v.object({ id: groupId, memberIds, admin: v.optional(v.boolean(), false) })),
  removeMembers: call<UserGroup>()(v.object({ id: groupId, memberIds })),
}

/** As the server accepts it; see docs/wire.md 3.16. */
const roleName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const typeName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** Servers have a hundred rights and a few dozen roles: more changes than this are a mistake. */
const MAX_CHANGES = 2_000

/**
 * Roles, and what each may do. All need a connection and the right `roles`; they reject with `network/offline`,
 * `manage/not-allowed`, or the server's own refusal.
 */
export const roles = {
  list: call<RoleTable>()(v.undefined()),
  /** Creates a role that starts with the rights of another one. Rejects with `roles/exists`. */
  create: call<void>()(v.object({ name: roleName, like: roleName })),
  /** Deletes an own role. People and members who have it keep the rights of ordinary ones. */
  remove: call<void>()(v.object({ name: roleName })),
  /** Changes single rights of roles in the channels of a type; what others changed meanwhile stays. */
  save: call<void>()(
    v.object({
      type: typeName,
      changes: v.pipe(
        v.array(
          v.object({ role: roleName, right: v.pipe(v.string(), v.minLength(1), v.maxLength(255)), on: v.boolean() }),
        ),
        v.minLength(1),
        v.maxLength(MAX_CHANGES),
      ),
    }),
  ),
  /** What a person may do in a channel, and why. Rejects with `server/not-found`. */
  standing: call<Standing>()(v.object({ userId, cid })),
  /** People or channels of the whole workspace whose names start with a text; 20 at most. */
  find: call<readonly Findable[]>()(v.object({ what: v.picklist(['people', 'channels']), text: shortText })),
}
