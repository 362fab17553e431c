/** Parlor's own lock: a PIN that its windows ask for. */
export type Lock = {
  /** There is a PIN. */
  readonly on: boolean
  /** Windows show nothing but the way to type it. */
  readonly locked: boolean
  /** After wrong ones: none is looked at before. Epoch milliseconds. */
  readonly waitUntil?: number
}

/** Characters of a PIN; letters are as good as digits. */
export const PIN_LENGTH = { least: 4, most: 64 } as const

/** Minutes without a touch after which Parlor locks by itself; 0: only by hand, and at each start. */
export const LOCK_MINUTES = [0, 1, 5, 15, 60] as const
export type LockMinutes = (typeof LOCK_MINUTES)[number]
