import type { PollId, UserId } from '../../lib/brand.ts'

/** Features of a channel type that can be switched. */
export const CHANNEL_SWITCHES = [
  'replies',
  'quotes',
  'reactions',
  'uploads',
  'url_enrichment',
  'polls',
  'shared_locations',
  'user_message_reminders',
  'search',
  'mutes',
  'typing_events',
  'read_events',
  'delivery_events',
  'connect_events',
  'count_messages',
  'mark_messages_pending',
  'skip_last_msg_update_for_system_msgs',
  'custom_events',
] as const

/** Also offered by servers that act on them; our own does not. */
export const OTHER_SWITCHES = ['push_notifications', 'reminders'] as const

type ChannelSwitch = (typeof CHANNEL_SWITCHES)[number] | (typeof OTHER_SWITCHES)[number]

export type ChannelKind = {
  readonly name: string
  /** Comes with the server, so it cannot be deleted. Absent: not known. */
  readonly builtIn?: boolean
  readonly on: readonly ChannelSwitch[]
  /** Features that this server acts on. */
  readonly switches: readonly ChannelSwitch[]
  readonly maxLength: number
  /** Days after which messages are deleted, or `infinite`; absent where the server deletes none. */
  readonly retention?: string
  /** Names of the commands that are offered. */
  readonly commands: readonly string[]
}

/** The address of a handler of commands, or none. Messages are sent there: it must be encrypted. */
export const ACTION_HANDLER = /^(?:https:\/\/[^\s/]+(?:\/\S*)?)?$/
export const LONGEST_HANDLER = 2_000

export type WorkspaceCommand = {
  readonly name: string
  readonly description: string
  readonly args: string
  /** Comes with the server, so it cannot be deleted. */
  readonly builtIn: boolean
}

/** Which files are accepted; empty lists accept all. */
export type UploadLimits = {
  /** Bytes. */
  readonly maxBytes: number
  readonly allowedExtensions: readonly string[]
  readonly blockedExtensions: readonly string[]
  readonly allowedTypes: readonly string[]
  readonly blockedTypes: readonly string[]
}

/** Settings of the whole workspace. Absent: the server has no such setting. */
export type WorkspaceLimits = {
  readonly image: UploadLimits
  readonly file: UploadLimits
  readonly guests?: boolean
  readonly anonymous?: boolean
  readonly separateTeams?: boolean
  readonly uniqueNames?: 'no' | 'app' | 'team'
  /** Days for which links to files are valid. */
  readonly linkDays?: number
  /** Seconds between reminders of unread messages. */
  readonly remindersInterval?: number
  /** Where the server sends messages with commands of one's own; empty: nowhere. */
  readonly actionHandler?: string
}

/** A poll of the workspace, also one that this device has not stored. */
export type ListedPoll = {
  readonly id: PollId
  readonly name: string
  readonly byId?: UserId
  readonly createdAt: number
  readonly closed: boolean
  readonly options: number
  readonly votes: number
}
