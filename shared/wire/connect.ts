/** Close codes the local server uses. See docs/wire.md 2.6. */
export const CLOSE_CODES = {
  normal: 1000,
  goingAway: 1001,
  internal: 1011,
  restart: 1012,
  overload: 1013,
  tokenExpired: 4001,
  idle: 4008,
} as const

/** The longest slot; a longer one is not a reason of ours. */
export const MAX_SLOT_MS = 30_000

/** The end of a connection: on a websocket its close frame, on a long-poll the field `close` of a response. */
export type StaggeredClose = { readonly code: number; readonly reason: string }

/**
 * The close reason of Parlor's server at an orderly shutdown: each connection gets its own slot to reconnect in, so
 * that they do not all reconnect at once. Other clients ignore the reason, and other servers send none. Source:
 * docs/adr/0014.
 *
 * @param slotMs whole milliseconds, 0 up to {@link MAX_SLOT_MS}
 */
export const staggeredClose = (slotMs: number): StaggeredClose => ({
  code: CLOSE_CODES.restart,
  reason: `come back after ${slotMs} ms`,
})

const COME_BACK = /^come back after (0|[1-9]\d{0,4}) ms$/

/**
 * The milliseconds of {@link staggeredClose}; nothing for any other end of a connection, and for a slot beyond the
 * limit.
 */
export function slotMsOf({ code, reason }: StaggeredClose): number | undefined {
  const delayText = code === CLOSE_CODES.restart ? COME_BACK.exec(reason)?.[1] : undefined
  const slotMs = delayText === undefined ? undefined : Number(delayText)
  return slotMs === undefined || slotMs > MAX_SLOT_MS ? undefined : slotMs
}
