import type { Cid, UserId } from '../../lib/brand.ts'

/** A role of people in the workspace (`app`), of members in a channel, or an own one, which may be used as either. */
export type Role = { readonly name: string; readonly custom: boolean; readonly scope: 'app' | 'channel' | 'both' }

/** The rights of each role in the channels of one type. */
export type TypeRights = {
  /** Name of the channel type. */
  readonly name: string
  readonly grants: Readonly<Record<string, readonly string[]>>
  /** Features that are off in the type: rights that need one are worth nothing. */
  readonly off: readonly string[]
}

/** A right as the server names it. `title` is its own name for it, for rights that Parlor has no words for. */
export type NamedRight = { readonly name: string; readonly title?: string }

/** Everything about roles and rights. */
export type RoleTable = {
  readonly roles: readonly Role[]
  readonly types: readonly TypeRights[]
  readonly rights: readonly NamedRight[]
  /** Whether it can be said what one person may do in a channel: the rules of the server are known. */
  readonly explains: boolean
}

/** Whether a person has a right in a channel, and why: the role that gives it, or what is missing. */
export type RightVerdict =
  | { readonly can: true; readonly by: 'app-role' | 'channel-role' | 'creator'; readonly slow?: true }
  | { readonly can: false; readonly why: 'role' | 'private' | 'frozen' | 'ban' | 'feature' | 'team' | 'closed' }

/** What one person may do in one channel. */
export type Standing = {
  readonly userId: UserId
  readonly cid: Cid
  readonly appRole: string
  /** Absent: not a member. */
  readonly channelRole?: string
  readonly isCreator: boolean
  /** Seconds between messages; 0: no slow mode. */
  readonly cooldown: number
  readonly rights: readonly ({ readonly right: string } & RightVerdict)[]
}

/** A person or a channel that can be looked up. */
export type Findable = { readonly id: string; readonly name: string }
