/** A way to hold a live connection to the server: a websocket, or long-polling. */
export type Transport = {
  readonly kind: 'websocket' | 'longpoll'
  /**
   * Connects at once. Exactly one `onLost` follows when the connection ends, unless `drop` or `close` was called
   * first.
   */
  open(dial: Dial, handlers: TransportHandlers): TransportConnection
}

export type Dial = {
  readonly token: string
  readonly authType: 'jwt' | 'anonymous'
  /** The `json` parameter. See docs/wire.md 2.2. */
  readonly payload: string
}

export type TransportHandlers = {
  /** One parsed frame with unchecked content. */
  onFrame(frame: unknown): void
  onLost(loss: Loss): void
}

export type Loss = {
  /** `ended`: the server ended the session permanently (close code 1000); otherwise it may be tried again. */
  readonly kind: 'ended' | 'lost'
  readonly code: number
  readonly reason: string
}

export type TransportConnection = {
  /** Keep-alive; does nothing if the transport needs none. */
  ping(clientId: string): void
  /** Closes properly; resolves when the peer has responded, or after the close timeout. */
  close(): Promise<void>
  /** Ends at once; no callback follows. */
  drop(): void
}
