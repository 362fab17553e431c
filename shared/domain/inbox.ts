import type { ChannelInvite } from './channel.ts'

/** What waits for the viewer beside the channels. */
export type Inbox = {
  /**
   * Followed threads with something unread: the server's count (0 until it was heard), less those left by hand, and those
   * followed by hand without taking part. See docs/wire.md 7.9.
   */
  readonly unreadThreads: number
  /** Channels that ask the viewer in: as the server said when it was asked, and as was heard since. */
  readonly invites: readonly ChannelInvite[]
}
