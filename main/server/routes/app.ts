import * as v from 'valibot'
import { getRateLimits, getTask, updateApp } from '#shared/wire/admin.ts'
import { getApp, hi, translate, type AppSettings, type UploadConfig } from '#shared/wire/app.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idList } from '../http/shapes.ts'
import { appSettings, changeAppSettings } from '../rules/app-settings.ts'
import { emojiTerms } from '../rules/emoji.ts'
import { taskOf } from '../rules/tasks.ts'
import { readTypes } from '../rules/types.ts'
import { needServer } from '../rules/users.ts'
import { fromText, toText } from '../time.ts'
import type { Work } from '../work.ts'

const MAX_SETTINGS_BYTES = 100 * 1024

const language = v.pipe(v.string(), v.minLength(1), v.maxLength(20))
const wanted = v.looseObject({
  text: v.pipe(v.string(), v.maxLength(20_000)),
  source_language: language,
  destination_language: language,
})

export const appRoutes: readonly Route[] = [
  { ...route(hi, {}, () => ({})), open: true },
  route(getApp, {}, ({ who }, work) => ({
    app: { ...(who.server ? everySetting(work) : shownSettings(work)), custom_emoji: emojiTerms(work.db, who) },
  })),
  route(updateApp, {}, ({ raw, who }, work) => {
    needServer(who)
    check(raw)
    changeAppSettings(work.db, raw, work.now)
    work.emit({
      event: { type: 'app.updated', created_at: toText(work.now), app: shownSettings(work) },
      to: { kind: 'all' },
    })
    return {}
  }),
  route(getRateLimits, { query: v.looseObject({ endpoints: idList(200) }) }, ({ query, who }, work) => {
    const limits = work.limits.shown(who, query.endpoints ?? [])
    const asked = ['server_side', 'web', 'android', 'ios'].filter((name) => query[name] === 'true')
    const shown = asked.length > 0 ? asked : [who.server ? 'server_side' : 'web']
    return Object.fromEntries(shown.map((name) => [name, limits]))
  }),
  route(translate, { body: wanted }, () => refuse('featureNotSupported', 'no translator is configured')),
  route(getTask, {}, ({ params, who }, work) => {
    needServer(who)
    return taskOf(work, params.id)
  }),
]

/** Upload rules in force: those of the start, changed by the administrator. */
export function uploadConfigIn(work: Pick<Work, 'db' | 'uploadConfig'>, kind: 'image' | 'file'): UploadConfig {
  const set = appSettings(work.db)[`${kind}_upload_config`]
  const given = Object.entries(isObject(set) ? set : {}).filter(([, value]) => value !== null)
  const config = { ...work.uploadConfig, ...Object.fromEntries(given) }
  return config.size_limit > 0 ? config : { ...config, size_limit: work.uploadConfig.size_limit || UPLOAD_LIMIT_BYTES }
}

/** What everybody sees. Source: wire contract 3.1 `/app`. */
function shownSettings(work: Work): AppSettings & Json {
  return {
    name: appSettings(work.db).name,
    image_upload_config: uploadConfigIn(work, 'image'),
    file_upload_config: uploadConfigIn(work, 'file'),
    async_url_enrich_enabled: true,
    auto_translation_enabled: false,
  }
}

/** With everything an administrator set. Source: wire contract 5.22. */
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

const FLAGS = ['guest_user_creation_disabled', 'anonymous_access_enabled']
/** Seconds: a minute to a day. Source: wire contract 5.22. */
const REMINDERS_INTERVAL = { least: 60, most: 86_400 }
const TEXT_LISTS = ['allowed_flag_reasons', 'user_search_disallowed_roles']
const NEVER = ['disable_auth_checks', 'disable_permissions_checks']
const RULE_LISTS = ['allowed_file_extensions', 'blocked_file_extensions', 'allowed_mime_types', 'blocked_mime_types']

/** Refuses what would not be understood, and what would switch the server's own checks off. */
function check(input: Json): void {
  if (JSON.stringify(input).length > MAX_SETTINGS_BYTES) refuse('payloadTooBig', 'the settings are too big')
  const wrong = (key: string): never => refuse('input', `${key} has a wrong value`, { [key]: 'wrong value' })
  if ('name' in input && (typeof input['name'] !== 'string' || input['name'].length > 255)) wrong('name')
  for (const key of FLAGS) if (key in input && typeof input[key] !== 'boolean') wrong(key)
  for (const key of NEVER) if (input[key] === true) wrong(key)
  for (const key of TEXT_LISTS) if ((input[key] ?? null) !== null && !isTexts(input[key])) wrong(key)
  const interval = input['reminders_interval'] ?? REMINDERS_INTERVAL.least
  const { least, most } = REMINDERS_INTERVAL
  if (typeof interval !== 'number' || interval < least || interval > most) wrong('reminders_interval')
  const before = input['revoke_tokens_issued_before'] ?? null
  if (before !== null && before !== '' && fromText(before) === undefined) wrong('revoke_tokens_issued_before')
  const unique = input['enforce_unique_usernames']
  if (unique !== undefined && !['no', 'app', 'team'].some((each) => each === unique)) wrong('enforce_unique_usernames')
  for (const key of ['image_upload_config', 'file_upload_config']) {
    if (key in input && input[key] !== null && !isUploadConfig(input[key])) wrong(key)
  }
}

const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((each) => typeof each === 'string')

function isUploadConfig(value: unknown): boolean {
  if (!isObject(value)) return false
  const { size_limit: limit } = value
  return (
    RULE_LISTS.every((key) => (value[key] ?? null) === null || isTexts(value[key])) &&
    (limit === undefined || limit === null || (typeof limit === 'number' && limit >= 0))
  )
}
