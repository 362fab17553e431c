import type { Cid } from '../lib/brand.ts'
import type { Ban } from './user.ts'

/** A ban as a moderator sees it. */
export type ListedBan = Ban & {
  /** The channel; absent: the whole workspace. */
  readonly cid?: Cid
  /** Its name, which the viewer may not have otherwise. */
  readonly channelName?: string
}
