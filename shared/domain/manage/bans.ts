import type { Cid, UserId } from '../../lib/brand.ts'
import type { Ban } from '../user.ts'

/** A ban as a moderator sees it. */
export type ListedBan = Ban & {
  /** The channel; absent: the whole workspace. */
  readonly cid?: Cid
  /** Its name, which the viewer may not have otherwise. */
  readonly channelName?: string
  /** When it ended; absent: it is in force. */
  readonly endedAt?: number
  /** Who ended it; absent: its time was over, or the server does not say. */
  readonly endedById?: UserId
}

/** Who muted whom. Times in epoch milliseconds. */
export type ListedMute = {
  readonly userId: UserId
  readonly byId: UserId
  /** Absent where only the viewer's own mutes are known. */
  readonly since?: number
  /** Absent: until someone unmutes. */
  readonly until?: number
}
