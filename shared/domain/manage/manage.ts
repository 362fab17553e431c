import type { PendingDecision } from './review.ts'

/**
 * Rights of administration in a workspace, beyond those that a person has in a channel:
 *
 * - `review`: the review queue, reports, flags and bans, and decisions about them;
 * - `ban`: bans in any channel;
 * - `ban-everywhere`: bans from the whole workspace;
 * - `rules`: block lists, moderation configurations and rules;
 * - `people`: creating, changing, deactivating and deleting people, their tokens and data, user groups;
 * - `roles`: roles, and what each may do;
 * - `settings`: channel types, commands, polls, upload limits;
 * - `campaigns`: segments, and campaigns to them;
 * - `history`: what moderators and administrators did;
 * - `imports`: history of other products, into a workspace of this device;
 * - `integrations`: programs that take part in the workspace, which only our own server knows.
 */
export const MANAGE_RIGHTS = [
  'review',
  'ban',
  'ban-everywhere',
  'rules',
  'people',
  'roles',
  'settings',
  'campaigns',
  'integrations',
  'history',
  'imports',
] as const

export type ManageRight = (typeof MANAGE_RIGHTS)[number]

/** Where the rights come from: the viewer's role, their own local workspace, or a stored API secret. */
export type ManageSource = 'role' | 'owner' | 'secret'

/** What a screen of administration shows; see {@link ManageState.changes}. */
export type ManageTopic =
  | 'review'
  | 'bans'
  | 'rules'
  | 'people'
  | 'roles'
  | 'settings'
  | 'segments'
  | 'campaigns'
  | 'campaign-drafts'
  | 'campaign-replies'
  | 'integrations'
  | 'history'

/** What the viewer may administer. Absent for everyone who may not. */
export type ManageState = {
  readonly rights: readonly ManageRight[]
  readonly source: ManageSource
  /** Items in the review queue that nobody has decided; absent until the server said. */
  readonly waiting?: number
  /** Decisions about the review queue that the server has not confirmed, oldest first. Absent: none. */
  readonly decisions?: readonly PendingDecision[]
  /** How often each topic has changed, here or elsewhere: a screen loads again when its number rises. */
  readonly changes: { readonly [Topic in ManageTopic]?: number }
}

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
