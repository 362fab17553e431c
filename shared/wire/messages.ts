import {
  endpoint,
  type None,
  type CursorBody,
  type CursorReply,
  type MessagePage,
  type SortField,
  type Filter,
} from './endpoint.ts'
import type { WireAttachment, WireMember, WireMessage, WireReaction } from './objects.ts'

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
