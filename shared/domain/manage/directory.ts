import type { UserId, Cid } from '../../lib/brand.ts'

/** Which people are listed. `deleted`: only the local server lists them. */
export const PERSON_STATES = ['active', 'deactivated', 'banned', 'deleted'] as const
export type PersonState = (typeof PERSON_STATES)[number]

export const PERSON_SORTS = ['name', 'role', 'last_active', 'created_at', 'language'] as const
export type PersonSort = (typeof PERSON_SORTS)[number]

/** What becomes of messages: `soft` can be undone, `pruning` clears their content, `hard` leaves nothing. */
export const REMOVALS = ['soft', 'pruning', 'hard'] as const
export type Removal = (typeof REMOVALS)[number]

/** The value of a custom field; what is no text, number or switch is JSON. */
export type FieldValue = string | number | boolean | { readonly json: string }

/** A person as administrators see them. Times in epoch milliseconds. */
export type DirectoryPerson = {
  readonly id: UserId
  readonly name: string
  /** Media reference of the profile picture. */
  readonly image?: string
  readonly role: string
  readonly teams: readonly string[]
  readonly language?: string
  readonly online: boolean
  readonly bot: boolean
  readonly lastActiveAt?: number
  readonly createdAt?: number
  readonly updatedAt: number
  readonly banned: boolean
  readonly deactivatedAt?: number
  readonly deletedAt?: number
  readonly statusText?: string
  readonly statusUntil?: number
  readonly fields: Readonly<Record<string, FieldValue>>
}

/** A device that is registered for push messages. */
export type PersonDevice = {
  /** `firebase`, `apn`, `huawei`, `xiaomi`, or another one. */
  readonly provider: string
  readonly providerName?: string
  readonly addedAt?: number
  /** The server no longer sends to it; its reason is empty if it gave none. */
  readonly disabled?: { readonly reason: string }
}

export type PersonDetails = {
  readonly person: DirectoryPerson
  readonly devices: readonly PersonDevice[]
}

/** A token that was just issued, with what is needed to use it. Shown once and stored nowhere. */
export type IssuedToken = {
  readonly token: string
  readonly url: string
  readonly apiKey: string
  readonly expiresAt: number
}

/** What was not done for one of several people, and why. */
export type RefusedPerson = { readonly userId: string; readonly code: string }

/** People who can be mentioned together. Times in epoch milliseconds. */
export type UserGroup = {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** Only people of this team see it. */
  readonly teamId?: string
  readonly createdAt?: number
  /** At most 100. */
  readonly members: readonly { readonly userId: UserId; readonly admin: boolean }[]
}

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
