import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isUserId } from '#shared/wire/users.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { customOf, flag, idText, list, object } from '../http/shapes.ts'
import type { Db } from '../store/db.ts'
import { asUser, storedUrls } from '../uploads/upload-files.ts'
import { optionalTime, MS, type Micros } from '../store/time.ts'
import { appSettings } from '../admin/settings.ts'
import { toWords } from '../messages/words.ts'
import { putUser, userById, type UserRow } from './user-tables.ts'

const MAX_TEAMS = 250

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

const privacy = v.optional(v.looseObject({ enabled: flag }))

/** The known keys of a user; every other key is custom. See docs/wire.md 5.2. */
export const userInput = v.looseObject({
  name: v.optional(v.string()),
  image: v.optional(v.string()),
  language: v.optional(v.string()),
  role: idText(),
  invisible: flag,
  privacy_settings: v.optional(
    v.looseObject({ typing_indicators: privacy, read_receipts: privacy, delivery_receipts: privacy }),
  ),
  teams: list(v.string(), MAX_TEAMS),
  teams_role: object,
  revoke_tokens_issued_before: v.optional(v.unknown()),
})

type Upsert = { readonly row: UserRow; readonly changed: boolean; readonly created: boolean }

/**
 * Creates or changes a user from the details that a client sends: absent keys stay, `role`, times and bans are never
 * taken. See docs/wire.md 2.2 "upsert rule" and 8.1.
 */
export function upsertUser(db: Db, id: string, details: Json, now: Micros, role?: string): Upsert {
  if (!isUserId(id)) refuse('input', `user id ${id.slice(0, 40)} is not allowed`)
  const known = userById(db, id)
  const base = known ?? newUser(id, creationTime(db, now), role ?? 'user')
  const custom = { ...(JSON.parse(base.custom) as Json), ...customOf(details, KNOWN) }
  const name = nameOr(details['name'], base.name)
  const next: UserRow = {
    ...base,
    name,
    name_words: toWords(name ?? ''),
    image: imageOf(db, base, textOr(details['image'], base.image)),
    language: textOr(details['language'], base.language),
    role: role ?? base.role,
    invisible: typeof details['invisible'] === 'boolean' ? Number(details['invisible']) : base.invisible,
    privacy: details['privacy_settings'] ? JSON.stringify(details['privacy_settings']) : base.privacy,
    custom: JSON.stringify(custom),
  }
  if (name !== base.name && name) checkUniqueName(db, id, name)
  const changed = known !== undefined && !sameUser(known, next)
  if (!known || changed) putUser(db, changed ? { ...next, updated_at: now } : next)
  return { row: changed ? { ...next, updated_at: now } : next, changed, created: !known }
}

/** The stored form of a portrait's address: clients send back the signed one they got. */
function imageOf(db: Db, { id, role, image }: UserRow, next: string | null): string | null {
  return next === null ? null : storedUrls(db, asUser(id, role), next, image ?? '')
}

/**
 * Where the app wants names to be unique: in the whole app, or among users with a team in common. See docs/wire.md
 * 5.22.
 */
function checkUniqueName(db: Db, id: string, name: string): void {
  const rule = appSettings(db).enforce_unique_usernames
  if (rule === 'no') return
  const shared = rule === 'app' ? '' : SHARED_TEAM
  const values = rule === 'app' ? [name, id] : [name, id, id]
  const sql = 'SELECT 1 FROM users u WHERE u.name = ? AND u.id <> ? AND u.deleted_at IS NULL' + shared
  if (db.get(sql, ...values)) refuse('duplicateUsername', `the name ${name} is taken`, { name: 'taken' })
}

const SHARED_TEAM = ` AND EXISTS (SELECT 1 FROM json_each(u.teams) a
  WHERE a.value IN (SELECT value FROM json_each((SELECT teams FROM users WHERE id = ?))))`

export function requireUser(db: Db, id: string): UserRow {
  return userById(db, id) ?? refuse('doesNotExist', `The following users do not exist: ${id}`)
}

/** Creates a user that a server token refers to, without a name. */
export function ensureUser(db: Db, id: string, now: Micros): void {
  if (!userById(db, id)) upsertUser(db, id, {}, now, 'user')
}

/** Refuses with code 17 without a server token. */
export function needServer(who: Identity): void {
  if (!who.server)
    refuse('notAllowed', `User '${who.userId}' with roles ['${who.role}'] is not allowed: a server token is needed`)
}

/** Sets what only a server token may set: teams, roles in them, and the revocation time of tokens. */
export function setServerFields(db: Db, id: string, details: Json): boolean {
  const before = userById(db, id)
  const { teams, teams_role: roles } = details
  if (isObject(roles) && Object.values(roles).every((role) => typeof role === 'string')) {
    const stored = JSON.stringify(roles)
    if (stored.length > MAX_FIELD) refuse('payloadTooBig', 'teams_role is too long')
    db.changing('users').run(
      "UPDATE users SET custom = json_set(custom, '$.teams_role', json(?)) WHERE id = ?",
      stored,
      id,
    )
  }
  if (Array.isArray(teams) && teams.every((team) => typeof team === 'string')) {
    db.changing('users').run(
      'UPDATE users SET teams = ? WHERE id = ?',
      JSON.stringify([...new Set(teams)].slice(0, MAX_TEAMS)),
      id,
    )
  }
  if ('revoke_tokens_issued_before' in details) {
    const at = optionalTime(details['revoke_tokens_issued_before']) ?? null
    db.changing('users').run('UPDATE users SET tokens_revoked_before = ? WHERE id = ?', at, id)
  }
  const after = userById(db, id)
  return before?.teams !== after?.teams || before?.custom !== after?.custom
}

/** Lists are in the order of creation, also of people who are created within one tick of the clock. */
function creationTime(db: Db, now: Micros): Micros {
  const newest = 'SELECT max(created_at) AS at FROM users WHERE created_at BETWEEN ? AND ?'
  const { at } = db.get<{ at: number | null }>(newest, now, now + MS - 1) ?? { at: null }
  return at === null ? now : at + 1
}

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

/** A name without a visible character is ignored. */
const nameOr = (value: unknown, otherwise: string | null): string | null =>
  typeof value === 'string' && isBlank(value) ? otherwise : textOr(value, otherwise)

function sameUser(a: UserRow, b: UserRow): boolean {
  return (['name', 'image', 'language', 'invisible', 'privacy', 'custom', 'role'] as const).every(
    (key) => a[key] === b[key],
  )
}
