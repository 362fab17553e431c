import { MANAGE_RIGHTS, type ManageRight, type ManageSource } from '../../domain/manage/manage.ts'

/** Only the server of this device imports. */
const ELSEWHERE = MANAGE_RIGHTS.filter((right) => right !== 'imports')
const NONE: readonly ManageRight[] = []
const MODERATOR: readonly ManageRight[] = ['review', 'ban']
const ADMIN: readonly ManageRight[] = [...MODERATOR, 'ban-everywhere']

/**
 * What a person may administer: moderators and administrators what their own token allows; with the server token,
 * everything. In a local workspace of this computer only administrators get to use it. See docs/wire.md 8.1.
 *
 * @param source where a server token would come from; `role`: there is none
 * @param keepsHistory the server keeps a history of actions, which others do not have
 */
export function rightsOf(role: string, source: ManageSource, keepsHistory = false): readonly ManageRight[] {
  const all = source === 'owner' && role === 'admin' ? MANAGE_RIGHTS : source === 'secret' ? ELSEWHERE : undefined
  if (all !== undefined) return keepsHistory ? all : all.filter((right) => right !== 'history')
  const rights = role === 'admin' ? ADMIN : role === 'moderator' ? MODERATOR : NONE
  return keepsHistory && rights.length > 0 ? [...rights, 'history'] : rights
}
