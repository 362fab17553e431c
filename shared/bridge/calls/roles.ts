import * as v from 'valibot'
import type { Findable, RoleTable, Standing } from '../../domain/manage/roles.ts'
import { call } from '../../lib/contract.ts'
import { cid, shortText, userId } from '../schemas.ts'

/** As the server accepts it; see docs/wire.md 3.16. */
const roleName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const name = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))

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
      type: name,
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
