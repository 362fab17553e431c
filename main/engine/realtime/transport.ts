/** One way to hold a live line to the server: a websocket, or long-polling. */
export type Transport = {
  readonly kind: 'websocket' | 'longpoll'
  /** Dials at once. Exactly one `onLost` ends the line, however it ends, unless `drop` or `close` was called first. */
  open(dial: Dial, handlers: LineHandlers): Line
}

export type Dial = {
  readonly token: string
  readonly authType: 'jwt' | 'anonymous'
  /** The `json` parameter. See docs/wire.md 2.2. */
  readonly payload: string
}

export type LineHandlers = {
  /** One parsed frame. Anything can be in it. */
  onFrame(frame: unknown): void
  onLost(loss: Loss): void
}

export type Loss = {
  /** `ended`: the server said that it is over for good (close code 1000); anything else may be tried again. */
  readonly kind: 'ended' | 'lost'
  readonly code: number
  readonly reason: string
}

export type Line = {
  /** Keep-alive; does nothing where the transport needs none. */
  ping(clientId: string): void
  /** Says goodbye; resolves when the peer answered, or after the close wait. */
  close(): Promise<void>
  /** Lets go at once, with nothing heard from this line afterwards. */
  drop(): void
}
