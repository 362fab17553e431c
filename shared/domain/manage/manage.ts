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
