import { endpoint, type None } from './endpoint.ts'
import type { WireEvent } from './events.ts'

/** Without `read_by_channel`: everything is read. See docs/wire.md 3.2. */
export const markChannelsRead = endpoint('POST', '/channels/read', 'MarkChannelsRead')<
  None,
  { read_by_channel?: Readonly<Record<string, string>> },
  { event?: WireEvent }
>()
export const markDelivered = endpoint('POST', '/channels/delivered', 'MarkDelivered')<
  None,
  { latest_delivered_messages: readonly { cid: string; id: string; parent_id?: string }[] },
  { event?: WireEvent }
>()

/** See docs/wire.md 5.23. `channel_id` holds the cid. */
export type UnreadCounts = {
  total_unread_count: number
  total_unread_threads_count: number
  channels: readonly { channel_id: string; unread_count: number; last_read: string }[]
  channel_type: readonly { channel_type: string; channel_count: number; unread_count: number }[]
  threads: readonly {
    parent_message_id: string
    unread_count: number
    last_read: string
    last_read_message_id?: string
  }[]
}
/** See docs/wire.md 3.11. */
export const unreadCounts = endpoint('GET', '/unread', 'UnreadCounts')<None, None, UnreadCounts>()
export const unreadCountsBatch = endpoint('POST', '/unread_batch', 'UnreadCountsBatch')<
  None,
  { user_ids: readonly string[] },
  { counts_by_user: Readonly<Record<string, UnreadCounts>> }
>()
