import * as v from 'valibot'
import type { WireDevice } from '#shared/wire/users.ts'
import type { WireUserGroup } from '#shared/wire/admin.ts'
import type { Db } from '../store/db.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { idText, text } from '../http/shapes.ts'
import type { Work } from '../work.ts'
import { toText } from '../store/time.ts'

export type UserRow = {
  readonly id: string
  readonly name: string | null
  readonly name_words: string
  readonly image: string | null
  readonly role: string
  readonly language: string | null
  readonly invisible: number
  readonly banned: number
  readonly created_at: number
  readonly updated_at: number
  readonly last_active: number | null
  readonly deactivated_at: number | null
  readonly deleted_at: number | null
  readonly tokens_revoked_before: number | null
  readonly privacy: string | null
  readonly custom: string
  /** Written by the ban tables only. */
  readonly shadow_banned?: number
  readonly ban_expires?: number | null
  /** JSON list of team names. */
  readonly teams?: string
}

const FIRST_ADMIN = `SELECT id FROM users WHERE role = 'admin' AND deleted_at IS NULL ORDER BY created_at, id LIMIT 1`

/** Whom a command acts for when it names nobody. */
export const firstAdministrator = (db: Db): string | undefined => db.get<{ id: string }>(FIRST_ADMIN)?.id

export function userById(db: Db, id: string): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM users WHERE id = ?', id)
}

export function usersByIds(db: Db, ids: Iterable<string>): Map<string, UserRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = db.all<UserRow>(
    'SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(wanted),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export function putUser(db: Db, row: UserRow): void {
  db.changing('users').run(
    `INSERT INTO users (id, name, name_words, image, role, language, invisible, banned, created_at, updated_at,
       last_active, deactivated_at, deleted_at, tokens_revoked_before, privacy, custom)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_words = excluded.name_words, image = excluded.image,
       role = excluded.role, language = excluded.language, invisible = excluded.invisible, banned = excluded.banned,
       updated_at = excluded.updated_at, last_active = excluded.last_active,
       deactivated_at = excluded.deactivated_at, deleted_at = excluded.deleted_at,
       tokens_revoked_before = excluded.tokens_revoked_before, privacy = excluded.privacy, custom = excluded.custom`,
    row.id,
    row.name,
    row.name_words,
    row.image,
    row.role,
    row.language,
    row.invisible,
    row.banned,
    row.created_at,
    row.updated_at,
    row.last_active,
    row.deactivated_at,
    row.deleted_at,
    row.tokens_revoked_before,
    row.privacy,
    row.custom,
  )
}

export function touchLastActive(db: Db, id: string, at: number): void {
  db.keepingCaches.run('UPDATE users SET last_active = ? WHERE id = ?', at, id)
}

/** Whether a user has signed in by themselves, or is an administrator. */
export function hasPeople(db: Db): boolean {
  const signedIn = "last_active IS NOT NULL AND role NOT IN ('guest', 'anonymous')"
  return db.get(`SELECT 1 FROM users WHERE role = 'admin' OR (${signedIn}) LIMIT 1`) !== undefined
}

export function countUsers(db: Db): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM users')?.n ?? 0
}

type BlockRow = { readonly user_id: string; readonly blocked_id: string; readonly created_at: number }

export function blocksOf(db: Db, userId: string): BlockRow[] {
  return db.all<BlockRow>('SELECT * FROM user_blocks WHERE user_id = ? ORDER BY created_at, blocked_id', userId)
}

/** Which of these people mute or block anything. */
export function withMutesOrBlocks(db: Db, ids: readonly string[]): Set<string> {
  const rows = db.all<{ id: string }>(
    `SELECT wanted.value AS id FROM json_each(?) AS wanted
     WHERE EXISTS (SELECT 1 FROM user_mutes m WHERE m.user_id = wanted.value)
       OR EXISTS (SELECT 1 FROM channel_mutes c WHERE c.user_id = wanted.value)
       OR EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = wanted.value)`,
    JSON.stringify(ids),
  )
  return new Set(rows.map(({ id }) => id))
}

export function blockOf(db: Db, userId: string, blockedId: string): BlockRow | undefined {
  return db.get<BlockRow>('SELECT * FROM user_blocks WHERE user_id = ? AND blocked_id = ?', userId, blockedId)
}

/** Returns since when the other is blocked. */
export function putBlock(db: Db, row: BlockRow): number {
  const stored = db.get<{ created_at: number }>(
    `INSERT INTO user_blocks (user_id, blocked_id, created_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, blocked_id) DO UPDATE SET created_at = user_blocks.created_at RETURNING created_at`,
    row.user_id,
    row.blocked_id,
    row.created_at,
  )
  return stored?.created_at ?? row.created_at
}

export function deleteBlock(db: Db, userId: string, blockedId: string): boolean {
  return db.run('DELETE FROM user_blocks WHERE user_id = ? AND blocked_id = ?', userId, blockedId) > 0
}

/** Excludes messages (or other rows with a `user_id`) of users that the viewer `?` blocks. */
export const NOT_BLOCKED = 'user_id NOT IN (SELECT x.blocked_id FROM user_blocks x WHERE x.user_id = ?)'

export const BLOCKERS = 'SELECT user_id FROM user_blocks WHERE blocked_id = ?'

/** The users who block this user. */
export function blockersOf(db: Db, blockedId: string): string[] {
  return db.all<{ user_id: string }>(BLOCKERS, blockedId).map((row) => row.user_id)
}

/** The users that this user blocks. */
export function blockedBy(db: Db, userId: string): Set<string> {
  return new Set(blocksOf(db, userId).map((row) => row.blocked_id))
}

/** Conversations of exactly these two users, by the index of memberships. */
export const PAIR_CHANNELS = `SELECT c.cid FROM members a JOIN channels c ON c.cid = a.cid
  JOIN members b ON b.cid = a.cid AND b.user_id = ? WHERE a.user_id = ? AND c.member_count = 2 AND c.deleted_at IS NULL`

export function pairChannels(db: Db, one: string, other: string): string[] {
  return db.all<{ cid: string }>(PAIR_CHANNELS, other, one).map((row) => row.cid)
}

/** Whether one of the two members of channel `c` blocks the other. Takes no parameters. */
export const BLOCKED_PAIR = `EXISTS (SELECT 1 FROM members one JOIN members two ON two.cid = one.cid
  JOIN user_blocks b ON b.user_id = one.user_id AND b.blocked_id = two.user_id WHERE one.cid = c.cid)`

/** Whether the other user of a conversation of two blocks this user. */
export function isBlockedIn(db: Db, cid: string, userId: string): boolean {
  // Hardly anybody is blocked by anyone, and each message to one person asks.
  if (blockersOf(db, userId).length === 0) return false
  const sql = `SELECT 1 FROM channels c JOIN members o ON o.cid = c.cid
    JOIN user_blocks b ON b.user_id = o.user_id AND b.blocked_id = ? WHERE c.cid = ? AND c.member_count = 2`
  return db.get(sql, userId, cid) !== undefined
}

/** Conversations of this user with one other. */
export function directChannelsOf(db: Db, userId: string): string[] {
  return db
    .all<{ cid: string }>(
      `SELECT c.cid FROM members a JOIN channels c ON c.cid = a.cid
       WHERE a.user_id = ? AND c.member_count <= 2 AND c.id LIKE '!members-%' AND c.deleted_at IS NULL`,
      userId,
    )
    .map((row) => row.cid)
}

type DeviceRow = {
  readonly user_id: string
  readonly id: string
  readonly push_provider: string
  readonly push_provider_name: string | null
  readonly created_at: number
}

export function devicesOf(db: Db, userId: string): DeviceRow[] {
  return db.all<DeviceRow>('SELECT * FROM devices WHERE user_id = ? ORDER BY created_at, id', userId)
}

function putDevice(db: Db, row: DeviceRow): void {
  db.run(
    `INSERT INTO devices (user_id, id, push_provider, push_provider_name, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, id) DO UPDATE SET push_provider = excluded.push_provider,
       push_provider_name = excluded.push_provider_name`,
    row.user_id,
    row.id,
    row.push_provider,
    row.push_provider_name,
    row.created_at,
  )
}

export function deleteDevice(db: Db, userId: string, id: string): boolean {
  return db.run('DELETE FROM devices WHERE user_id = ? AND id = ?', userId, id) > 0
}

/** The preference as JSON; an empty `cid` stands for all channels. */
export function pushPreference(db: Db, userId: string, cid: string): string | undefined {
  return db.get<{ json: string }>('SELECT json FROM push_preferences WHERE user_id = ? AND cid = ?', userId, cid)?.json
}

export function putPushPreference(db: Db, userId: string, cid: string, json: string): void {
  db.run(
    `INSERT INTO push_preferences (user_id, cid, json) VALUES (?, ?, ?)
     ON CONFLICT (user_id, cid) DO UPDATE SET json = excluded.json`,
    userId,
    cid,
    json,
  )
}

const MAX_DEVICES = 100

/** See docs/wire.md 5.15 DEVICE. */
export const deviceShape = v.looseObject({
  id: idText(),
  push_provider: v.picklist(['firebase', 'apn', 'huawei', 'xiaomi']),
  push_provider_name: text(100),
})

export function registerDevice(work: Work, userId: string, device: v.InferOutput<typeof deviceShape>): void {
  const known = devicesOf(work.db, userId)
  if (known.length >= MAX_DEVICES && !known.some(({ id }) => id === device.id)) {
    refuse('input', `at most ${MAX_DEVICES} devices`)
  }
  putDevice(work.db, {
    user_id: userId,
    id: device.id ?? refuse('input', 'id is required'),
    push_provider: device.push_provider,
    push_provider_name: device.push_provider_name || null,
    created_at: work.now,
  })
}

/** Registers the device that a handshake names. An invalid one does not refuse the connection. See docs/wire.md 2.2. */
export function registerFromHandshake(work: Work, userId: string, given: Json): void {
  const device = v.safeParse(deviceShape, given)
  const isNew = device.success && device.output.id !== undefined
  if (isNew && devicesOf(work.db, userId).length < MAX_DEVICES) registerDevice(work, userId, device.output)
}

export function encodeDevice(row: DeviceRow): WireDevice {
  return {
    id: row.id,
    push_provider: row.push_provider,
    push_provider_name: row.push_provider_name ?? undefined,
    user_id: row.user_id,
    created_at: toText(row.created_at),
  }
}

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
