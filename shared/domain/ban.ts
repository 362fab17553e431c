import type { UserId } from '#shared/lib/brand.ts'

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
