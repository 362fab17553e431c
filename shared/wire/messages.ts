import {
  endpoint,
  type None,
  type CursorBody,
  type CursorReply,
  type MessagePage,
  type SortField,
  type Filter,
} from './endpoint.ts'
import type {
  WireAttachment,
  WireMember,
  WireMessage,
  WireReaction,
  Maybe,
  WireChannel,
  WireDraft,
  WireRead,
  WireUser,
} from './objects.ts'

/** Message fields a client can set. See docs/wire.md 3.3 "MESSAGE INPUT". */
export type MessageInput = {
  id?: string
  text?: string
  attachments?: readonly WireAttachment[]
  parent_id?: string
  show_in_channel?: boolean
  quoted_message_id?: string
  mentioned_users?: readonly string[]
  mentioned_channel?: boolean
  mentioned_here?: boolean
  silent?: boolean
  pinned?: boolean
  poll_id?: string
  type?: string
  [custom: string]: unknown
}

export const sendMessage = endpoint('POST', '/channels/:type/:id/message', 'SendMessage')<
  None,
  { message: MessageInput; skip_push?: boolean; skip_enrich_url?: boolean; include_mentioned_members?: boolean },
  { message: WireMessage; mentioned_members?: readonly WireMember[] }
>()
export const getMessage = endpoint('GET', '/messages/:id', 'GetMessage')<
  { show_deleted_message?: boolean },
  None,
  { message: WireMessage }
>()
export const updateMessage = endpoint('POST', '/messages/:id', 'UpdateMessage')<
  None,
  { message: MessageInput; skip_enrich_url?: boolean },
  { message: WireMessage }
>()
export const updateMessagePartial = endpoint('PUT', '/messages/:id', 'UpdateMessagePartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { message: WireMessage }
>()
export const deleteMessage = endpoint('DELETE', '/messages/:id', 'DeleteMessage')<
  { hard?: boolean; delete_for_me?: boolean },
  None,
  { message: WireMessage }
>()
export const getReplies = endpoint('GET', '/messages/:id/replies', 'GetReplies')<
  MessagePage & { sort?: readonly SortField[] },
  None,
  { messages: readonly WireMessage[] }
>()
export const sendReaction = endpoint('POST', '/messages/:id/reaction', 'SendReaction')<
  None,
  { reaction: { type: string; score?: number }; enforce_unique?: boolean },
  { message: WireMessage; reaction: WireReaction }
>()
export const deleteReaction = endpoint('DELETE', '/messages/:id/reaction/:type', 'DeleteReaction')<
  None,
  None,
  { message: WireMessage; reaction: WireReaction }
>()
export const getReactions = endpoint('GET', '/messages/:id/reactions', 'GetReactions')<
  { limit?: number; offset?: number },
  None,
  { reactions: readonly WireReaction[] }
>()
export const queryReactions = endpoint('POST', '/messages/:id/reactions', 'QueryReactions')<
  None,
  CursorBody,
  { reactions: readonly WireReaction[] } & CursorReply
>()
export const undeleteMessage = endpoint('POST', '/messages/:id/undelete', 'UndeleteMessage')<
  None,
  { undeleted_by?: string },
  { message: WireMessage }
>()
/** Publishes a pending message. */
export const commitMessage = endpoint('POST', '/messages/:id/commit', 'CommitMessage')<
  None,
  None,
  { message: WireMessage }
>()
/** Streaming text of a bot: changed without counting as an edit. */
export const updateMessageEphemeral = endpoint('PATCH', '/messages/:id/ephemeral', 'EphemeralMessageUpdate')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { message: WireMessage }
>()
export const translateMessage = endpoint('POST', '/messages/:id/translate', 'TranslateMessage')<
  None,
  { language: string },
  { message: WireMessage }
>()
export type WireMessageHistory = {
  message_id: string
  message_updated_at: string
  message_updated_by_id: string
  text: string
  attachments: readonly WireAttachment[]
  is_deleted: boolean
}
export const queryMessageHistory = endpoint('POST', '/messages/history', 'QueryMessageHistory')<
  None,
  CursorBody,
  { message_history: readonly WireMessageHistory[] } & CursorReply
>()
/** A button of a command's response. Without a message in the response, the command's response is removed. */
export const runMessageAction = endpoint('POST', '/messages/:id/action', 'RunMessageAction')<
  None,
  { message_id?: string; form_data: Readonly<Record<string, string>>; id?: string; type?: string },
  { message?: WireMessage }
>()

type SearchPayload = {
  /** Channel filter. */
  filter_conditions: Filter
  /** Whole words, all of them must match. Either this or `message_filter_conditions`. */
  query?: string
  message_filter_conditions?: Filter
  sort?: readonly SortField[]
  limit?: number
  /** Not together with `next` or `sort`. */
  offset?: number
  next?: string
}

/** See docs/wire.md 3.12. */
export const search = endpoint('GET', '/search', 'Search')<
  { payload: SearchPayload },
  None,
  { results: readonly { message: WireMessage }[]; next?: string; previous?: string }
>()

export type WireThreadParticipant = {
  user_id: string
  user?: Maybe<WireUser>
  channel_cid?: Maybe<string>
  thread_id?: Maybe<string>
  created_at: string
  last_read_at: string
  last_thread_message_at?: Maybe<string>
  left_thread_at?: Maybe<string>
}

/** See docs/wire.md 5.10. The thread's id is the id of its parent message. */
export type WireThread = { readonly [key: string]: unknown } & {
  parent_message_id: string
  parent_message?: Maybe<WireMessage>
  channel_cid: string
  channel?: Maybe<WireChannel>
  title: string
  created_by_user_id: string
  created_by?: Maybe<WireUser>
  reply_count: number
  participant_count: number
  active_participant_count: number
  thread_participants?: Maybe<readonly WireThreadParticipant[]>
  last_message_at?: Maybe<string>
  created_at: string
  updated_at: string
  deleted_at?: Maybe<string>
}

/** Includes what only the thread endpoint and the list return. */
export type WireThreadState = WireThread & {
  /** Oldest first. */
  latest_replies: readonly WireMessage[]
  /** Absent for server tokens. */
  read?: Maybe<readonly WireRead[]>
  draft?: Maybe<WireDraft>
}

type ThreadLimits = { watch?: boolean; reply_limit?: number; participant_limit?: number; member_limit?: number }

/** See docs/wire.md 3.5. */
export const queryThreads = endpoint('POST', '/threads', 'QueryThreads')<
  None,
  CursorBody & ThreadLimits,
  { threads: readonly WireThreadState[] } & CursorReply
>()
export const getThread = endpoint('GET', '/threads/:messageId', 'GetThread')<
  ThreadLimits,
  None,
  { thread: WireThreadState }
>()
export const updateThreadPartial = endpoint('PATCH', '/threads/:messageId', 'UpdateThreadPartial')<
  None,
  { set?: Record<string, unknown>; unset?: readonly string[] },
  { thread: WireThread }
>()

/** See docs/wire.md 3.6. One draft per person, channel and parent. */
export const createDraft = endpoint('POST', '/channels/:type/:id/draft', 'CreateDraft')<
  None,
  { message: MessageInput },
  { draft: WireDraft }
>()
export const getDraft = endpoint('GET', '/channels/:type/:id/draft', 'GetDraft')<
  { parent_id?: string },
  None,
  { draft: WireDraft }
>()
export const deleteDraft = endpoint('DELETE', '/channels/:type/:id/draft', 'DeleteDraft')<
  { parent_id?: string },
  None,
  object
>()
export const queryDrafts = endpoint('POST', '/drafts/query', 'QueryDrafts')<
  None,
  CursorBody,
  { drafts: readonly WireDraft[] } & CursorReply
>()

/** See docs/wire.md 5.13. */
export type WireReminder = {
  message_id: string
  channel_cid: string
  user_id: string
  /** Absent: saved for later, without a time. */
  remind_at?: Maybe<string>
  created_at: string
  updated_at: string
  user?: Maybe<WireUser>
  message?: Maybe<WireMessage>
  channel?: Maybe<WireChannel>
}

/** See docs/wire.md 3.8. The object is at the top level too: some clients read it there. */
type ReminderReply = { reminder: WireReminder } & WireReminder

export const createReminder = endpoint('POST', '/messages/:id/reminders', 'CreateReminder')<
  None,
  { remind_at?: string | null },
  ReminderReply
>()
export const updateReminder = endpoint('PATCH', '/messages/:id/reminders', 'UpdateReminder')<
  None,
  { remind_at?: string | null },
  ReminderReply
>()
export const deleteReminder = endpoint('DELETE', '/messages/:id/reminders', 'DeleteReminder')<None, None, object>()
export const queryReminders = endpoint('POST', '/reminders/query', 'QueryReminders')<
  None,
  CursorBody,
  { reminders: readonly WireReminder[] } & CursorReply
>()

/** A location, or with `end_at` a live share. See docs/wire.md 5.14. */
export type WireLocation = {
  message_id: string
  channel_cid: string
  user_id: string
  /** -90 to 90. */
  latitude: number
  /** -180 to 180. */
  longitude: number
  created_by_device_id: string
  end_at?: Maybe<string>
  created_at: string
  updated_at: string
  channel?: Maybe<WireChannel>
  message?: Maybe<WireMessage>
}

/** See docs/wire.md 3.9. */
export const getLiveLocations = endpoint('GET', '/users/live_locations', 'GetUserLiveLocations')<
  None,
  None,
  { active_live_locations: readonly WireLocation[] }
>()
export const updateLiveLocation = endpoint('PUT', '/users/live_locations', 'UpdateLiveLocation')<
  None,
  { message_id: string; created_by_device_id?: string; latitude?: number; longitude?: number; end_at?: string },
  WireLocation
>()
