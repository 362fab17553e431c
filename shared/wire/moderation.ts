import { endpoint, type None, type Filter, type SortField, type CursorBody, type CursorReply } from './endpoint.ts'
import type { WireChannel, WireMessage, WireOwnUser, WireUser } from './objects.ts'
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
  /** Of a message; sent by Parlor's own server. */
  channel_cid?: string
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
    user_id?: string
    target_user_id?: string
    create_user_if_not_exists?: boolean
    include_user_blocks?: boolean
    include_user_mutes?: boolean
    include_counts?: boolean
  },
  None,
  { user: WireUser; user_blocks?: readonly WireBlock[]; user_mutes?: readonly WireMute[]; counts?: object }
>()
export const queryReviewQueue = endpoint('POST', `${PREFIX}/review_queue`, 'QueryReviewQueue')<
  None,
  CursorBody,
  CursorReply & { items: readonly WireReviewItem[]; action_config: object; stats: object }
>()
/** What a moderator or an administrator did. `undo`: how it can be reversed now, if it can. */
export type WireLoggedAction = {
  id: string
  created_at: string
  action: string
  user_id?: string
  user?: WireUser
  target_user_id?: string
  target_user?: WireUser
  channel_cid?: string
  channel_name?: string
  message_id?: string
  subject?: string
  reason?: string
  changes?: readonly { field: string; from?: string; to?: string }[]
  how?: string
  seconds?: number
  undo?: 'unban' | 'restore'
}
/** Only our own local server has it. `since`: the time of the oldest entry; `kept_days`: how long entries are kept. */
export const queryModerationLogs = endpoint('POST', `${PREFIX}/logs`, 'QueryModerationLogs')<
  None,
  CursorBody,
  { logs: readonly WireLoggedAction[]; since?: string; kept_days?: number } & CursorReply
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
  Anything & { action_type: string; item_id: string; if_unchanged_since?: string },
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
  CursorReply & {
    rules: readonly WireModerationRule[]
    default_llm_labels: object
    /** What rules may do: only our own server says so. */
    rule_actions?: readonly string[]
  }
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

/** Moderation, older surface. See docs/wire.md 3.13 and 5.15. */
export type WireMute = {
  user: WireUser
  target: WireUser
  created_at: string
  updated_at: string
  expires?: string
}

export type WireFlag = {
  user: WireUser
  target_message?: WireMessage
  target_message_id?: string
  target_user?: WireUser
  created_by_automod: boolean
  reason?: string
  custom?: Readonly<Record<string, unknown>>
  created_at: string
  updated_at: string
  reviewed_at?: string
  reviewed_by?: WireUser
  review_result?: string
}

export type WireBan = {
  user: WireUser
  banned_by?: WireUser
  channel?: WireChannel
  reason?: string
  expires?: string
  shadow: boolean
  created_at: string
  /** When and by whom it was ended; sent by Parlor's own server in its list of ended bans. */
  ended_at?: string
  ended_by?: WireUser
}

type MuteReply = {
  mute?: WireMute
  mutes?: readonly WireMute[]
  own_user?: WireOwnUser
  non_existing_users?: readonly string[]
}
type MuteBody = {
  target_id?: string
  target_ids?: readonly string[]
  timeout?: number
  /** With a server token: whose mute. */
  user_id?: string
}

export const muteUser = endpoint('POST', '/moderation/mute', 'MuteUser')<None, MuteBody, MuteReply>()
export const unmuteUser = endpoint('POST', '/moderation/unmute', 'UnmuteUser')<
  None,
  MuteBody,
  { non_existing_users?: readonly string[] }
>()

type BanBody = {
  target_user_id: string
  type?: string
  id?: string
  channel_cid?: string
  timeout?: number
  reason?: string
  shadow?: boolean
  delete_messages?: 'soft' | 'pruning' | 'hard'
  delete_reactions?: boolean
  ban_from_future_channels?: boolean
  /** With a server token: in whose name. */
  banned_by_id?: string
}
export const banUser = endpoint('POST', '/moderation/ban', 'Ban')<None, BanBody, object>()
export const unbanUser = endpoint('DELETE', '/moderation/ban', 'Unban')<
  { target_user_id: string; type?: string; id?: string; channel_cid?: string; shadow?: boolean },
  None,
  object
>()

type BansQuery = {
  filter_conditions?: Filter
  sort?: readonly SortField[]
  limit?: number
  offset?: number
  exclude_expired_bans?: boolean
  /** Bans that are over instead; understood by Parlor's own server. */
  ended?: boolean
  created_at_after?: string
  created_at_after_or_equal?: string
  created_at_before?: string
  created_at_before_or_equal?: string
}
export const queryBannedUsers = endpoint('GET', '/query_banned_users', 'QueryBannedUsers')<
  { payload: BansQuery },
  None,
  { bans: readonly WireBan[] }
>()
export const queryFutureChannelBans = endpoint('GET', '/query_future_channel_bans', 'QueryFutureChannelBans')<
  { payload: { target_user_id?: string; exclude_expired_bans?: boolean; limit?: number; offset?: number } },
  None,
  { bans: readonly WireBan[] }
>()

type FlagBody = {
  target_message_id?: string
  target_user_id?: string
  reason?: string
  custom?: Readonly<Record<string, unknown>>
}
export const flagTarget = endpoint('POST', '/moderation/flag', 'Flag')<
  None,
  FlagBody,
  { flag: WireFlag; review_queue_item_id?: string }
>()
export const unflagTarget = endpoint('POST', '/moderation/unflag', 'Unflag')<None, FlagBody, { flag: WireFlag }>()

type FlagsQuery = { filter_conditions?: Filter; limit?: number; offset?: number }
export const queryMessageFlags = endpoint('GET', '/moderation/flags/message', 'QueryMessageFlags')<
  { payload: FlagsQuery },
  None,
  { flags: readonly WireFlag[] }
>()
export const queryFlags = endpoint('POST', '/moderation/flags', 'QueryFlags')<
  None,
  FlagsQuery,
  { flags: readonly WireFlag[] }
>()
export const queryFlagReports = endpoint('POST', '/moderation/reports', 'QueryFlagReports')<
  None,
  FlagsQuery,
  { flag_reports: readonly (WireFlag & { id: string })[] }
>()
export const reviewFlagReport = endpoint('PATCH', '/moderation/reports/:id', 'ReviewFlagReport')<
  None,
  { review_result: string; review_details?: object },
  { flag_report: WireFlag & { id: string } }
>()
export const unblockMessage = endpoint('POST', '/moderation/unblock_message', 'UnblockMessage')<
  None,
  { target_message_id: string },
  object
>()
