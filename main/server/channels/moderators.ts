import type { Identity } from '../http/auth/identify.ts'
import type { Db } from '../store/db.ts'
import { accessTo, mayRead } from './access.ts'
import type { ChannelRow } from './channel-table.ts'

/** Administrators and moderators of the app; the comparison of ids makes it a search in their index. */
const STAFF = `SELECT id, role FROM users WHERE role IN ('admin', 'moderator') AND id > '' AND deleted_at IS NULL
  AND deactivated_at IS NULL LIMIT 100`
const OFFICERS = `SELECT u.id, u.role FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.cid = ? AND (m.channel_role <> 'channel_member' OR m.user_id = ?) LIMIT 100`

/** Those who see what is hidden from others in a channel. */
export function moderatorsIn(db: Db, channel: ChannelRow): string[] {
  const found = [
    ...db.all<{ id: string; role: string }>(STAFF),
    ...db.all<{ id: string; role: string }>(OFFICERS, channel.cid, channel.created_by),
  ]
  return found
    .filter(({ id, role }) => {
      const who: Identity = { userId: id, role, banned: false, server: false, expiresAtMs: undefined }
      const access = accessTo(db, channel, who)
      return access.moderates && mayRead(access, who)
    })
    .map(({ id }) => id)
}
