import * as v from 'valibot'
import type { UserGroup } from '../../domain/manage/group.ts'
import { call } from '../../lib/contract.ts'
import { key, line, shortText, userId } from '../schemas.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const name = v.pipe(line, v.maxLength(255))
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
  create: call<UserGroup>()(v.object({ id: v.optional(id), name, description: v.optional(description) })),
  /** An empty description removes it. */
  change: call<UserGroup>()(v.object({ id, name: v.optional(name), description: v.optional(description) })),
  remove: call<void>()(v.object({ id })),
  /** Adds people, or changes whether they are admins of the group. */
  addMembers: call<UserGroup>()(v.object({ id, memberIds, admin: v.optional(v.boolean(), false) })),
  removeMembers: call<UserGroup>()(v.object({ id, memberIds })),
}
