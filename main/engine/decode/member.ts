import { asCid, asUserId } from '#shared/lib/brand.ts'
import type { MemberRow, UserRow } from '#main/cache/rows.ts'
import { asWire, flagOf, idOf, nameOf, timeOf, type DecodeContext } from './read.ts'
import { decodeUser } from './user.ts'

type DecodedMember = { readonly row: MemberRow; readonly user?: UserRow }

/** See docs/wire.md 5.7. */
export function decodeMember(value: unknown, context: DecodeContext, cid: string): DecodedMember | undefined {
  const wire = asWire(value)
  const user = wire?.['user'] ? decodeUser(wire['user'], context) : undefined
  const userId = user?.id ?? idOf(wire?.['user_id'])
  if (!wire || userId === undefined) {
    context.dropped?.('member')
    return undefined
  }
  const createdAt = timeOf(wire['created_at']) ?? 0
  const row: MemberRow = {
    cid: asCid(cid),
    userId: asUserId(userId),
    channelRole: nameOf(wire['channel_role'], 64) ?? 'channel_member',
    banned: flagOf(wire['banned']) ?? false,
    shadowBanned: flagOf(wire['shadow_banned']) ?? false,
    notificationsMuted: flagOf(wire['notifications_muted']) ?? false,
    invited: wire['status'] === 'pending' ? true : undefined,
    pinnedAt: timeOf(wire['pinned_at']),
    archivedAt: timeOf(wire['archived_at']),
    createdAt,
    updatedAt: timeOf(wire['updated_at']) ?? createdAt,
    asOf: context.asOf,
  }
  return { row, user }
}
