import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { findChannels } from '../channels/find-channels.ts'
import { findUsers } from '../users/find-people.ts'
import type { Db } from '../store/db.ts'
import { targetIds, type SegmentRow } from './campaign-tables.ts'

/** The most users of one segment; others are left out. */
const MAX_AUDIENCE = 100_000

/** Ids of the users (or channels) of a segment: named ones, those that match its filter, or all. */
export function idsOf(db: Db, segment: SegmentRow, senderId: string): string[] {
  const named = targetIds(db, segment.id)
  const filter = JSON.parse(segment.filter) as Json
  const filtered = Object.keys(filter).length > 0
  const page = { sort: [], limit: MAX_AUDIENCE, offset: 0 }
  if (segment.type === 'user') {
    const all = segment.all_users === 1
    const found = all || filtered ? findUsers(db, { ...page, filter: all ? {} : filter, deactivated: false }) : []
    return [...new Set([...named, ...found.map((user) => user.id)])]
  }
  const who: Identity = { userId: senderId, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  const own = segment.all_sender_channels === 1 ? [{ members: { $in: [senderId] } }] : []
  const filters = [...own, ...(filtered ? [filter] : [])]
  const found = filters.flatMap((each) => findChannels(db, who, { ...page, filter: each }))
  return [...new Set([...named, ...found.map((channel) => channel.cid)])]
}
