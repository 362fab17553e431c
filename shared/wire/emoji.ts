import { endpoint, type None } from './endpoint.ts'

/**
 * Custom emoji of a workspace: an extension of our own local server, which the contract knows nothing of. Where `GET /app`
 * has no `custom_emoji`, none of this may be asked for. Source: ADR 19.
 */
export type WireEmoji = {
  name: string
  aliases: readonly string[]
  /** Signed, like that of every upload. */
  url: string
  mime_type: string
  width: number
  height: number
  created_by?: string
  created_at: string
  updated_at: string
}

export type EmojiCapability = 'create-emoji' | 'manage-emoji'

/** The field `custom_emoji` of the app's settings: what anyone who asks may do, and whether what they hold is still true. */
export type WireEmojiTerms = {
  own_capabilities: readonly EmojiCapability[]
  /** Changes whenever the register does. */
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
/** `url` is the address of an own upload for no channel. A server token says with `user_id` who adds it. */
export const createEmoji = endpoint('POST', '/emoji', 'CreateEmoji')<
  None,
  { name: string; url: string; aliases?: readonly string[]; user_id?: string },
  Reply
>()
/** A former name stays as an alias. `aliases` are all there shall be. */
export const updateEmoji = endpoint('PUT', '/emoji/:name', 'UpdateEmoji')<
  None,
  { name?: string; aliases?: readonly string[] },
  Reply
>()
export const deleteEmoji = endpoint('DELETE', '/emoji/:name', 'DeleteEmoji')<None, None, object>()
