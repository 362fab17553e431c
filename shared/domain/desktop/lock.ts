/** The app lock: a PIN that windows ask for. */
export type Lock = {
  /** A PIN is set. */
  readonly on: boolean
  /** Windows show only the PIN field. */
  readonly locked: boolean
  /** Attempts are refused until then after wrong PINs. Epoch milliseconds. */
  readonly waitUntil?: number
}

/** Characters of a PIN; letters are allowed. */
export const PIN_LENGTH = { least: 4, most: 64 } as const

/** Minutes of inactivity before Parlor locks; 0: only by hand, and at each start. */
export const LOCK_MINUTES = [0, 1, 5, 15, 60] as const
export type LockMinutes = (typeof LOCK_MINUTES)[number]
