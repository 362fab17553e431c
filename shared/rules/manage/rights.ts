import { MANAGE_RIGHTS, type ManageRight, type ManageSource } from '../../domain/manage.ts'

const NONE: readonly ManageRight[] = []
const MODERATOR: readonly ManageRight[] = ['review', 'ban']
const ADMIN: readonly ManageRight[] = [...MODERATOR, 'ban-everywhere']

/**
 * What a person may administer: moderators and administrators what their own token allows; whoever has the server token,
 * everything. In a local workspace of this computer only administrators get to use it. See docs/wire.md 8.1.
 *
 * @param source where a server token would come from; `role`: there is none
 */
export function rightsOf(role: string, source: ManageSource): readonly ManageRight[] {
  if (source === 'secret' || (source === 'owner' && role === 'admin')) return MANAGE_RIGHTS
  return role === 'admin' ? ADMIN : role === 'moderator' ? MODERATOR : NONE
}
