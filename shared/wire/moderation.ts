import { endpoint, type None } from './endpoint.ts'
import type { WireChannel, WireMessage, WireOwnUser, WireUser } from './objects.ts'
import type { Filter, SortField } from './pagination.ts'

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
}

export type MuteReply = {
  mute?: WireMute
  mutes?: readonly WireMute[]
  own_user?: WireOwnUser
  non_existing_users?: readonly string[]
}
export type MuteBody = { target_id?: string; target_ids?: readonly string[]; timeout?: number }

export const muteUser = endpoint('POST', '/moderation/mute', 'MuteUser')<None, MuteBody, MuteReply>()
export const unmuteUser = endpoint('POST', '/moderation/unmute', 'UnmuteUser')<
  None,
  MuteBody,
  { non_existing_users?: readonly string[] }
>()

export type BanBody = {
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
