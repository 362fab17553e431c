/** How long Undo is offered, in milliseconds. */
export const UNDO_MS = 10_000
