/** Feature flags per channel type. Source: wire contract 8.3 and 8.4. */
export type TypeFlags = {
  readonly typing_events: boolean
  readonly read_events: boolean
  readonly connect_events: boolean
  readonly delivery_events: boolean
  readonly search: boolean
  readonly reactions: boolean
  readonly replies: boolean
  readonly quotes: boolean
  readonly mutes: boolean
  readonly uploads: boolean
  readonly url_enrichment: boolean
  readonly custom_events: boolean
  readonly push_notifications: boolean
  readonly polls: boolean
  readonly shared_locations: boolean
  readonly user_message_reminders: boolean
  readonly reminders: boolean
  readonly count_messages: boolean
  readonly mark_messages_pending: boolean
  readonly skip_last_msg_update_for_system_msgs: boolean
  readonly max_message_length: number
  readonly message_retention: string
  readonly automod: string
  readonly automod_behavior: string
}

const EVERYDAY: TypeFlags = {
  typing_events: true,
  read_events: true,
  connect_events: true,
  delivery_events: true,
  search: true,
  reactions: true,
  replies: true,
  quotes: true,
  mutes: true,
  uploads: true,
  url_enrichment: true,
  custom_events: true,
  push_notifications: true,
  polls: true,
  shared_locations: true,
  user_message_reminders: true,
  reminders: false,
  count_messages: true,
  mark_messages_pending: false,
  skip_last_msg_update_for_system_msgs: false,
  max_message_length: 5_000,
  message_retention: 'infinite',
  automod: 'disabled',
  automod_behavior: 'flag',
}

const BROADCAST: TypeFlags = {
  ...EVERYDAY,
  typing_events: false,
  read_events: false,
  delivery_events: false,
  uploads: false,
  url_enrichment: false,
  push_notifications: false,
  shared_locations: false,
  user_message_reminders: false,
  count_messages: false,
}

export const CHANNEL_TYPES: Readonly<Record<string, TypeFlags>> = {
  messaging: EVERYDAY,
  team: EVERYDAY,
  commerce: EVERYDAY,
  livestream: BROADCAST,
  gaming: { ...BROADCAST, search: false, polls: false },
}

/** Shown to clients; a command without a handler is refused when it is used. */
export const COMMANDS = [
  { name: 'ban', description: 'Ban a user', args: '[@username] [text]', set: 'moderation_set' },
  { name: 'unban', description: 'Lift a ban', args: '[@username]', set: 'moderation_set' },
  { name: 'mute', description: 'Mute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'unmute', description: 'Unmute a user', args: '[@username]', set: 'moderation_set' },
] as const

/** Flags one channel may set for itself. Source: wire contract 5.19. */
const OVERRIDABLE: ReadonlySet<string> = new Set([
  'count_messages',
  'max_message_length',
  'quotes',
  'reactions',
  'replies',
  'shared_locations',
  'typing_events',
  'uploads',
  'url_enrichment',
  'user_message_reminders',
])

/** The flags in force in one channel. */
export function flagsOf(type: string, overrides: Readonly<Record<string, unknown>>): TypeFlags {
  const flags = CHANNEL_TYPES[type] ?? EVERYDAY
  const own = Object.entries(overrides).filter(
    ([name, value]) => OVERRIDABLE.has(name) && typeof value === typeof flags[name as keyof TypeFlags],
  )
  return own.length === 0 ? flags : { ...flags, ...Object.fromEntries(own) }
}
