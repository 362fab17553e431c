import { connect } from './connect.ts'

/** Starts connecting before anything else: main responds while the rest of the script is still loading. */
export const connected = connect()
// It is awaited later; until then a rejection must not count as unhandled.
connected.catch(() => undefined)
