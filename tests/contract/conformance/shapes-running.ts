import * as v from 'valibot'
import { time, text, id, count, flag, maybe, orNull, object, list, anything, user, channel, message } from './shapes.ts'

/** Responses for those who run a server: moderation, campaigns, settings, groups, refusals. */

/** 5.15 */
export const flagged = object({
  user,
  created_by_automod: flag,
  created_at: time,
  updated_at: time,
  target_message: maybe(message),
  target_user: maybe(user),
})
export const ban = object({ user, created_at: time, channel: maybe(channel), banned_by: maybe(user) })

/** 5.17, 5.18 */
export const segment = object({
  id,
  type: v.picklist(['user', 'channel']),
  name: text,
  description: text,
  filter: anything,
  all_users: flag,
  all_sender_channels: flag,
  size: count,
  created_at: time,
  updated_at: time,
})
export const campaign = object({
  id,
  name: text,
  description: text,
  message_template: object({ text }),
  sender_id: id,
  sender_mode: orNull(text),
  sender_visibility: orNull(text),
  segment_ids: list(id),
  user_ids: list(id),
  create_channels: flag,
  show_channels: flag,
  skip_push: flag,
  skip_webhook: flag,
  status: v.picklist(['draft', 'scheduled', 'in_progress', 'completed', 'stopped']),
  segments: list(segment),
  users: list(user),
  sender: user,
  stats: object({
    progress: v.number(),
    stats_users_sent: count,
    stats_users_read: count,
    stats_messages_sent: count,
    stats_channels_created: count,
  }),
  created_at: time,
  updated_at: time,
})

/** 5.21 */
export const reviewItem = object({
  id,
  entity_type: id,
  entity_id: id,
  status: id,
  recommended_action: id,
  severity: v.number(),
  flags: list(v.unknown()),
  flags_count: count,
  bans: list(v.unknown()),
  actions: list(v.unknown()),
  languages: list(text),
  latest_moderator_action: text,
  created_at: time,
  updated_at: time,
})

/** 5.22 */
const uploadConfig = object({
  allowed_file_extensions: list(text),
  blocked_file_extensions: list(text),
  allowed_mime_types: list(text),
  blocked_mime_types: list(text),
  size_limit: maybe(count),
})
export const app = object({
  name: text,
  image_upload_config: uploadConfig,
  file_upload_config: uploadConfig,
  async_url_enrich_enabled: flag,
  auto_translation_enabled: flag,
})

/** 5.23 */
export const unreadCounts = object({
  total_unread_count: count,
  total_unread_threads_count: count,
  channels: list(object({ channel_id: id, unread_count: count, last_read: time })),
  channel_type: list(object({ channel_type: id, channel_count: count, unread_count: count })),
  threads: list(object({ parent_message_id: id, unread_count: count, last_read: time })),
})

/** 5.24 */
export const group = object({ id, name: text, created_at: time, updated_at: time })
export const fullGroup = object({
  ...group.entries,
  members: list(object({ group_id: id, user_id: id, is_admin: flag, created_at: time })),
})

/** Parlor's own: ADR 19. */
export const emoji = object({
  name: id,
  aliases: list(id),
  url: id,
  mime_type: id,
  width: count,
  height: count,
  created_by: id,
  created_at: time,
  updated_at: time,
})
export const emojiTerms = object({
  own_capabilities: list(id),
  version: id,
  size_limit: count,
  side_limit: count,
  count_limit: count,
})

export const role = object({ name: id, custom: flag, scopes: list(text), created_at: time, updated_at: time })

/** 3.13, 3.17 and the like: responses without a name in the contract. */
export const blocklist = object({ name: id, words: list(text), type: text, created_at: time, updated_at: time })
export const permission = object({ id, name: text, custom: flag })

/** 1.6 */
export const refusal = object({
  code: v.pipe(v.number(), v.integer()),
  message: id,
  StatusCode: v.pipe(v.number(), v.integer()),
  duration: text,
  more_info: text,
  details: list(v.unknown()),
})
