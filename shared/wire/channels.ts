import { endpoint, type None, type Filter, type MessagePage, type SortField } from './endpoint.ts'
import type { WireChannel, WireChannelState, WireMember, WireMessage } from './objects.ts'
import type { WireEvent } from './events.ts'

type ChannelQueryBody = {
  data?: Record<string, unknown>
  state?: boolean
  watch?: boolean
  presence?: boolean
  messages?: MessagePage
  members?: { limit?: number; offset?: number }
  watchers?: { limit?: number; offset?: number }
}

export type ChannelListBody = {
  filter_conditions: Filter
  sort?: readonly SortField[]
  state?: boolean
  watch?: boolean
  presence?: boolean
  limit?: number
  offset?: number
  message_limit?: number
  member_limit?: number
}

export type ChannelUpdateBody = {
  data?: Record<string, unknown>
  message?: Record<string, unknown>
  add_members?: readonly (string | { user_id: string; channel_role?: string })[]
  remove_members?: readonly string[]
  add_moderators?: readonly string[]
  demote_moderators?: readonly string[]
  assign_roles?: readonly { user_id: string; channel_role: string }[]
  invites?: readonly (string | { user_id: string; channel_role?: string })[]
  accept_invite?: boolean
  reject_invite?: boolean
  cooldown?: number
  add_filter_tags?: readonly string[]
  remove_filter_tags?: readonly string[]
  hide_history?: boolean
  hide_history_before?: string
}

/** At most one cursor. See docs/wire.md 3.2 "pinned_messages". */
type PinnedPage = {
  limit?: number
  offset?: number
  id_lt?: string
  id_lte?: string
  id_gt?: string
  id_gte?: string
  id_around?: string
  pinned_at_before?: string
  pinned_at_before_or_equal?: string
  pinned_at_after?: string
  pinned_at_after_or_equal?: string
  pinned_at_around?: string
  sort?: readonly SortField[]
}

/** A list of channels of types that everyone can read, by the contract's own grants. See docs/wire.md 8.2, table B. */
export const OPEN_CHANNELS = { type: { $in: ['livestream', 'gaming'] } } as const

/** See docs/wire.md 3.2. */
export const queryChannels = endpoint('POST', '/channels', 'QueryChannels')<
  None,
  ChannelListBody,
  { channels: readonly WireChannelState[] }
>()
export const queryChannel = endpoint('POST', '/channels/:type/:id/query', 'GetOrCreateChannel')<
  None,
  ChannelQueryBody,
  WireChannelState
>()
export const queryDistinctChannel = endpoint('POST', '/channels/:type/query', 'GetOrCreateDistinctChannel')<
  None,
  ChannelQueryBody,
  WireChannelState
>()
export const updateChannel = endpoint('POST', '/channels/:type/:id', 'UpdateChannel')<
  None,
  ChannelUpdateBody,
  { channel: WireChannel; members: readonly WireMember[]; message?: WireMessage }
>()
export const updateChannelPartial = endpoint('PATCH', '/channels/:type/:id', 'UpdateChannelPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { channel: WireChannel; members: readonly WireMember[] }
>()
export const stopWatching = endpoint('POST', '/channels/:type/:id/stop-watching', 'StopWatchingChannel')<
  None,
  Record<string, never>,
  object
>()
export const sendEvent = endpoint('POST', '/channels/:type/:id/event', 'SendEvent')<
  None,
  { event: { type: string; parent_id?: string; [key: string]: unknown } },
  { event: WireEvent }
>()
export const markRead = endpoint('POST', '/channels/:type/:id/read', 'MarkRead')<
  None,
  { message_id?: string; thread_id?: string },
  { event?: WireEvent }
>()
export const markUnread = endpoint('POST', '/channels/:type/:id/unread', 'MarkUnread')<
  None,
  { message_id?: string; message_timestamp?: string; thread_id?: string },
  object
>()
export const getManyMessages = endpoint('GET', '/channels/:type/:id/messages', 'GetManyMessages')<
  { ids: string },
  None,
  { messages: readonly WireMessage[] }
>()
export const pinnedMessages = endpoint('GET', '/channels/:type/:id/pinned_messages', 'GetPinnedMessages')<
  { payload?: PinnedPage },
  None,
  { messages: readonly WireMessage[] }
>()
export const updateOwnMember = endpoint('PATCH', '/channels/:type/:id/member', 'UpdateMemberPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { channel_member: WireMember }
>()
export const muteChannel = endpoint('POST', '/moderation/mute/channel', 'MuteChannel')<
  None,
  { channel_cid: string; expiration?: number },
  object
>()
export const unmuteChannel = endpoint('POST', '/moderation/unmute/channel', 'UnmuteChannel')<
  None,
  { channel_cid: string },
  object
>()
export const updateMember = endpoint('PATCH', '/channels/:type/:id/member/:userId', 'UpdateMemberPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { channel_member: WireMember }
>()
export const hideChannel = endpoint('POST', '/channels/:type/:id/hide', 'HideChannel')<
  None,
  { clear_history?: boolean; user_id?: string | null },
  object
>()
export const showChannel = endpoint('POST', '/channels/:type/:id/show', 'ShowChannel')<
  None,
  { user_id?: string | null },
  object
>()
export const truncateChannel = endpoint('POST', '/channels/:type/:id/truncate', 'TruncateChannel')<
  None,
  { hard_delete?: boolean; truncated_at?: string; message?: Record<string, unknown>; skip_push?: boolean },
  { channel: WireChannel; message?: WireMessage }
>()
export const deleteChannel = endpoint('DELETE', '/channels/:type/:id', 'DeleteChannel')<
  { hard_delete?: boolean },
  None,
  { channel: WireChannel }
>()
export const getChannel = endpoint('GET', '/channels/:type/:id', 'GetChannel')<
  { state?: boolean; messages_limit?: number; members_limit?: number; watchers_limit?: number },
  None,
  WireChannelState
>()
export const deleteChannels = endpoint('POST', '/channels/delete', 'DeleteChannels')<
  None,
  { cids: readonly string[]; hard_delete?: boolean },
  { result: Readonly<Record<string, { status: string; error?: string }>>; task_id?: string }
>()

/** Server token only. See docs/wire.md 3.2 `/channels/batch`. */
export const updateChannelsBatch = endpoint('PUT', '/channels/batch', 'UpdateChannelsBatch')<
  None,
  {
    operation: string
    filter: { cids?: readonly string[]; types?: readonly string[] }
    members?: readonly (string | { user_id: string; channel_role?: string })[]
    data?: Record<string, unknown>
    filter_tags_update?: readonly string[]
  },
  { result: Readonly<Record<string, { status: string; error?: string }>>; task_id?: string }
>()

/** Without `read_by_channel`: everything is read. See docs/wire.md 3.2. */
export const markChannelsRead = endpoint('POST', '/channels/read', 'MarkChannelsRead')<
  None,
  { read_by_channel?: Readonly<Record<string, string>> },
  { event?: WireEvent }
>()
export const markDelivered = endpoint('POST', '/channels/delivered', 'MarkDelivered')<
  None,
  { latest_delivered_messages: readonly { cid: string; id: string; parent_id?: string }[] },
  { event?: WireEvent }
>()

/** See docs/wire.md 5.23. `channel_id` holds the cid. */
export type UnreadCounts = {
  total_unread_count: number
  total_unread_threads_count: number
  channels: readonly { channel_id: string; unread_count: number; last_read: string }[]
  channel_type: readonly { channel_type: string; channel_count: number; unread_count: number }[]
  threads: readonly {
    parent_message_id: string
    unread_count: number
    last_read: string
    last_read_message_id?: string
  }[]
}
/** See docs/wire.md 3.11. */
export const unreadCounts = endpoint('GET', '/unread', 'UnreadCounts')<None, None, UnreadCounts>()
export const unreadCountsBatch = endpoint('POST', '/unread_batch', 'UnreadCountsBatch')<
  None,
  { user_ids: readonly string[] },
  { counts_by_user: Readonly<Record<string, UnreadCounts>> }
>()
