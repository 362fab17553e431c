/**
 * Wire objects: snake_case, times as RFC 3339 texts, absent and `null` equivalent. See docs/wire.md 5. Custom keys are
 * allowed on all of them.
 */
import type { WireLocation } from './messages.ts'

export type Maybe<T> = T | null | undefined
type Custom = { readonly [key: string]: unknown }

export type WireUser = Custom & {
  id: string
  name?: Maybe<string>
  image?: Maybe<string>
  role?: Maybe<string>
  online?: Maybe<boolean>
  invisible?: Maybe<boolean>
  last_active?: Maybe<string>
  banned?: Maybe<boolean>
  language?: Maybe<string>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
}

export type WireOwnUser = WireUser & {
  mutes: readonly { target?: Maybe<WireUser>; expires?: Maybe<string> }[]
  channel_mutes: readonly { channel?: Maybe<{ cid: string }>; expires?: Maybe<string> }[]
  devices: readonly unknown[]
  total_unread_count: number
  unread_count: number
  unread_channels: number
  unread_threads: number
  blocked_user_ids: readonly string[]
}

export type WireAttachment = Custom & {
  type?: Maybe<string>
  title?: Maybe<string>
  fallback?: Maybe<string>
  image_url?: Maybe<string>
  asset_url?: Maybe<string>
  thumb_url?: Maybe<string>
  mime_type?: Maybe<string>
  file_size?: Maybe<number | string>
  duration?: Maybe<number>
  waveform_data?: Maybe<readonly number[]>
  original_width?: Maybe<number>
  original_height?: Maybe<number>
  og_scrape_url?: Maybe<string>
  title_link?: Maybe<string>
  text?: Maybe<string>
  author_name?: Maybe<string>
}

export type WireReaction = Custom & {
  type: string
  message_id?: Maybe<string>
  user_id?: Maybe<string>
  user?: Maybe<WireUser>
  score?: Maybe<number>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
}

export type WireReactionGroup = {
  count: number
  sum_scores: number
  first_reaction_at?: Maybe<string>
  last_reaction_at?: Maybe<string>
  latest_reactions_by?: Maybe<readonly { user_id: string; created_at: string }[]>
}

export type WirePollOption = Custom & { id: string; text: string }
export type WirePollVote = {
  id: string
  poll_id: string
  option_id?: Maybe<string>
  user_id?: Maybe<string>
  user?: Maybe<WireUser>
  answer_text?: Maybe<string>
  is_answer?: Maybe<boolean>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
}

export type WirePoll = Custom & {
  id: string
  name: string
  description?: Maybe<string>
  options: readonly WirePollOption[]
  enforce_unique_vote?: Maybe<boolean>
  max_votes_allowed?: Maybe<number>
  allow_answers?: Maybe<boolean>
  allow_user_suggested_options?: Maybe<boolean>
  voting_visibility?: Maybe<string>
  is_closed?: Maybe<boolean>
  vote_count?: Maybe<number>
  vote_counts_by_option?: Maybe<Readonly<Record<string, number>>>
  answers_count?: Maybe<number>
  latest_votes_by_option?: Maybe<Readonly<Record<string, readonly WirePollVote[]>>>
  own_votes?: Maybe<readonly WirePollVote[]>
  created_by_id?: Maybe<string>
  created_by?: Maybe<WireUser>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
}

export type WireMessage = Custom & {
  id: string
  cid?: Maybe<string>
  text?: Maybe<string>
  html?: Maybe<string>
  type?: Maybe<string>
  user?: Maybe<WireUser>
  attachments?: Maybe<readonly WireAttachment[]>
  mentioned_users?: Maybe<readonly WireUser[]>
  parent_id?: Maybe<string>
  show_in_channel?: Maybe<boolean>
  quoted_message_id?: Maybe<string>
  quoted_message?: Maybe<WireMessage>
  reply_count?: Maybe<number>
  deleted_reply_count?: Maybe<number>
  thread_participants?: Maybe<readonly WireUser[]>
  latest_reactions?: Maybe<readonly WireReaction[]>
  own_reactions?: Maybe<readonly WireReaction[]>
  reaction_groups?: Maybe<Readonly<Record<string, WireReactionGroup>>>
  reaction_counts?: Maybe<Readonly<Record<string, number>>>
  reaction_scores?: Maybe<Readonly<Record<string, number>>>
  poll_id?: Maybe<string>
  poll?: Maybe<WirePoll>
  pinned?: Maybe<boolean>
  pinned_at?: Maybe<string>
  pinned_by?: Maybe<WireUser>
  pin_expires?: Maybe<string>
  silent?: Maybe<boolean>
  shadowed?: Maybe<boolean>
  message_text_updated_at?: Maybe<string>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
  deleted_at?: Maybe<string>
}

export type WireMember = Custom & {
  user_id?: Maybe<string>
  user?: Maybe<WireUser>
  role?: Maybe<string>
  channel_role?: Maybe<string>
  is_moderator?: Maybe<boolean>
  banned?: Maybe<boolean>
  shadow_banned?: Maybe<boolean>
  notifications_muted?: Maybe<boolean>
  pinned_at?: Maybe<string>
  archived_at?: Maybe<string>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
}

export type WireCommand = { name: string; args?: Maybe<string>; description?: Maybe<string>; set?: Maybe<string> }

export type WireChannelConfig = Custom & {
  typing_events?: Maybe<boolean>
  read_events?: Maybe<boolean>
  connect_events?: Maybe<boolean>
  reactions?: Maybe<boolean>
  replies?: Maybe<boolean>
  quotes?: Maybe<boolean>
  uploads?: Maybe<boolean>
  polls?: Maybe<boolean>
  shared_locations?: Maybe<boolean>
  custom_events?: Maybe<boolean>
  max_message_length?: Maybe<number>
  commands?: Maybe<readonly WireCommand[]>
}

export type WireChannel = Custom & {
  id: string
  type: string
  cid: string
  name?: Maybe<string>
  image?: Maybe<string>
  config?: Maybe<WireChannelConfig>
  created_by?: Maybe<WireUser>
  created_at?: Maybe<string>
  updated_at?: Maybe<string>
  last_message_at?: Maybe<string>
  member_count?: Maybe<number>
  own_capabilities?: Maybe<readonly string[]>
  frozen?: Maybe<boolean>
  disabled?: Maybe<boolean>
  hidden?: Maybe<boolean>
  blocked?: Maybe<boolean>
  cooldown?: Maybe<number>
  truncated_at?: Maybe<string>
  deleted_at?: Maybe<string>
}

export type WireRead = {
  user: WireUser
  last_read: string
  last_read_message_id?: Maybe<string>
  unread_messages: number
  last_delivered_at?: Maybe<string>
  last_delivered_message_id?: Maybe<string>
}

export type WireDraft = Custom & {
  channel_cid: string
  created_at: string
  message: WireMessage
  parent_id?: Maybe<string>
}

/** Response of a channel query, and one element of the list query. See docs/wire.md 5.6. */
export type WireChannelState = {
  channel: WireChannel
  members?: Maybe<readonly WireMember[]>
  membership?: Maybe<WireMember>
  messages?: Maybe<readonly WireMessage[]>
  pinned_messages?: Maybe<readonly WireMessage[]>
  read?: Maybe<readonly WireRead[]>
  watchers?: Maybe<readonly WireUser[]>
  watcher_count?: Maybe<number>
  threads?: Maybe<readonly unknown[]>
  draft?: Maybe<WireDraft>
  active_live_locations?: Maybe<readonly WireLocation[]>
  /** The caller's own messages that wait for approval. */
  pending_messages?: Maybe<readonly { message?: Maybe<WireMessage>; metadata?: Maybe<object> }[]>
  push_preferences?: Maybe<object>
  hidden?: Maybe<boolean>
  hide_messages_before?: Maybe<string>
}
