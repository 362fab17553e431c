import { endpoint, type None } from './endpoint.ts'

/**
 * Custom emoji of a workspace: an extension of our own local server, unknown to the contract. If `GET /app` has no
 * `custom_emoji`, none of this may be requested. Source: ADR 19.
 */
export type WireEmoji = {
  name: string
  aliases: readonly string[]
  /** Signed, like the URL of every upload. */
  url: string
  mime_type: string
  width: number
  height: number
  created_by?: string
  created_at: string
  updated_at: string
}

export type EmojiCapability = 'create-emoji' | 'manage-emoji'

/** The field `custom_emoji` of the app's settings: the caller's permissions, and the revision of the list. */
export type WireEmojiTerms = {
  own_capabilities: readonly EmojiCapability[]
  /** Changes whenever the list does. */
  version: string
  size_limit: number
  side_limit: number
  count_limit: number
}

type Reply = { emoji: WireEmoji }

export const listEmoji = endpoint('GET', '/emoji', 'ListEmoji')<
  None,
  None,
  { emoji: readonly WireEmoji[]; version: string }
>()
/** `url` is that of an upload of the caller without a channel. A server token passes the creator as `user_id`. */
export const createEmoji = endpoint('POST', '/emoji', 'CreateEmoji')<
  None,
  { name: string; url: string; aliases?: readonly string[]; user_id?: string },
  Reply
>()
/** The previous name becomes an alias. `aliases` replaces all. */
export const updateEmoji = endpoint('PUT', '/emoji/:name', 'UpdateEmoji')<
  None,
  { name?: string; aliases?: readonly string[] },
  Reply
>()
export const deleteEmoji = endpoint('DELETE', '/emoji/:name', 'DeleteEmoji')<None, None, object>()
