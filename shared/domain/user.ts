import type { UserId } from '#shared/lib/brand.ts'

export type Presence = 'online' | 'away' | 'busy' | 'offline'

/** A person or a bot as other people see them. */
export type User = {
  readonly id: UserId
  readonly name: string
  /** Media reference for the portrait; absent means initials. */
  readonly image?: string
  /** Application role: `user`, `admin`, `guest`, `anonymous` or a custom one. */
  readonly role: string
  readonly online: boolean
  readonly lastActiveAt?: number
  readonly banned: boolean
  /** Free words beside the name ("Reviewing RC2"). */
  readonly statusText?: string
  readonly bot: boolean
  /** Where their clock stands, a name of the IANA list (`Europe/Warsaw`), as far as they tell. Not checked. */
  readonly timeZone?: string
  /** Muted by the viewer: shown, never counted, never told. Absent: no. */
  readonly muted?: boolean
  /** When the mute ends of itself, epoch milliseconds. */
  readonly mutedUntil?: number
  /** Blocked by the viewer. Absent: no. */
  readonly blocked?: boolean
  readonly updatedAt: number
}
