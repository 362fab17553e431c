import type { Db } from '../store/db.ts'

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

export function deleteSetting(db: Db, kind: SettingKind, name: string): boolean {
  return db.changing('settings').run('DELETE FROM settings WHERE kind = ? AND name = ?', kind, name) > 0
}
