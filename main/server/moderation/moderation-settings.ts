import * as v from 'valibot'
import {
  deleteModerationConfig,
  deleteModerationRule,
  getModerationConfig,
  getModerationRule,
  queryModerationConfigs,
  queryModerationRules,
  upsertModerationConfig,
  upsertModerationRule,
} from '#shared/wire/moderation.ts'
import { RULE_ACTIONS } from '#shared/domain/manage/rules.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, text } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { checkUnchanged, deleteSetting, putSetting, settingOf, type SettingRow } from '../admin/settings.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { namedList } from './moderation-lists.ts'
import { isAdmin } from './moderation.ts'
import { announceModeration } from './flags.ts'

type Kind = 'moderation_config' | 'moderation_rule'

const MAX_BYTES = 100 * 1024
const NAME = /^[A-Za-z0-9_:.-]{1,255}$/

const ofTeam = v.looseObject({ team: idText() })
const configBody = v.looseObject({ key: idText(), team: idText(), expected_updated_at: idText() })
const ruleBody = v.looseObject({ id: idText(), name: text(1_000), team: idText(), expected_updated_at: idText() })

/** A team may have its own configuration of the same key. Keys cannot contain the separator. */
function configName(key: string, team: string | undefined): string {
  if (team !== undefined && !NAME.test(team)) return refuse('input', 'team is not allowed')
  return team ? `${key}@${team}` : key
}

/** Configurations and rules of moderation, stored and returned for administrators. See docs/wire.md 3.14. */
export const moderationSettingRoutes: readonly Route[] = [
  route(upsertModerationConfig, { body: configBody }, ({ body, who }, work) => {
    const { key = '', team } = body
    if (!NAME.test(key)) return refuse('input', 'key is required')
    const name = configName(key, team)
    return { config: { key, ...put(work, who, 'moderation_config', name, body) } }
  }),
  route(getModerationConfig, { query: ofTeam }, ({ params, query, who }, work) => ({
    config: { key: params.key, ...get(work, who, 'moderation_config', configName(params.key, query.team)) },
  })),
  route(deleteModerationConfig, { query: ofTeam }, ({ params, query, who }, work) =>
    remove(work, who, 'moderation_config', configName(params.key, query.team)),
  ),
  route(queryModerationConfigs, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needAdmin(who)
    const { rows, cursors } = readCursorPage(work.db, namedList('moderation_config', body.filter), body)
    return { configs: rows.map((row) => ({ key: row.name.split('@', 1)[0] ?? '', ...encode(row) })), ...cursors }
  }),
  route(upsertModerationRule, { body: ruleBody }, ({ body, who }, work) => {
    const id = body.id ?? work.ids.uuid()
    if (!NAME.test(id)) return refuse('input', 'id is not allowed')
    if (body.name === undefined) return refuse('input', 'name is required')
    return { rule: { id, ...put(work, who, 'moderation_rule', id, body) } }
  }),
  route(queryModerationRules, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needAdmin(who)
    const { rows, cursors } = readCursorPage(work.db, namedList('moderation_rule', body.filter), body)
    return {
      rules: rows.map((row) => ({ id: row.name, ...encode(row) })),
      default_llm_labels: {},
      rule_actions: RULE_ACTIONS,
      ...cursors,
    }
  }),
  route(getModerationRule, {}, ({ params, who }, work) => ({
    rule: { id: params.id, ...get(work, who, 'moderation_rule', params.id) },
  })),
  route(deleteModerationRule, {}, ({ params, who }, work) => remove(work, who, 'moderation_rule', params.id)),
]

function needAdmin(who: Identity): void {
  if (!isAdmin(who)) refuse('notAllowed', 'only administrators configure moderation')
}

function encode(row: SettingRow): Json & { created_at: string; updated_at: string } {
  return { ...(JSON.parse(row.json) as Json), created_at: toText(row.created_at), updated_at: toText(row.updated_at) }
}

function put(work: Work, who: Identity, kind: Kind, name: string, input: Json) {
  needAdmin(who)
  if (JSON.stringify(input).length > MAX_BYTES) refuse('payloadTooBig', 'this is too big')
  const { user_id: _user, user: _who, expected_updated_at: expected, ...value } = input
  checkUnchanged(settingOf(work.db, kind, name), expected)
  putSetting(work.db, kind, name, value, work.now)
  announceModeration(work, kind)
  return get(work, who, kind, name)
}

function get(work: Work, who: Identity, kind: Kind, name: string) {
  needAdmin(who)
  const row = settingOf(work.db, kind, name)
  return row ? encode(row) : refuse('doesNotExist', `${name} does not exist`)
}

function remove(work: Work, who: Identity, kind: Kind, name: string): object {
  get(work, who, kind, name)
  deleteSetting(work.db, kind, name)
  announceModeration(work, kind)
  return {}
}
