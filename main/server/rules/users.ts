import type { Identity } from '../auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { customOf } from '../http/shapes.ts'
import type { Db } from '../store/db.ts'
import { countUsers, putUser, userById, type UserRow } from '../store/tables/users.ts'
import { optionalTime, type Micros } from '../time.ts'
import { toWords } from './words.ts'

/** Source: wire contract 5.2 "id". */
const USER_ID = /^[@A-Za-z0-9_-]{1,255}$/

/** Keys of a user that are columns, or that a client never sets. Everything else is custom. */
const KNOWN: ReadonlySet<string> = new Set([
  'id',
  'name',
  'image',
  'role',
  'language',
  'invisible',
  'privacy_settings',
  'online',
  'last_active',
  'created_at',
  'updated_at',
  'deleted_at',
  'deactivated_at',
  'banned',
  'shadow_banned',
  'ban_expires',
  'teams',
  'teams_role',
  'anon',
  'mutes',
  'channel_mutes',
  'devices',
  'total_unread_count',
  'unread_count',
  'unread_channels',
  'unread_threads',
  'total_unread_count_by_team',
  'roles',
  'push_preferences',
  'push_notifications',
  'latest_hidden_channels',
  'blocked_user_ids',
  'revoke_tokens_issued_before',
  'avg_response_time',
])

export type Upsert = { readonly row: UserRow; readonly changed: boolean; readonly created: boolean }

/**
 * Creates or changes a user from what a client says about itself: absent keys stay, `role`, times and bans are never
 * taken. The first person of a workspace is its admin. Source: wire contract 2.2 "upsert rule" and 8.1.
 */
export function upsertUser(db: Db, id: string, details: Json, now: Micros, role?: string): Upsert {
  if (!USER_ID.test(id)) refuse('input', `user id ${id.slice(0, 40)} is not allowed`)
  const known = userById(db, id)
  const base = known ?? newUser(id, now, role ?? (countUsers(db) === 0 ? 'admin' : 'user'))
  const custom = { ...(JSON.parse(base.custom) as Json), ...customOf(details, KNOWN) }
  const name = textOr(details['name'], base.name)
  const next: UserRow = {
    ...base,
    name,
    name_words: toWords(name ?? ''),
    image: textOr(details['image'], base.image),
    language: textOr(details['language'], base.language),
    role: role ?? base.role,
    invisible: typeof details['invisible'] === 'boolean' ? Number(details['invisible']) : base.invisible,
    privacy: details['privacy_settings'] ? JSON.stringify(details['privacy_settings']) : base.privacy,
    custom: JSON.stringify(custom),
  }
  const changed = known !== undefined && !sameUser(known, next)
  if (!known || changed) putUser(db, changed ? { ...next, updated_at: now } : next)
  return { row: changed ? { ...next, updated_at: now } : next, changed, created: !known }
}

/** People named by others before they ever came: they exist from then on, without a name. */
export function requireUser(db: Db, id: string): UserRow {
  return userById(db, id) ?? refuse('doesNotExist', `The following users do not exist: ${id}`)
}

/** Refuses with 17 whoever has no server token. */
export function needServer(who: Identity): void {
  if (!who.server)
    refuse('notAllowed', `User '${who.userId}' with roles ['${who.role}'] is not allowed: a server token is needed`)
}

/** What only a server token may say about somebody: teams, and from when on their tokens count. */
export function setServerFields(db: Db, id: string, details: Json): void {
  const { teams } = details
  if (Array.isArray(teams) && teams.every((team) => typeof team === 'string')) {
    db.run('UPDATE users SET teams = ? WHERE id = ?', JSON.stringify([...new Set(teams)].slice(0, MAX_TEAMS)), id)
  }
  if ('revoke_tokens_issued_before' in details) {
    const before = optionalTime(details['revoke_tokens_issued_before']) ?? null
    db.run('UPDATE users SET tokens_revoked_before = ? WHERE id = ?', before, id)
  }
}

const MAX_TEAMS = 250

function newUser(id: string, now: Micros, role: string): UserRow {
  return {
    id,
    name: null,
    name_words: '',
    image: null,
    role,
    language: null,
    invisible: 0,
    banned: 0,
    created_at: now,
    updated_at: now,
    last_active: null,
    deactivated_at: null,
    deleted_at: null,
    tokens_revoked_before: null,
    privacy: null,
    custom: '{}',
  }
}

const MAX_FIELD = 2_000

function textOr(value: unknown, otherwise: string | null): string | null {
  if (typeof value !== 'string') return otherwise
  if (value.length > MAX_FIELD) refuse('payloadTooBig', 'a field of the user is too long')
  return value
}

function sameUser(a: UserRow, b: UserRow): boolean {
  return (['name', 'image', 'language', 'invisible', 'privacy', 'custom', 'role'] as const).every(
    (key) => a[key] === b[key],
  )
}
