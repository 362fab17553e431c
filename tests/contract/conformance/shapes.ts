import * as v from 'valibot'

/**
 * What a response must contain, field by field: a key without `?` in the contract's tables is required here, so a
 * missing one fails. Unknown keys are custom data and are allowed. See docs/wire.md 5.
 */
export const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
export const time = v.pipe(v.string(), v.regex(RFC3339, 'is no RFC 3339 time in UTC'))
export const text = v.string()
export const id = v.pipe(v.string(), v.minLength(1))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const flag = v.boolean()
export const maybe = <S extends v.GenericSchema>(schema: S) => v.nullish(schema)
export const orNull = <S extends v.GenericSchema>(schema: S) => v.nullable(schema)
export const object = v.looseObject
export const map = <S extends v.GenericSchema>(schema: S) => v.record(v.string(), schema)
export const list = v.array
export const anything = v.record(v.string(), v.unknown())

/** 5.2. A user known by an id alone (deleted permanently) has no times. */
export const user = object({
  id,
  role: id,
  online: flag,
  banned: flag,
  created_at: time,
  updated_at: time,
  name: maybe(text),
  image: maybe(text),
  last_active: maybe(time),
  deactivated_at: maybe(time),
  deleted_at: maybe(time),
  ban_expires: maybe(time),
})

/** 5.15 */
export const device = object({ id, push_provider: id, user_id: id, created_at: time })
export const mute = object({ user, target: user, created_at: time, updated_at: time, expires: maybe(time) })
export const channelMute = object({
  user,
  channel: object({ id, type: id, cid: id }),
  created_at: time,
  updated_at: time,
  expires: maybe(time),
})
export const block = object({ user, user_id: id, blocked_user: user, blocked_user_id: id, created_at: time })

/** 5.3 */
export const ownUser = object({
  ...user.entries,
  mutes: list(mute),
  channel_mutes: list(channelMute),
  devices: list(device),
  total_unread_count: count,
  unread_count: count,
  unread_channels: count,
  unread_threads: count,
  blocked_user_ids: list(id),
})

/** 5.16 */
export const command = object({ name: id, description: text, args: text, set: text })

/** 5.19 */
const flagNames = [
  'typing_events',
  'read_events',
  'connect_events',
  'delivery_events',
  'search',
  'reactions',
  'replies',
  'quotes',
  'mutes',
  'uploads',
  'url_enrichment',
  'custom_events',
  'push_notifications',
  'polls',
  'shared_locations',
  'user_message_reminders',
  'reminders',
  'count_messages',
  'mark_messages_pending',
  'skip_last_msg_update_for_system_msgs',
] as const
const flags = Object.fromEntries(flagNames.map((name) => [name, flag])) as Record<
  (typeof flagNames)[number],
  typeof flag
>
const settings = {
  ...flags,
  name: id,
  max_message_length: count,
  message_retention: text,
  automod: text,
  automod_behavior: text,
  created_at: time,
  updated_at: time,
}
export const config = object({ ...settings, commands: list(command) })
export const channelType = object({
  ...settings,
  commands: list(command),
  grants: map(list(id)),
  permissions: list(v.unknown()),
})
/** As create and update return it. */
export const namedChannelType = object({ ...settings, commands: list(id) })

/** 5.4: what every channel has, in events too. */
export const channel = object({
  id,
  type: id,
  cid: id,
  created_at: time,
  updated_at: time,
  frozen: flag,
  disabled: flag,
  created_by: maybe(user),
  last_message_at: maybe(time),
  member_count: maybe(count),
  truncated_at: maybe(time),
  deleted_at: maybe(time),
})
/** 5.4, as queries return it. */
export const queriedChannel = object({ ...channel.entries, config, own_capabilities: list(id) })
export const configuredChannel = object({ ...channel.entries, config })

/** 5.7 */
export const member = object({
  user_id: id,
  user,
  channel_role: id,
  banned: flag,
  shadow_banned: flag,
  notifications_muted: flag,
  created_at: time,
  updated_at: time,
  pinned_at: maybe(time),
  archived_at: maybe(time),
  invite_accepted_at: maybe(time),
  invite_rejected_at: maybe(time),
})

/** 5.8 */
export const read = object({
  user,
  last_read: time,
  unread_messages: count,
  last_read_message_id: maybe(id),
  last_delivered_at: maybe(time),
  last_delivered_message_id: maybe(id),
})
export const reaction = object({
  type: id,
  message_id: id,
  user_id: id,
  user,
  score: v.number(),
  created_at: time,
  updated_at: time,
})
export const reactionGroup = object({
  count,
  sum_scores: v.number(),
  first_reaction_at: time,
  last_reaction_at: time,
})

/** 5.12 */
export const vote = object({
  id,
  poll_id: id,
  option_id: text,
  user_id: maybe(id),
  user: maybe(user),
  answer_text: maybe(text),
  is_answer: maybe(flag),
  created_at: time,
  updated_at: time,
})
export const pollOption = object({ id, text })
const pollParts = {
  id,
  name: text,
  description: text,
  options: list(pollOption),
  enforce_unique_vote: flag,
  max_votes_allowed: maybe(count),
  allow_answers: flag,
  allow_user_suggested_options: flag,
  voting_visibility: v.picklist(['public', 'anonymous']),
  is_closed: flag,
  vote_count: count,
  vote_counts_by_option: map(count),
  answers_count: count,
  latest_answers: list(vote),
  latest_votes_by_option: map(list(vote)),
  created_by: orNull(user),
  created_by_id: id,
  created_at: time,
  updated_at: time,
}
export const poll = object({ ...pollParts, own_votes: list(vote) })
/** As in events: without anyone's own votes. See docs/wire.md 8.12. */
export const sharedPoll = object({ ...pollParts, own_votes: v.optional(v.undefined()) })

/** 5.13, 5.14 */
export const bareReminder = object({
  message_id: id,
  channel_cid: id,
  user_id: id,
  remind_at: maybe(time),
  created_at: time,
  updated_at: time,
})
export const location = object({
  message_id: id,
  channel_cid: id,
  user_id: id,
  latitude: v.number(),
  longitude: v.number(),
  created_by_device_id: id,
  end_at: maybe(time),
  created_at: time,
  updated_at: time,
})

/** 5.9 */
export const attachment = object({ type: maybe(text) })

/** 5.1 */
const bareMessage = {
  id,
  cid: id,
  text,
  html: text,
  type: v.picklist(['regular', 'reply', 'system', 'ephemeral', 'error', 'deleted']),
  user,
  attachments: list(attachment),
  mentioned_users: list(user),
  reply_count: count,
  deleted_reply_count: count,
  latest_reactions: list(reaction),
  own_reactions: list(reaction),
  reaction_groups: orNull(map(reactionGroup)),
  reaction_counts: orNull(map(count)),
  reaction_scores: orNull(map(v.number())),
  pinned: flag,
  pinned_at: orNull(time),
  pinned_by: maybe(user),
  pin_expires: maybe(time),
  silent: flag,
  shadowed: flag,
  created_at: time,
  updated_at: time,
  deleted_at: maybe(time),
  message_text_updated_at: maybe(time),
  thread_participants: maybe(list(user)),
  poll: maybe(object({ id, name: text })),
  shared_location: maybe(location),
  reminder: maybe(bareReminder),
  member: maybe(object({ channel_role: id })),
  channel: maybe(channel),
}
export const message = object({ ...bareMessage, quoted_message: maybe(object(bareMessage)) })
/** With its channel: of one message and of search. */
export const placedMessage = object({ ...message.entries, channel })

export const reminder = object({ ...bareReminder.entries, user, message })

/** 5.11 */
const draftMessage = object({ id, text })
export const draft = object({ channel_cid: id, created_at: time, message: draftMessage, parent_id: maybe(id) })
export const placedDraft = object({ ...draft.entries, channel })

/** 5.6 */
const stateParts = {
  channel: queriedChannel,
  members: list(member),
  membership: orNull(member),
  messages: list(message),
  pinned_messages: list(message),
  threads: list(v.unknown()),
  read: maybe(list(read)),
  watchers: maybe(list(user)),
  watcher_count: maybe(count),
  draft: maybe(draft),
  active_live_locations: maybe(list(location)),
}
export const channelState = object(stateParts)

/** 5.10 */
export const participant = object({ user_id: id, user, channel_cid: id, created_at: time, last_read_at: time })
export const thread = object({
  parent_message_id: id,
  parent_message: message,
  channel_cid: id,
  channel,
  title: text,
  created_by_user_id: id,
  created_by: user,
  reply_count: count,
  participant_count: count,
  active_participant_count: count,
  thread_participants: list(participant),
  last_message_at: time,
  created_at: time,
  updated_at: time,
})
export const threadState = object({ ...thread.entries, latest_replies: list(message), read: list(read) })
