import type { UserId } from '#shared/lib/brand.ts'

/** Someone who may not write in a channel, or whom no one else hears there. Times in epoch milliseconds. */
export type Ban = {
  readonly userId: UserId
  /** Absent: the server itself. */
  readonly byId?: UserId
  readonly reason?: string
  readonly since: number
  /** Absent: until someone lifts it. */
  readonly until?: number
  /** They may write on, but only they see it. */
  readonly shadow: boolean
}
