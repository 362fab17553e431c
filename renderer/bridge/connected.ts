import { connect } from './connect.ts'

/** Asked for as the page's first act: main answers while the rest of the script is still being made ready. */
export const connected = connect()
// Who waits for it comes later; until then a refusal is no one's mistake.
connected.catch(() => undefined)
