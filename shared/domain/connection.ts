type ConnectionState = 'connecting' | 'healthy' | 'unhealthy'

/** What may still be missing on the screen although the line lives. */
export type LoadingPart = 'channels' | 'messages' | 'threads' | 'reminders' | 'drafts' | 'workspace'

export type Connection = {
  readonly state: ConnectionState
  /** Announced 5 s after becoming unhealthy; the chip and the banner follow this, not `state`. */
  readonly offline: boolean
  /** Epoch milliseconds of the next try, while there is one planned. */
  readonly nextTryAt?: number
  readonly transport: 'websocket' | 'longpoll'
  /** Set when no try will help by itself: a sign-in or a person is needed. Locale code. */
  readonly blocked?: string
  /** Why tries fail for now, where each may be the one that succeeds: nothing is asked of a person. Locale code. */
  readonly trouble?: string
  /** Epoch milliseconds when the connection was lost, for the line in the timeline. */
  readonly lostAt?: number
  /** Epoch milliseconds up to which what is held here is whole; absent while connected, and before the first time. */
  readonly knownUntil?: number
  /** What could not be fetched yet on this connection, and is tried again; absent when nothing is missing. */
  readonly stillLoading?: readonly LoadingPart[]
  /** The local workspace's server stopped and is being started again. */
  readonly serverRestarting: boolean
}
