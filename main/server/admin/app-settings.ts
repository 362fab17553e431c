import type { Db } from '../store/db.ts'
import { putSetting, settingOf } from './settings-table.ts'

/** What an administrator sets for the whole app; every other key is kept and answered as it came. */
type AppSettingsOf = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly guest_user_creation_disabled: boolean
  /** People without a token may read where their role may. Off unless switched on. */
  readonly anonymous_access_enabled: boolean
  readonly enforce_unique_usernames: 'no' | 'app' | 'team'
  /** RFC 3339: people's tokens made before then count no more. */
  readonly revoke_tokens_issued_before?: unknown
}

const DEFAULTS: AppSettingsOf = {
  name: 'Parlor',
  guest_user_creation_disabled: false,
  anonymous_access_enabled: false,
  enforce_unique_usernames: 'no',
}

/** How long addresses of uploads hold unless an administrator says otherwise: two weeks. */
const ADDRESS_SECONDS = 14 * 86_400
const SHORTEST_SECONDS = 60

/** How long an address of an upload holds. See docs/wire.md 5.22 `cdn_expiration_seconds`. */
export function addressSeconds(db: Db): number {
  const seconds = appSettings(db)['cdn_expiration_seconds']
  return typeof seconds === 'number' && seconds > 0 ? Math.max(SHORTEST_SECONDS, Math.floor(seconds)) : ADDRESS_SECONDS
}

/** One row, read with its key. */
export function appSettings(db: Db): AppSettingsOf {
  const row = settingOf(db, 'app', 'app')
  return row ? { ...DEFAULTS, ...(JSON.parse(row.json) as object) } : DEFAULTS
}

export function changeAppSettings(db: Db, change: Readonly<Record<string, unknown>>, now: number): AppSettingsOf {
  const next: Record<string, unknown> = { ...appSettings(db), ...change }
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete next[key]
  }
  putSetting(db, 'app', 'app', next, now)
  return appSettings(db)
}
