import type { Reader } from '../tx.ts'
import type { MessageRow } from '../rows.ts'

/** Channels in which the viewer may ban, and their role. */
const MODERATES = `SELECT 1 FROM users WHERE id = ? AND json ->> 'role' IN ('admin', 'moderator')
  UNION ALL SELECT 1 FROM channels c, json_each(c.json, '$.capabilities') each
  WHERE c.cid = ? AND each.value = 'ban-channel-members' LIMIT 1`

/** A message that is hidden from others: its author sees it, and so do those who moderate the channel. */
export function seesShadowed(reader: Reader, { userId, cid }: Pick<MessageRow, 'userId' | 'cid'>): boolean {
  return userId === reader.viewerId || reader.db.get(MODERATES, reader.viewerId, cid) !== undefined
}
