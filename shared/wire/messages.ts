import { endpoint, type None } from './endpoint.ts'
import type { WireAttachment, WireMessage, WireReaction } from './objects.ts'
import type { MessagePage, SortField } from './pagination.ts'

/** What a client may set on a message. Source: wire contract 3.3 "MESSAGE INPUT". */
export type MessageInput = {
  id?: string
  text?: string
  attachments?: readonly WireAttachment[]
  parent_id?: string
  show_in_channel?: boolean
  quoted_message_id?: string
  mentioned_users?: readonly string[]
  silent?: boolean
  pinned?: boolean
  poll_id?: string
  type?: string
  [custom: string]: unknown
}

export const sendMessage = endpoint('POST', '/channels/:type/:id/message', 'SendMessage')<
  None,
  { message: MessageInput; skip_push?: boolean; skip_enrich_url?: boolean },
  { message: WireMessage }
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
  { hard?: boolean },
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
