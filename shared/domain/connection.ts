type ConnectionState = 'connecting' | 'healthy' | 'unhealthy'

/** What may still be missing on the screen although connected. */
export type LoadingPart = 'channels' | 'messages' | 'threads' | 'reminders' | 'drafts' | 'workspace'

export type Connection = {
  readonly state: ConnectionState
  /** Set 5 s after becoming unhealthy; the chip and the banner follow this, not `state`. */
  readonly offline: boolean
  /** Epoch milliseconds of the next scheduled attempt, if any. */
  readonly nextTryAt?: number
  readonly transport: 'websocket' | 'longpoll'
  /** Set when retrying cannot help: the user must sign in or act. Locale code. */
  readonly blocked?: string
  /** Why attempts fail for now, when a later one may succeed: nothing is required of the user. Locale code. */
  readonly trouble?: string
  /** Epoch milliseconds when the connection was lost, for the line in the timeline. */
  readonly lostAt?: number
  /** Epoch milliseconds up to which the cache is complete; absent while connected, and before the first time. */
  readonly knownUntil?: number
  /** What could not be loaded yet on this connection and is retried; absent when nothing is missing. */
  readonly stillLoading?: readonly LoadingPart[]
  /** The local workspace's server stopped and is being restarted. */
  readonly serverRestarting: boolean
}
