import type { UserGroup } from '#shared/domain/manage/group.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { asList, asWire, eachOf, flagOf, idOf, nameOf, textOf, timeOf } from '../../../decode/read.ts'

/** See docs/wire.md 5.24. */
export function readGroup(value: unknown): UserGroup | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  return {
    id,
    name: nameOf(wire['name']) ?? id,
    description: textOf(wire['description'], 1_024),
    teamId: nameOf(wire['team_id'], 64),
    createdAt: timeOf(wire['created_at']),
    members: eachOf(asList(wire['members']), (member) => {
      const userId = idOf(asWire(member)?.['user_id'])
      return userId === undefined
        ? undefined
        : { userId: asUserId(userId), admin: flagOf(asWire(member)?.['is_admin']) ?? false }
    }),
  }
}
