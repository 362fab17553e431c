import type { UserId } from '../../lib/brand.ts'

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
