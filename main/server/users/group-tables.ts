import type { Db } from '../store/db.ts'
import type { WireUserGroup } from '#shared/wire/admin.ts'
import { toText } from '../store/time.ts'

export type GroupRow = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly team_id: string | null
  readonly created_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

type GroupMemberRow = {
  readonly group_id: string
  readonly user_id: string
  readonly is_admin: number
  readonly created_at: number
}

export function groupById(db: Db, id: string): GroupRow | undefined {
  return db.get<GroupRow>('SELECT * FROM user_groups WHERE id = ?', id)
}

export function groupsByIds(db: Db, ids: Iterable<string>): Map<string, GroupRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = db.all<GroupRow>(
    'SELECT * FROM user_groups WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(wanted),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export function putGroup(db: Db, row: GroupRow): void {
  db.run(
    `INSERT INTO user_groups (id, name, description, team_id, created_by, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       updated_at = excluded.updated_at`,
    row.id,
    row.name,
    row.description,
    row.team_id,
    row.created_by,
    row.created_at,
    row.updated_at,
  )
}

export function deleteGroup(db: Db, id: string): void {
  db.run('DELETE FROM user_groups WHERE id = ?', id)
}

export const GROUP_PAGE = `SELECT * FROM user_groups WHERE (created_at, id) > (?, ?)
  AND (? IS NULL OR team_id = ?) ORDER BY created_at, id LIMIT ?`

export function groupPage(
  db: Db,
  after: { at: number; id: string },
  team: string | undefined,
  limit: number,
): GroupRow[] {
  return db.all<GroupRow>(GROUP_PAGE, after.at, after.id, team ?? null, team ?? null, limit)
}

export const GROUP_SEARCH = `SELECT * FROM user_groups WHERE (name COLLATE NOCASE, id) > (?, ?)
  AND (? IS NULL OR team_id = ?) ORDER BY name COLLATE NOCASE, id LIMIT ?`

const READ_BATCH = 200

/**
 * Groups with a matching name, sorted by name. SQLite has no index for folded names, and there are few groups, so all
 * are read.
 */
export function searchGroups(
  db: Db,
  isFound: (name: string) => boolean,
  after: { name: string; id: string },
  team: string | undefined,
  limit: number,
): GroupRow[] {
  const found: GroupRow[] = []
  const teamCell = team ?? null
  for (let from: { name: string; id: string } | undefined = after; from && found.length < limit;) {
    const rows: GroupRow[] = db.all<GroupRow>(GROUP_SEARCH, from.name, from.id, teamCell, teamCell, READ_BATCH)
    found.push(...rows.filter((row) => isFound(row.name)))
    from = rows.length < READ_BATCH ? undefined : rows.at(-1)
  }
  return found.slice(0, limit)
}

export function groupMembers(db: Db, groupId: string): GroupMemberRow[] {
  return db.all<GroupMemberRow>(
    'SELECT * FROM user_group_members WHERE group_id = ? ORDER BY user_id LIMIT 100',
    groupId,
  )
}

export function putGroupMember(db: Db, row: GroupMemberRow): void {
  db.run(
    `INSERT INTO user_group_members (group_id, user_id, is_admin, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (group_id, user_id) DO UPDATE SET is_admin = excluded.is_admin`,
    row.group_id,
    row.user_id,
    row.is_admin,
    row.created_at,
  )
}

export function deleteGroupMember(db: Db, groupId: string, userId: string): void {
  db.run('DELETE FROM user_group_members WHERE group_id = ? AND user_id = ?', groupId, userId)
}

/** A group of people without its members. See docs/wire.md 5.24. */
export function encodeGroup(row: GroupRow): WireUserGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    team_id: row.team_id ?? undefined,
    created_by: row.created_by ?? undefined,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
