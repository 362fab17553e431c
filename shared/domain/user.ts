import type { UserId } from '../lib/brand.ts'

export type Presence = 'online' | 'away' | 'busy' | 'offline'

/** A person or a bot as others see them. */
export type User = {
  readonly id: UserId
  readonly name: string
  /** Media reference of the profile picture; absent: initials. */
  readonly image?: string
  /** Application role: `user`, `admin`, `guest`, `anonymous` or a custom one. */
  readonly role: string
  readonly online: boolean
  readonly lastActiveAt?: number
  readonly banned: boolean
  /** Status text ("Reviewing RC2"). */
  readonly statusText?: string
  /** What they are here ("Product design"), as their server has it. */
  readonly title?: string
  /** When the status ends by itself, epoch milliseconds. A status that has ended is absent. */
  readonly statusUntil?: number
  /** Online, and without input for a while. Absent: no. */
  readonly away?: boolean
  /** The viewer alone: others see them as offline, as was chosen on this or another device. Absent: no. */
  readonly invisible?: boolean
  readonly bot: boolean
  /** Time zone, an IANA name (`Europe/Warsaw`), if they publish it. Not validated. */
  readonly timeZone?: string
  /** Muted by the viewer: shown, never counted, never notifies. Absent: no. */
  readonly muted?: boolean
  /** When the mute ends automatically, epoch milliseconds. */
  readonly mutedUntil?: number
  /** Blocked by the viewer. Absent: no. */
  readonly blocked?: boolean
  /** The language they chose, a language tag; absent: unknown. */
  readonly language?: string
  readonly updatedAt: number
}

/** A person who cannot write in a channel, or whose messages no one else sees there. Times in epoch milliseconds. */
export type Ban = {
  readonly userId: UserId
  /** Absent: the server itself. */
  readonly byId?: UserId
  readonly reason?: string
  readonly since: number
  /** Absent: until someone removes the ban. */
  readonly until?: number
  /** They can still write, but only they see it. */
  readonly shadow: boolean
}
