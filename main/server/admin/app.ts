import * as v from 'valibot'
import { icon } from '#shared/bridge/schemas.ts'
import { getRateLimits, getTask, updateApp } from '#shared/wire/admin.ts'
import { getApp, hi, translate, type AppSettings, type UploadConfig } from '#shared/wire/app.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idList, list, oneOf, text } from '../http/shapes.ts'
import { appSettings, changeAppSettings } from './settings.ts'
import { emojiTerms } from '../emoji/emoji.ts'
import { taskOf } from './tasks.ts'
import { LOG_DAYS_LIMITS } from '../moderation/log/log-table.ts'
import { readTypes } from '../channels/channel-types.ts'
import { needServer } from '../users/users.ts'
import { fromText, toText } from '../store/time.ts'
import type { Work } from '../work.ts'

const MAX_SETTINGS_BYTES = 100 * 1024

const language = v.pipe(v.string(), v.minLength(1), v.maxLength(20))
const translateBody = v.looseObject({
  text: v.pipe(v.string(), v.maxLength(20_000)),
  source_language: language,
  destination_language: language,
})

const uploadConfig = v.optional(
  v.looseObject({
    allowed_file_extensions: list(v.string(), 1_000),
    blocked_file_extensions: list(v.string(), 1_000),
    allowed_mime_types: list(v.string(), 1_000),
    blocked_mime_types: list(v.string(), 1_000),
    size_limit: v.optional(v.pipe(v.number(), v.minValue(0))),
  }),
)

/** Seconds: a minute to a day. See docs/wire.md 5.22. */
const REMINDERS_INTERVAL = { least: 60, most: 86_400 }

/** Settings that the server itself uses; others are stored and returned unchanged. */
const settingsBody = v.looseObject({
  name: text(255),
  workspace_icon: v.nullish(v.object({ base64: icon.entries.base64, mime_type: icon.entries.mimeType })),
  guest_user_creation_disabled: flag,
  anonymous_access_enabled: flag,
  disable_auth_checks: flag,
  disable_permissions_checks: flag,
  allowed_flag_reasons: v.optional(v.array(v.string())),
  user_search_disallowed_roles: v.optional(v.array(v.string())),
  reminders_interval: v.optional(
    v.pipe(v.number(), v.minValue(REMINDERS_INTERVAL.least), v.maxValue(REMINDERS_INTERVAL.most)),
  ),
  cdn_expiration_seconds: v.optional(v.number()),
  moderation_log_days: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(LOG_DAYS_LIMITS.least), v.maxValue(LOG_DAYS_LIMITS.most)),
  ),
  revoke_tokens_issued_before: v.optional(
    v.pipe(
      v.string(),
      v.check((at) => fromText(at) !== undefined, 'not a date'),
    ),
  ),
  enforce_unique_usernames: oneOf(['no', 'app', 'team']),
  image_upload_config: uploadConfig,
  file_upload_config: uploadConfig,
})

/** The platforms of a rate limit query; the limits are the same for all of them. */
const PLATFORMS = ['server_side', 'android', 'ios', 'web'] as const
const limitsQuery = v.looseObject({ endpoints: idList(200), server_side: flag, android: flag, ios: flag, web: flag })

/** `null` resets a setting. */
const nullsOf = (body: Json): Json => Object.fromEntries(Object.entries(body).filter(([, value]) => value === null))

export const appRoutes: readonly Route[] = [
  { ...route(hi, {}, () => ({})), open: true },
  route(getApp, {}, ({ who }, work) => ({
    app: { ...(who.server ? everySetting(work) : shownSettings(work)), custom_emoji: emojiTerms(work.db, who) },
  })),
  route(updateApp, { body: settingsBody }, ({ body, raw, who }, work) => {
    needServer(who)
    check(body)
    changeAppSettings(work.db, { ...nullsOf(raw), ...body }, work.now)
    work.emit({
      event: { type: 'app.updated', created_at: toText(work.now), app: shownSettings(work) },
      to: { kind: 'all' },
    })
    return {}
  }),
  route(getRateLimits, { query: limitsQuery }, ({ query, who }, work) => {
    const limits = work.limits.shown(who, query.endpoints ?? [])
    const selected = PLATFORMS.filter((name) => query[name])
    return Object.fromEntries((selected.length > 0 ? selected : PLATFORMS).map((name) => [name, limits]))
  }),
  route(translate, { body: translateBody }, () => refuse('featureNotSupported', 'no translator is configured')),
  route(getTask, {}, ({ params, who }, work) => {
    needServer(who)
    return taskOf(work, params.id)
  }),
]

/** The effective upload rules: the initial ones with the administrator's changes. */
export function uploadConfigIn(work: Pick<Work, 'db' | 'uploadConfig'>, kind: 'image' | 'file'): UploadConfig {
  const set = appSettings(work.db)[`${kind}_upload_config`]
  const given = Object.entries(isObject(set) ? set : {}).filter(([, value]) => value !== null)
  const config = { ...work.uploadConfig, ...Object.fromEntries(given) }
  return config.size_limit > 0 ? config : { ...config, size_limit: work.uploadConfig.size_limit || UPLOAD_LIMIT_BYTES }
}

/** Settings that all users see. See docs/wire.md 3.1 `/app`. */
export function shownSettings(work: Work): AppSettings & Json {
  const { name, workspace_icon } = appSettings(work.db)
  return {
    name,
    ...(workspace_icon === undefined ? {} : { workspace_icon }),
    image_upload_config: uploadConfigIn(work, 'image'),
    file_upload_config: uploadConfigIn(work, 'file'),
    async_url_enrich_enabled: true,
    auto_translation_enabled: false,
  }
}

/** All settings, for server tokens. See docs/wire.md 5.22. */
function everySetting(work: Work): AppSettings & Json {
  const types = [...readTypes(work.db).values()].map(({ name, flags }) => [name, { name, ...flags }])
  return {
    disable_auth_checks: false,
    disable_permissions_checks: false,
    multi_tenant_enabled: false,
    permission_version: 'v2',
    reminders_interval: 60,
    ...appSettings(work.db),
    ...shownSettings(work),
    channel_configs: Object.fromEntries(types),
  }
}

/** A local server never runs without its checks: switching them off would affect all users. */
const NEVER = ['disable_auth_checks', 'disable_permissions_checks'] as const

/** Refuses settings that would switch the server's own checks off. */
function check(input: v.InferOutput<typeof settingsBody>): void {
  if (JSON.stringify(input).length > MAX_SETTINGS_BYTES) refuse('payloadTooBig', 'the settings are too big')
  for (const key of NEVER) {
    if (input[key])
      refuse('input', `${key} cannot be set: a local server never runs without its checks`, { [key]: 'never' })
  }
}
