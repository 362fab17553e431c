import { cacheOf, type Db } from '../store/db.ts'
import { refuse } from '../http/refusal.ts'
import { toText } from '../store/time.ts'

/** The kinds of settings that are stored by name. */
export type SettingKind =
  | 'app'
  | 'channel_type'
  | 'command'
  | 'role'
  | 'permission'
  | 'blocklist'
  | 'moderation_config'
  | 'moderation_rule'
  | 'task'
  | 'invitation'
  | 'join_request'
  | 'moved'

export type SettingRow = {
  readonly name: string
  readonly json: string
  readonly created_at: number
  readonly updated_at: number
}

export function settingOf(db: Db, kind: SettingKind, name: string): SettingRow | undefined {
  return db.get<SettingRow>(
    'SELECT name, json, created_at, updated_at FROM settings WHERE kind = ? AND name = ?',
    kind,
    name,
  )
}

export const SETTINGS = `SELECT name, json, created_at, updated_at FROM settings
  WHERE kind = ? AND name > ? ORDER BY name LIMIT ?`

/** Sorted by name, starting after `after`. */
export function settingsOf(db: Db, kind: SettingKind, after = '', limit = 1_000): SettingRow[] {
  return db.all<SettingRow>(SETTINGS, kind, after, limit)
}

export function putSetting(db: Db, kind: SettingKind, name: string, value: object, now: number): void {
  db.changing('settings').run(
    `INSERT INTO settings (kind, name, json, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, name) DO UPDATE SET json = excluded.json, updated_at = excluded.updated_at`,
    kind,
    name,
    JSON.stringify(value),
    now,
    now,
  )
}

/**
 * Refuses a change of what someone else has changed since it was read.
 *
 * @param expected `updated_at` as the caller knows it; absent: whatever is there is replaced
 */
export function checkUnchanged(row: { readonly updated_at: number } | undefined, expected: unknown): void {
  if (typeof expected !== 'string' || (row !== undefined && toText(row.updated_at) === expected)) return
  refuse('input', 'someone else has changed it since', { expected_updated_at: 'changed' })
}

export function deleteSetting(db: Db, kind: SettingKind, name: string): boolean {
  return db.changing('settings').run('DELETE FROM settings WHERE kind = ? AND name = ?', kind, name) > 0
}

/** Settings of the whole app; unknown keys are stored and returned unchanged. */
type AppSettingsOf = Readonly<Record<string, unknown>> & {
  readonly name: string
  /** Beyond the contract: small enough to come with the other settings at every connection. */
  readonly workspace_icon?: { readonly base64: string; readonly mime_type: string }
  readonly guest_user_creation_disabled: boolean
  /** Allows reading without a token where the anonymous role may read. Off by default. */
  readonly anonymous_access_enabled: boolean
  readonly enforce_unique_usernames: 'no' | 'app' | 'team'
  /** RFC 3339: user tokens issued before this time are revoked. */
  readonly revoke_tokens_issued_before?: unknown
}

const DEFAULTS: AppSettingsOf = {
  name: 'Parlor',
  guest_user_creation_disabled: false,
  anonymous_access_enabled: false,
  enforce_unique_usernames: 'no',
}

/** The default validity of upload addresses: two weeks. */
const ADDRESS_SECONDS = 14 * 86_400
const SHORTEST_SECONDS = 60

/** The validity of upload addresses in seconds. See docs/wire.md 5.22 `cdn_expiration_seconds`. */
export function addressSeconds(db: Db): number {
  const seconds = appSettings(db)['cdn_expiration_seconds']
  return typeof seconds === 'number' && seconds > 0 ? Math.max(SHORTEST_SECONDS, Math.floor(seconds)) : ADDRESS_SECONDS
}

const appCache = cacheOf<AppSettingsOf>(['settings'])

/** The settings, read from one row: every request asks for some. */
export function appSettings(db: Db): AppSettingsOf {
  const cache = appCache(db)
  const known = cache.get('app')
  if (known) return known
  const row = settingOf(db, 'app', 'app')
  const settings = row ? { ...DEFAULTS, ...(JSON.parse(row.json) as object) } : DEFAULTS
  cache.set('app', settings)
  return settings
}

export function changeAppSettings(db: Db, change: Readonly<Record<string, unknown>>, now: number): AppSettingsOf {
  const next: Record<string, unknown> = { ...appSettings(db), ...change }
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete next[key]
  }
  putSetting(db, 'app', 'app', next, now)
  return appSettings(db)
}
