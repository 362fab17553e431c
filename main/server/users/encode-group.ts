import type { WireUserGroup } from '#shared/wire/admin.ts'
import type { GroupRow } from './group-tables.ts'
import { toText } from '../time.ts'

/** A group of people without its members. See docs/wire.md 5.24. */
export function encodeGroup(row: GroupRow): WireUserGroup {
  return {
    id: row.id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.team_id === null ? {} : { team_id: row.team_id }),
    ...(row.created_by === null ? {} : { created_by: row.created_by }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
