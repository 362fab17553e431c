import type { WireEmoji } from './emoji.ts'
import type { WireThread, WireReminder } from './messages.ts'
import type {
  WireChannel,
  WireDraft,
  WireMember,
  WireMessage,
  WireOwnUser,
  WirePoll,
  WirePollVote,
  WireReaction,
  WireUser,
} from './objects.ts'

/** Fields of every event. See docs/wire.md 4.1. */
type Common = {
  /** Absent only if a server violates the contract. */
  created_at?: string
  received_at?: string
  cid?: string
  channel_type?: string
  channel_id?: string
  channel?: WireChannel
  user?: WireUser
  message?: WireMessage
  message_id?: string
  member?: WireMember
  watcher_count?: number
  total_unread_count?: number
  unread_channels?: number
  unread_count?: number
  unread_threads?: number
  unread_messages?: number
  [custom: string]: unknown
}

type On<Type extends string, Fields = unknown> = Common & { type: Type } & Fields

/** What changed in the review queue, for moderators; `stats` as in the reply of the queue. */
type ReviewHead = {
  review_queue_item: { readonly id: string } & Readonly<Record<string, unknown>>
  stats?: { readonly needs_review: number }
}

/**
 * Realtime events by `type`. Every one needs an applier in main/engine/features or an entry in its ignored list: a test
 * compares the two. See docs/wire.md 4.
 */
export type WireEvent =
  | On<'health.check', { connection_id?: string; me?: WireOwnUser }>
  | On<'message.new', { cid: string; message: WireMessage }>
  | On<'message.updated', { cid: string; message: WireMessage }>
  | On<'message.deleted', { cid: string; message: WireMessage; hard_delete?: boolean; deleted_for_me?: boolean }>
  | On<'message.undeleted', { cid: string; message: WireMessage }>
  | On<
      'message.read',
      { cid: string; user: WireUser; last_read_message_id?: string; thread?: { parent_message_id: string } }
    >
  | On<
      'message.delivered',
      { cid: string; user: WireUser; last_delivered_at?: string; last_delivered_message_id?: string }
    >
  | On<'reaction.new', { cid: string; message: WireMessage; reaction: WireReaction }>
  | On<'reaction.updated', { cid: string; message: WireMessage; reaction: WireReaction }>
  | On<'reaction.deleted', { cid: string; message: WireMessage; reaction: WireReaction }>
  | On<'channel.created', { cid: string }>
  // `history_changed`: ours alone; messages were added or removed between those that a client has.
  | On<'channel.updated', { cid: string; channel: WireChannel; message?: WireMessage; history_changed?: boolean }>
  | On<'channel.deleted', { cid: string }>
  | On<'channel.truncated', { cid: string; channel: WireChannel }>
  | On<'channel.hidden', { cid: string; clear_history?: boolean }>
  | On<'channel.visible', { cid: string }>
  | On<'channel.frozen', { cid: string }>
  | On<'channel.unfrozen', { cid: string }>
  | On<'channel.kicked', { cid: string }>
  | On<'channel.muted', { cid?: string }>
  | On<'channel.unmuted', { cid?: string }>
  | On<'member.added', { cid: string; member: WireMember }>
  | On<'member.updated', { cid: string; member: WireMember }>
  | On<'member.removed', { cid: string }>
  | On<'notification.message_new', { cid: string; message: WireMessage; channel: WireChannel }>
  | On<'notification.thread_message_new', { cid: string; message: WireMessage }>
  | On<'notification.mark_read', { cid?: string; last_read_message_id?: string; thread_id?: string }>
  | On<
      'notification.mark_unread',
      {
        cid: string
        first_unread_message_id?: string
        last_read_at?: string
        last_read_message_id?: string
        thread_id?: string
      }
    >
  | On<'notification.added_to_channel', { cid: string; channel: WireChannel }>
  | On<'notification.removed_from_channel', { cid: string }>
  | On<'notification.invited', { cid: string }>
  | On<'notification.invite_accepted', { cid: string }>
  | On<'notification.invite_rejected', { cid: string }>
  | On<'notification.channel_deleted', { cid: string }>
  | On<'notification.channel_truncated', { cid: string }>
  | On<'notification.channel_mutes_updated', { me: WireOwnUser }>
  | On<'notification.mutes_updated', { me: WireOwnUser }>
  | On<'user.presence.changed', { user: WireUser }>
  | On<'user.updated', { user: WireUser }>
  | On<'user.deleted', { user: WireUser; hard_delete?: boolean; mark_messages_deleted?: boolean }>
  | On<'user.deactivated', { user: WireUser }>
  | On<'user.reactivated', { user: WireUser }>
  | On<'user.banned', { user: WireUser; shadow?: boolean }>
  | On<'user.unbanned', { user: WireUser; shadow?: boolean }>
  | On<'user.muted', { user: WireUser }>
  | On<'user.messages.deleted', { user: WireUser; hard_delete?: boolean }>
  | On<'user.watching.start', { cid: string; user: WireUser }>
  | On<'user.watching.stop', { cid: string; user: WireUser }>
  | On<'typing.start', { cid: string; user: WireUser; parent_id?: string }>
  | On<'typing.stop', { cid: string; user: WireUser; parent_id?: string }>
  | On<'poll.updated', { poll: WirePoll }>
  | On<'poll.closed', { poll: WirePoll }>
  | On<'poll.deleted', { poll: WirePoll }>
  | On<'poll.vote_casted', { poll: WirePoll; poll_vote: WirePollVote }>
  | On<'poll.vote_changed', { poll: WirePoll; poll_vote: WirePollVote }>
  | On<'poll.vote_removed', { poll: WirePoll; poll_vote: WirePollVote }>
  | On<'draft.updated', { cid: string; draft: WireDraft; parent_id?: string }>
  | On<'draft.deleted', { cid: string; draft: WireDraft; parent_id?: string }>
  | On<'reminder.created', { cid: string; reminder: WireReminder; user_id: string; parent_id?: string }>
  | On<'reminder.updated', { cid: string; reminder: WireReminder; user_id: string; parent_id?: string }>
  | On<'reminder.deleted', { cid: string; reminder: WireReminder; user_id: string; parent_id?: string }>
  | On<'notification.reminder_due', { cid: string; reminder: WireReminder; user_id: string; parent_id?: string }>
  | On<'thread.updated', { cid: string; thread: WireThread }>
  /** `channel_type`: the type that was changed; only our own local server sends it. */
  | On<
      'app.updated',
      {
        app?: { readonly image_upload_config?: unknown; readonly file_upload_config?: unknown }
        channel_type?: string
      }
    >
  | On<'emoji.created', { emoji: WireEmoji }>
  | On<'emoji.updated', { emoji: WireEmoji; former_name?: string }>
  | On<'emoji.deleted', { emoji: WireEmoji }>
  | On<'review_queue_item.new', ReviewHead>
  | On<'review_queue_item.updated', ReviewHead>
  /** For administrators of our own local server; clients load rules and block lists again. */
  | On<'moderation.updated'>
  /** For administrators of our own local server; clients load integrations again. */
  | On<'integrations.updated'>
  /** For the owner of an integration that has failed several times in a row. */
  | On<'integrations.failing', { integration: { readonly id: string; readonly name: string } }>
  | On<'user_group.created'>
  | On<'user_group.updated'>
  | On<'user_group.deleted'>
  | On<'user_group.member_added'>
  | On<'user_group.member_removed'>
  | On<'ai_indicator.update', { cid: string; ai_state?: unknown; parent_id?: string }>
  | On<'ai_indicator.clear', { cid: string; parent_id?: string }>
  | On<'ai_indicator.stop', { cid: string }>

export type WireEventType = WireEvent['type']

/** A frame may have an unknown type (a newer server, a custom event): it stays opaque and is skipped and counted. */
export type UnknownEvent = Common & { type: string }
