import { expect } from 'vitest'
import {
  ABSENT,
  ANN_AND_WATCHERS,
  BOB,
  BOB_AND_WATCHERS,
  CNT,
  inChannel,
  plain,
  shared,
  THR,
  WATCHERS,
  ANN,
} from './event-example.ts'
import type { EventExample } from './event-example.ts'
import { at, listAt } from './foreign.ts'
import type { Scene } from './scene.ts'
import * as s from './shapes.ts'
import { must } from './stage.ts'

const sendMessage = async ({ stage, ann, room }: Scene) => ({ id: (await stage.send(ann, room, 'hello')).id })
const sendAsMia = async ({ stage, mia, room }: Scene) => ({ id: (await stage.send(mia, room, 'rude')).id })
const liked = async (scene: Scene) => {
  const { id } = await sendMessage(scene)
  await must(scene.bob.post(`/messages/${id}/reaction`, { reaction: { type: 'like' } }))
  return { id }
}

const aboutMessage = inChannel({ message: shared, user: s.user })
const reacted = inChannel({ message: shared, reaction: s.reaction, user: s.user, channel: s.channel })
const ofChannel = inChannel({ channel: s.channel, user: s.user })
const ofMember = inChannel({ channel: s.channel, member: s.member, user: s.user })

const banMia = async ({ asAnn, mia, room }: Scene, more: object = {}) =>
  must(asAnn.post('/moderation/ban', { target_user_id: mia.userId, type: room.type, id: room.id, ...more }))

/** docs/wire.md 4.3 to 4.6. */
export const channelEvents: readonly EventExample[] = [
  {
    type: 'message.new',
    cause: sendMessage,
    to: ANN_AND_WATCHERS,
    fields: inChannel({ message: shared, user: s.user, message_id: s.id, watcher_count: s.count, ...CNT }),
    also: (received) => {
      // Each reader's own numbers: the author has read it, Bob has not.
      const [ann, bob] = [at(received.get('ann'), 'unread_count'), at(received.get('bob'), 'unread_count')]
      expect(Number(bob)).toBeGreaterThan(0)
      expect(at(received.get('ann/2'), 'unread_count')).toBe(ann)
      expect(at(received.get('bob'), 'watcher_count')).toBe(2)
    },
  },
  {
    type: 'message.updated',
    before: sendMessage,
    cause: ({ ann }, { id }) => must(ann.put(`/messages/${String(id)}`, { set: { text: 'changed' } })),
    to: ANN_AND_WATCHERS,
    fields: aboutMessage,
  },
  {
    type: 'message.updated',
    when: 'a reply moves the counters of its parent',
    before: sendMessage,
    cause: ({ stage, bob, room }, { id }) => stage.send(bob, room, 'reply', { parent_id: id }),
    to: BOB_AND_WATCHERS,
    fields: aboutMessage,
    also: (received) => expect(at(received.get('ann'), 'message.reply_count')).toBe(1),
  },
  {
    type: 'message.deleted',
    before: sendMessage,
    cause: ({ ann }, { id }) => must(ann.delete(`/messages/${String(id)}`)),
    to: ANN_AND_WATCHERS,
    fields: inChannel({ message: shared, hard_delete: s.flag }),
    also: (received) => expect(at(received.get('bob'), 'hard_delete')).toBe(false),
  },
  {
    type: 'message.deleted',
    when: 'for good',
    before: sendMessage,
    cause: ({ ann }, { id }) => must(ann.delete(`/messages/${String(id)}`, { hard: true })),
    to: ANN_AND_WATCHERS,
    fields: inChannel({ message: shared, hard_delete: s.flag }),
    also: (received) => expect(at(received.get('bob'), 'hard_delete')).toBe(true),
  },
  {
    type: 'message.deleted',
    when: 'for oneself only',
    before: sendMessage,
    cause: ({ bob }, { id }) => must(bob.delete(`/messages/${String(id)}`, { delete_for_me: true })),
    to: BOB,
    fields: inChannel({ message: s.message, deleted_for_me: s.flag }),
  },
  {
    type: 'message.undeleted',
    async before(scene) {
      const { id } = await sendMessage(scene)
      await must(scene.ann.delete(`/messages/${id}`))
      return { id }
    },
    cause: ({ stage, ann }, { id }) =>
      must(stage.server.post(`/messages/${String(id)}/undelete`, { undeleted_by: ann.userId })),
    to: ANN_AND_WATCHERS,
    fields: inChannel({ message: shared }),
  },
  {
    type: 'message.read',
    before: sendMessage,
    cause: ({ bob, room }) => must(bob.post(`${room.path}/read`, {})),
    to: BOB_AND_WATCHERS,
    fields: inChannel({ user: s.user, last_read_message_id: s.id }),
  },
  {
    type: 'message.delivered',
    before: sendMessage,
    cause: ({ bob, room }, { id }) =>
      must(bob.post('/channels/delivered', { latest_delivered_messages: [{ cid: room.cid, id }] })),
    to: BOB_AND_WATCHERS,
    fields: inChannel({ user: s.user, last_delivered_at: s.time, last_delivered_message_id: s.id }),
  },
  {
    type: 'user.messages.deleted',
    when: 'in one channel',
    before: sendAsMia,
    cause: (scene) => banMia(scene, { delete_messages: 'soft' }),
    to: WATCHERS,
    fields: inChannel({ user: s.user, hard_delete: s.flag }),
  },
  {
    type: 'reaction.new',
    before: sendMessage,
    cause: ({ bob }, { id }) => must(bob.post(`/messages/${String(id)}/reaction`, { reaction: { type: 'like' } })),
    to: BOB_AND_WATCHERS,
    fields: reacted,
  },
  {
    type: 'reaction.updated',
    before: liked,
    cause: ({ bob }, { id }) =>
      must(bob.post(`/messages/${String(id)}/reaction`, { reaction: { type: 'love' }, enforce_unique: true })),
    to: BOB_AND_WATCHERS,
    fields: reacted,
    also: (received) => expect(listAt(received.get('ann'), 'message.latest_reactions').length).toBe(1),
  },
  {
    type: 'reaction.deleted',
    before: liked,
    cause: ({ bob }, { id }) => must(bob.delete(`/messages/${String(id)}/reaction/like`)),
    to: BOB_AND_WATCHERS,
    fields: reacted,
  },
  {
    type: 'channel.created',
    cause: ({ stage, ann, bob, mia }) => stage.channel({ as: ann, members: [bob, mia] }),
    to: ['ann', 'ann/2', 'bob', 'bob/2', 'mia'],
    fields: ofChannel,
  },
  {
    type: 'channel.updated',
    cause: ({ asAnn, room }) => must(asAnn.patch(room.path, { set: { name: 'Renamed' } })),
    to: ANN_AND_WATCHERS,
    fields: ofChannel,
    also: (received) => expect(at(received.get('bob'), 'channel.own_capabilities')).toBeUndefined(),
  },
  {
    type: 'channel.deleted',
    cause: ({ asAnn, room }) => must(asAnn.delete(room.path)),
    to: ANN_AND_WATCHERS,
    fields: ofChannel,
  },
  {
    type: 'channel.truncated',
    before: sendMessage,
    cause: ({ asAnn, room }) => must(asAnn.post(`${room.path}/truncate`, {})),
    to: ANN_AND_WATCHERS,
    fields: inChannel({ channel: s.object({ ...s.channel.entries, truncated_at: s.time }), user: s.user }),
  },
  {
    type: 'channel.hidden',
    cause: ({ bob, room }) => must(bob.post(`${room.path}/hide`, { clear_history: true })),
    to: BOB,
    fields: inChannel({ channel: s.channel, user: s.user, clear_history: s.flag }),
  },
  {
    type: 'channel.visible',
    cause: ({ bob, room }) => must(bob.post(`${room.path}/show`, {})),
    to: BOB,
    fields: ofChannel,
  },
  {
    type: 'channel.visible',
    when: 'a message brings a hidden channel back',
    before: ({ bob, room }) => must(bob.post(`${room.path}/hide`, {})),
    cause: sendMessage,
    to: BOB,
    fields: ofChannel,
  },
  {
    type: 'channel.frozen',
    cause: ({ asAnn, room }) => must(asAnn.patch(room.path, { set: { frozen: true } })),
    to: ANN_AND_WATCHERS,
    fields: inChannel(),
  },
  {
    type: 'channel.unfrozen',
    before: ({ asAnn, room }) => must(asAnn.patch(room.path, { set: { frozen: true } })),
    cause: ({ asAnn, room }) => must(asAnn.patch(room.path, { set: { frozen: false } })),
    to: ANN_AND_WATCHERS,
    fields: inChannel(),
  },
  {
    type: 'channel.kicked',
    cause: ({ asAnn, bob, room }) => must(asAnn.post(room.path, { remove_members: [bob.userId] })),
    to: BOB,
    fields: inChannel(),
    localOnly: 'hosted: not known when it is sent',
  },
  {
    type: 'channel.muted',
    cause: ({ ann, room }) => must(ann.post('/moderation/mute/channel', { channel_cid: room.cid })),
    to: ANN,
    fields: inChannel(),
    localOnly: 'hosted: informational, not known what it holds',
  },
  {
    type: 'channel.unmuted',
    before: ({ ann, room }) => must(ann.post('/moderation/mute/channel', { channel_cid: room.cid })),
    cause: ({ ann, room }) => must(ann.post('/moderation/unmute/channel', { channel_cid: room.cid })),
    to: ANN,
    fields: inChannel(),
    localOnly: 'hosted: informational, not known what it holds',
  },
  {
    type: 'member.added',
    members: ['bob'],
    cause: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { add_members: [mia.userId] })),
    to: ANN_AND_WATCHERS,
    fields: ofMember,
  },
  {
    type: 'member.updated',
    cause: ({ bob, room }) => must(bob.patch(`${room.path}/member`, { set: { pinned: true } })),
    to: BOB_AND_WATCHERS,
    fields: ofMember,
  },
  {
    type: 'member.removed',
    cause: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { remove_members: [mia.userId] })),
    to: ANN_AND_WATCHERS,
    fields: ofMember,
  },
  {
    type: 'user.banned',
    when: 'in one channel',
    cause: (scene) => banMia(scene, { reason: 'rude', timeout: 10 }),
    to: ['ann', 'bob', 'mia'],
    fields: inChannel({ user: s.user, reason: s.text, expiration: s.time }),
    // Moderators may know who banned.
    also: (received, { ann }) => expect(at(received.get('ann'), 'created_by.id')).toBe(ann.userId),
  },
  {
    type: 'user.unbanned',
    when: 'in one channel',
    before: banMia,
    cause: ({ asAnn, mia, room }) =>
      must(asAnn.delete('/moderation/ban', { target_user_id: mia.userId, type: room.type, id: room.id })),
    to: ['ann', 'bob', 'mia'],
    fields: inChannel({ user: s.user }),
  },
  {
    type: 'notification.message_new',
    cause: sendMessage,
    to: ABSENT,
    fields: inChannel({ channel: s.configuredChannel, message: shared, watcher_count: s.count, ...CNT }),
  },
  {
    type: 'notification.thread_message_new',
    before: sendMessage,
    cause: ({ stage, bob, room }, { id }) => stage.send(bob, room, 'reply', { parent_id: id }),
    to: ANN,
    fields: inChannel({
      channel: s.channel,
      message: shared,
      thread_id: s.id,
      thread_participants: s.list(s.user),
      ...THR,
    }),
  },
  {
    type: 'notification.added_to_channel',
    members: ['bob'],
    cause: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { add_members: [mia.userId] })),
    to: ['mia'],
    fields: inChannel({ channel: s.channel, member: s.member }),
  },
  {
    type: 'notification.removed_from_channel',
    cause: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { remove_members: [mia.userId] })),
    to: ['mia'],
    fields: ofMember,
  },
  {
    type: 'notification.invited',
    members: ['bob'],
    cause: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { invites: [mia.userId] })),
    to: ['mia'],
    fields: ofMember,
  },
  ...(['accept', 'reject'] as const).map((word): EventExample => ({
    type: `notification.invite_${word}ed`,
    members: ['bob'],
    before: ({ asAnn, mia, room }) => must(asAnn.post(room.path, { invites: [mia.userId] })),
    cause: ({ mia, room }) => must(mia.post(room.path, { [`${word}_invite`]: true })),
    to: ['mia'],
    fields: ofMember,
  })),
  {
    type: 'notification.mark_read',
    before: sendMessage,
    cause: ({ bob, room }) => must(bob.post(`${room.path}/read`, {})),
    to: BOB,
    fields: inChannel({ user: s.user, last_read_message_id: s.id, ...CNT, ...THR }),
  },
  {
    type: 'notification.mark_read',
    when: 'everything at once',
    before: sendMessage,
    cause: ({ bob }) => must(bob.post('/channels/read', {})),
    to: BOB,
    fields: plain({ user: s.user, ...CNT, ...THR }),
    also: (received) => {
      expect(at(received.get('bob'), 'unread_channels')).toBe(0)
      expect(at(received.get('bob'), 'cid')).toBeUndefined()
    },
  },
  {
    type: 'notification.mark_unread',
    before: sendMessage,
    cause: ({ bob, room }, { id }) => must(bob.post(`${room.path}/unread`, { message_id: id })),
    to: BOB,
    fields: inChannel({
      user: s.user,
      first_unread_message_id: s.id,
      last_read_at: s.time,
      unread_messages: s.count,
      ...CNT,
      ...THR,
    }),
  },
  {
    type: 'notification.channel_deleted',
    cause: ({ asAnn, room }) => must(asAnn.delete(room.path)),
    to: ABSENT,
    fields: inChannel({ channel: s.channel, ...CNT }),
  },
  {
    type: 'notification.channel_truncated',
    cause: ({ asAnn, room }) => must(asAnn.post(`${room.path}/truncate`, {})),
    to: ABSENT,
    fields: inChannel({ channel: s.channel, ...CNT }),
  },
]
