/** How long the way back is offered, in milliseconds. Source: product paper X17. */
export const UNDO_MS = 10_000
