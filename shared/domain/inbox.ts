import type { ChannelInvite } from './channel.ts'

/** Counts outside the channels. */
export type Inbox = {
  /**
   * Followed threads with something unread: the server's count (0 until received), less those unfollowed by hand, plus
   * those followed by hand without taking part. See docs/wire.md 7.9.
   */
  readonly unreadThreads: number
  /** Channels the viewer is invited to: as last received from the server, updated by events. */
  readonly invites: readonly ChannelInvite[]
}
