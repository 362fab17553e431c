/** Anything in a timeline. `createdAt` is epoch milliseconds and may carry microseconds as a fraction. */
export type Placed = { readonly createdAt: number; readonly id: string }

/** Timeline order: by time, then by id. Total, so pages never repeat or skip. */
export function comparePlaced(a: Placed, b: Placed): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Smallest step in the order of messages, in milliseconds: a microsecond, the precision of the server. */
export const PLACE_STEP_MS = 0.001
