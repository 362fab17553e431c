/** What waits for the viewer beside the channels. */
export type Inbox = {
  /** Threads with something unread, by the server's count; 0 until it was heard. Source: wire contract 7.9. */
  readonly unreadThreads: number
}
