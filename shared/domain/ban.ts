import type { UserId } from '#shared/lib/brand.ts'

/** Somebody who may not write in a channel, or whom nobody else hears there. Times in epoch milliseconds. */
export type Ban = {
  readonly userId: UserId
  /** Absent: the server itself. */
  readonly byId?: UserId
  readonly reason?: string
  readonly since: number
  /** Absent: until somebody lifts it. */
  readonly until?: number
  /** They may write on, but only they see it. */
  readonly shadow: boolean
}
