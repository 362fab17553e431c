import { MANAGE_RIGHTS, type ManageRight, type ManageSource } from '../../domain/manage/manage.ts'

/** What only a server of our own kind knows. */
const OF_OURS: ReadonlySet<ManageRight> = new Set(['history', 'integrations', 'imports'])
const OF_OTHERS = MANAGE_RIGHTS.filter((right) => !OF_OURS.has(right))
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
 * @param isOurs a server of our own kind: it keeps a history of actions and lets programs take part, for which even the
 *   owner of an API secret must be an administrator in person
 */
export function rightsOf(role: string, source: ManageSource, isOurs = false): readonly ManageRight[] {
  const isOwner = source === 'owner' && role === 'admin'
  if (isOwner || source === 'secret') {
    if (!isOurs) return isOwner ? [...OF_OTHERS, 'imports'] : OF_OTHERS
    const all = isOwner ? MANAGE_RIGHTS : ELSEWHERE
    return role === 'admin' ? all : all.filter((right) => right !== 'integrations')
  }
  const rights = role === 'admin' ? ADMIN : role === 'moderator' ? MODERATOR : NONE
  if (!isOurs || rights.length === 0) return rights
  return role === 'admin' ? [...rights, 'integrations', 'history'] : [...rights, 'history']
}
