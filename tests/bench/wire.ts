import { formatTime } from '#shared/lib/rfc3339.ts'
import { channelCid, channelId, personId, sentence, VIEWER, type SeedSize } from './seeds.ts'

/** Wire objects of a seed, as the contract's server sends them: about 1.2 KiB an event. */
type Wire = Record<string, unknown>

/** The seed's fixed time, so that every run has the same values. */
export const SEED_NOW = Date.parse('2026-11-20T09:00:00Z')

export const wireUser = (id: string): Wire => ({
  id,
  name: id.replace('-', ' '),
  role: 'user',
  language: 'en',
  banned: false,
  online: true,
  created_at: formatTime(SEED_NOW - 1e9),
  updated_at: formatTime(SEED_NOW - 1e9),
  last_active: formatTime(SEED_NOW - 6e4),
})

/** @param at epoch milliseconds */
export function wireMessage(id: string, cid: string, userId: string, text: string, at: number): Wire {
  const time = formatTime(at)
  return {
    id,
    cid,
    text,
    html: `<p>${text}</p>\n`,
    type: 'regular',
    user: wireUser(userId),
    attachments: [],
    mentioned_users: [],
    latest_reactions: [],
    own_reactions: [],
    reaction_groups: {},
    reaction_counts: {},
    reaction_scores: {},
    reply_count: 0,
    deleted_reply_count: 0,
    pinned: false,
    silent: false,
    shadowed: false,
    created_at: time,
    updated_at: time,
  }
}

/** The text of a `message.new` frame. */
export function newMessageFrame(id: string, cid: string, userId: string, text: string, at: number): string {
  const [channel_type, channel_id] = cid.split(':')
  const event = { type: 'message.new', cid, channel_type, channel_id, watcher_count: 2 }
  return JSON.stringify({
    ...event,
    message: wireMessage(id, cid, userId, text, at),
    user: wireUser(userId),
    created_at: formatTime(at),
  })
}

/** `count` frames over `channels`, a millisecond apart, written by others. */
export function newMessageFrames(
  label: string,
  count: number,
  channels: readonly number[],
  startsAt: number,
  random: () => number,
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const channel = channels[index % channels.length] ?? 0
    const userId = personId(1 + Math.floor(random() * 11))
    return newMessageFrame(`${label}-${index}`, channelCid(channel), userId, sentence(random), startsAt + index)
  })
}

const CAPABILITIES = ['send-message', 'read-events', 'send-reaction', 'upload-file', 'send-typing-events']
const FEATURES = ['typing_events', 'read_events', 'reactions', 'replies', 'quotes', 'uploads']

/** The state of some channels with one message each, as a channel list returns it. Created again at each call. */
export function wireChannels(size: SeedSize, at: number, page: { offset: number; limit: number }): Wire[] {
  const created = formatTime(SEED_NOW - 1e9)
  const dates = { created_at: created, updated_at: created }
  const count = Math.max(0, Math.min(page.limit, size.messages.length - page.offset))
  return Array.from({ length: count }, (_, place) => {
    const index = page.offset + place
    const people = [VIEWER, ...Array.from({ length: 11 }, (_each, other) => personId(1 + other))]
    return {
      channel: {
        id: channelId(index),
        type: 'team',
        cid: channelCid(index),
        name: `Room ${index}`,
        ...dates,
        member_count: people.length,
        own_capabilities: CAPABILITIES,
        config: Object.fromEntries(FEATURES.map((name) => [name, true])),
      },
      members: people.map((id) => ({ user_id: id, user: wireUser(id), ...dates })),
      membership: { user_id: VIEWER, user: wireUser(VIEWER), ...dates },
      messages: [wireMessage(`first-${index}`, channelCid(index), personId(1), 'the first one', at - 1_000)],
      pinned_messages: [],
      read: [{ user: wireUser(VIEWER), last_read: formatTime(at), unread_messages: 0 }],
      watcher_count: 2,
    }
  })
}
