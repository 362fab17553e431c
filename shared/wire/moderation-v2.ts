import { endpoint, type None } from './endpoint.ts'
import type { BanBody, MuteBody, MuteReply, WireMute } from './moderation.ts'
import type { WireMessage, WireUser } from './objects.ts'
import type { CursorBody, CursorReply } from './pagination.ts'
import type { WireBlock } from './users.ts'

/** Moderation v2. See docs/wire.md 3.14 and 5.21. */
const PREFIX = '/api/v2/moderation'

type Anything = Readonly<Record<string, unknown>>
export type WireReviewItem = {
  id: string
  entity_type: string
  entity_id: string
  entity_creator_id?: string
  entity_creator?: WireUser
  status: string
  recommended_action: string
  severity: number
  flags: readonly unknown[]
  flags_count: number
  bans: readonly unknown[]
  actions: readonly unknown[]
  languages: readonly string[]
  message?: WireMessage
  moderation_payload?: Anything
  latest_moderator_action: string
  config_key?: string
  reviewed_at?: string
  reviewed_by?: string
  completed_at?: string
  created_at: string
  updated_at: string
}
type WireModerationConfig = Anything & { key: string; created_at: string; updated_at: string }
type WireModerationRule = Anything & { id: string; created_at: string; updated_at: string }
type EntityBody = {
  entity_type: string
  entity_id: string
  entity_creator_id?: string
  moderation_payload?: Anything
}

export const flagEntity = endpoint('POST', `${PREFIX}/flag`, 'FlagEntity')<
  None,
  EntityBody & { reason: string; custom?: Anything },
  { item_id: string }
>()
export const muteUsersV2 = endpoint('POST', `${PREFIX}/mute`, 'Mute')<None, MuteBody, MuteReply>()
export const unmuteUsersV2 = endpoint('POST', `${PREFIX}/unmute`, 'Unmute')<
  None,
  MuteBody,
  { non_existing_users?: readonly string[] }
>()
export const banUserV2 = endpoint('POST', `${PREFIX}/ban`, 'BanV2')<None, BanBody, object>()
export const unbanUserV2 = endpoint('POST', `${PREFIX}/unban`, 'UnbanV2')<None, BanBody, object>()
export const getUserReport = endpoint('GET', `${PREFIX}/user_report`, 'GetUserModerationReport')<
  {
    user_id: string
    create_user_if_not_exists?: boolean
    include_user_blocks?: boolean
    include_user_mutes?: boolean
  },
  None,
  { user: WireUser; user_blocks?: readonly WireBlock[]; user_mutes?: readonly WireMute[] }
>()
export const queryReviewQueue = endpoint('POST', `${PREFIX}/review_queue`, 'QueryReviewQueue')<
  None,
  CursorBody,
  CursorReply & { items: readonly WireReviewItem[]; action_config: object; stats: object }
>()
export const upsertModerationConfig = endpoint('POST', `${PREFIX}/config`, 'UpsertConfig')<
  None,
  Anything,
  { config: WireModerationConfig }
>()
export const getModerationConfig = endpoint('GET', `${PREFIX}/config/:key`, 'GetConfig')<
  { team?: string },
  None,
  { config: WireModerationConfig }
>()
export const deleteModerationConfig = endpoint('DELETE', `${PREFIX}/config/:key`, 'DeleteConfig')<
  { team?: string },
  None,
  object
>()
export const queryModerationConfigs = endpoint('POST', `${PREFIX}/configs`, 'QueryModerationConfigs')<
  None,
  CursorBody,
  CursorReply & { configs: readonly WireModerationConfig[] }
>()
export const submitModerationAction = endpoint('POST', `${PREFIX}/submit_action`, 'SubmitAction')<
  None,
  Anything & { action_type: string; item_id: string },
  { item?: WireReviewItem }
>()
export const checkEntity = endpoint('POST', `${PREFIX}/check`, 'Check')<
  None,
  EntityBody & { config_key?: string; options?: { force_sync?: boolean }; test_mode?: boolean },
  { status: string; recommended_action: string; item?: WireReviewItem; task_id?: string }
>()
export const customCheckEntity = endpoint('POST', `${PREFIX}/custom_check`, 'CustomCheck')<
  None,
  EntityBody & { flags: readonly { type: string; labels?: readonly string[]; reason?: string; custom?: Anything }[] },
  { id: string; item: WireReviewItem; status: string }
>()
export const upsertModerationRule = endpoint('POST', `${PREFIX}/moderation_rule`, 'UpsertModerationRule')<
  None,
  Anything,
  { rule: WireModerationRule }
>()
export const queryModerationRules = endpoint('POST', `${PREFIX}/moderation_rules`, 'QueryModerationRules')<
  None,
  CursorBody,
  CursorReply & { rules: readonly WireModerationRule[]; default_llm_labels: object }
>()
export const getModerationRule = endpoint('GET', `${PREFIX}/moderation_rule/:id`, 'GetModerationRule')<
  None,
  None,
  { rule: WireModerationRule }
>()
export const deleteModerationRule = endpoint('DELETE', `${PREFIX}/moderation_rule/:id`, 'DeleteModerationRule')<
  None,
  None,
  object
>()
