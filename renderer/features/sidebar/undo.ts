/** How long the way back is offered, in milliseconds. */
export const UNDO_MS = 10_000
