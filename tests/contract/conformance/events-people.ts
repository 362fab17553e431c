import { expect } from 'vitest'
import { addEmoji } from './examples/examples-emoji.ts'
import { ANN, BOB, EVERYONE, inChannel, plain, WATCHERS, type EventExample } from './event-example.ts'
import { at, each, textAt, type Json } from './foreign.ts'
import type { Scene } from './scene.ts'
import * as s from './shapes.ts'
import * as running from './shapes-running.ts'
import { must } from './stage.ts'

/** A poll of Ann's on a message. */
async function polled({ stage, ann, room }: Scene, more: Json = {}) {
  const made = await must(ann.post('/polls', { name: 'Tea?', options: [{ text: 'yes' }, { text: 'no' }], ...more }))
  const poll = textAt(made, 'poll.id')
  const { id } = await stage.send(ann, room, '', { poll_id: poll })
  return { poll, id, path: `/messages/${id}/polls/${poll}/vote`, options: each(made, 'poll.options', 'id') }
}

const voted = async (scene: Scene) => {
  const made = await polled(scene, { enforce_unique_vote: true })
  const cast = await must(scene.bob.post(made.path, { vote: { option_id: made.options[0] } }))
  return { ...made, vote: textAt(cast, 'vote.id') }
}

const ofPoll = inChannel({ poll: s.sharedPoll, message_id: s.id })
const ofVote = inChannel({ poll: s.sharedPoll, poll_vote: s.vote, message_id: s.id })

async function reminded({ stage, ann, room }: Scene, inMs = 3_600_000) {
  const { id } = await stage.send(ann, room, 'do it')
  const remind_at = new Date(stage.target.now() + inMs).toISOString()
  await must(ann.post(`/messages/${id}/reminders`, { remind_at }))
  return { id, remind_at }
}
const ofReminder = inChannel({ reminder: s.bareReminder, message_id: s.id, user_id: s.id })

async function threaded({ stage, ann, bob, room }: Scene) {
  const { id } = await stage.send(ann, room, 'question')
  await stage.send(bob, room, 'answer', { parent_id: id })
  return { id }
}

async function grouped({ stage }: Scene) {
  const made = await must(stage.server.post('/usergroups', { name: stage.id('Group') }))
  return { id: textAt(made, 'user_group.id') }
}
const ofGroup = plain({ user_group: running.group })

const OURS = 'an extension of our own server'
/** An emoji of Ann's. */
async function drawn({ stage, ann }: Scene) {
  const made = await addEmoji(stage, ann)
  return { name: textAt(made, 'emoji.name') }
}
const ofEmoji = plain({ emoji: running.emoji })

const draft = (stage: Scene['stage']) => ({ message: { id: stage.id('draft'), text: 'unfinished' } })
const change = (scene: Scene, set: Json) => must(scene.ann.patch('/users', { users: [{ id: scene.ann.userId, set }] }))

/** A separate user, in Ann's and Bob's channel, whom something happens to. */
async function newcomer({ stage, asAnn, room }: Scene) {
  const { userId } = await stage.stranger({ name: 'New' })
  await must(asAnn.post(room.path, { add_members: [userId] }))
  return { userId }
}

/** Long enough for a server that checks every minute; every connection pings meanwhile, as clients do. */
async function waitAlive({ stage, connections }: Scene): Promise<void> {
  for (let steps = 0; steps < 5; steps += 1) {
    await stage.target.pass(25_000)
    for (const socket of Object.values(connections)) await socket.settle()
  }
}

/** A message of Ann's that Bob reports; Cee, who shares no channel with them, moderates the app from here on. */
async function reported({ stage, ann, bob, room, connections }: Scene) {
  await must(stage.server.patch('/users', { users: [{ id: connections.cee.userId, set: { role: 'admin' } }] }))
  const { id } = await stage.send(ann, room, 'buy this')
  const flagged = await must(bob.post('/moderation/flag', { target_message_id: id, reason: 'spam' }))
  return { id, item: textAt(flagged, 'review_queue_item_id') }
}
const ofReview = plain({
  review_queue_item: s.object({
    id: s.id,
    entity_type: s.id,
    entity_id: s.id,
    status: s.id,
    flags_count: s.count,
    latest_moderator_action: s.text,
    created_at: s.time,
    updated_at: s.time,
  }),
  stats: s.object({ needs_review: s.count }),
})

const SHARING = ['ann', 'ann/2', 'bob', 'bob/2', 'mia'] as const

/** docs/wire.md 4.7 to 4.10: events about users, and those sent to one user only. */
export const peopleEvents: readonly EventExample[] = [
  {
    type: 'notification.mutes_updated',
    cause: ({ ann, bob }) => must(ann.post('/moderation/mute', { target_id: bob.userId })),
    to: ANN,
    fields: plain({ me: s.ownUser }),
    also: (received, { ann, bob }) => {
      expect(at(received.get('ann'), 'me.id')).toBe(ann.userId)
      expect(at(received.get('ann/2'), 'me.mutes.0.target.id')).toBe(bob.userId)
    },
  },
  {
    type: 'user.muted',
    cause: ({ ann, mia }) => must(ann.post('/moderation/mute', { target_id: mia.userId })),
    to: ANN,
    fields: plain({ user: s.user, target_user: s.user }),
  },
  {
    type: 'user.unmuted',
    before: ({ ann, mia }) => must(ann.post('/moderation/mute', { target_id: mia.userId })),
    cause: ({ ann, mia }) => must(ann.post('/moderation/unmute', { target_id: mia.userId })),
    to: ANN,
    fields: plain({ user: s.user, target_user: s.user }),
    localOnly: 'not listed by the contract',
  },
  {
    type: 'notification.channel_mutes_updated',
    cause: ({ ann, room }) => must(ann.post('/moderation/mute/channel', { channel_cid: room.cid })),
    to: ANN,
    fields: plain({ me: s.ownUser }),
    also: (received, { room }) =>
      expect(each(received.get('ann'), 'me.channel_mutes', 'channel.cid')).toContain(room.cid),
  },
  {
    type: 'notification.reminder_due',
    needs: 125_000,
    before: async (scene) => reminded(scene, 61_000),
    cause: waitAlive,
    to: ANN,
    fields: ofReminder,
  },
  {
    type: 'user.presence.changed',
    cause: async (scene) => {
      await change(scene, { invisible: true })
    },
    to: ['ann', 'ann/2', 'pam'],
    fields: plain({ user: s.user }),
    also: (received) => expect(at(received.get('pam'), 'user.online')).toBe(false),
  },
  {
    type: 'user.updated',
    before: (scene) => change(scene, { invisible: false }),
    cause: (scene) => change(scene, { name: 'Anna', mood: 'good' }),
    to: ['ann', 'ann/2', 'bob', 'pam'],
    fields: plain({ user: s.user }),
    also: (received) => expect(received.get('bob')?.['user']).toMatchObject({ name: 'Anna', mood: 'good' }),
  },
  {
    type: 'user.deleted',
    before: newcomer,
    cause: ({ stage }, { userId }) =>
      must(stage.server.delete(`/users/${String(userId)}`, { mark_messages_deleted: true })),
    to: SHARING,
    fields: plain({
      user: s.object({ ...s.user.entries, deleted_at: s.time }),
      mark_messages_deleted: s.flag,
      hard_delete: s.flag,
      delete_conversation_channels: s.flag,
    }),
  },
  {
    type: 'user.deactivated',
    before: newcomer,
    cause: ({ stage }, { userId }) => must(stage.server.post(`/users/${String(userId)}/deactivate`)),
    to: SHARING,
    fields: plain({ user: s.object({ ...s.user.entries, deactivated_at: s.time }) }),
  },
  {
    type: 'user.reactivated',
    async before(scene) {
      const made = await newcomer(scene)
      await must(scene.stage.server.post(`/users/${made.userId}/deactivate`))
      return made
    },
    cause: ({ stage }, { userId }) => must(stage.server.post(`/users/${String(userId)}/reactivate`)),
    to: SHARING,
    fields: plain({ user: s.user }),
  },
  {
    type: 'user.banned',
    when: 'everywhere',
    before: newcomer,
    cause: ({ asAnn }, { userId }) => must(asAnn.post('/moderation/ban', { target_user_id: userId, reason: 'rude' })),
    to: SHARING,
    fields: plain({ user: s.user, reason: s.text }),
  },
  {
    type: 'user.messages.deleted',
    when: 'everywhere',
    async before(scene) {
      const made = await newcomer(scene)
      await scene.stage.send(scene.stage.as(made.userId), scene.room, 'rude')
      return made
    },
    cause: ({ asAnn }, { userId }) =>
      must(asAnn.post('/moderation/ban', { target_user_id: userId, delete_messages: 'hard' })),
    to: SHARING,
    fields: plain({ user: s.user, hard_delete: s.flag }),
    also: (received) => expect(at(received.get('bob'), 'hard_delete')).toBe(true),
  },
  {
    type: 'user.watching.start',
    cause: ({ mia, room }) => must(mia.post(`${room.path}/query`, { watch: true })),
    to: ['ann', 'bob', 'mia'],
    fields: inChannel({ user: s.user, watcher_count: s.count }),
    also: (received) => expect(at(received.get('ann'), 'watcher_count')).toBe(3),
  },
  {
    type: 'user.watching.stop',
    before: ({ mia, room }) => must(mia.post(`${room.path}/query`, { watch: true })),
    cause: ({ mia, room }) => must(mia.post(`${room.path}/stop-watching`)),
    to: ['ann', 'bob', 'mia'],
    fields: inChannel({ user: s.user, watcher_count: s.count }),
    also: (received) => expect(at(received.get('ann'), 'watcher_count')).toBe(2),
  },
  ...(['typing.start', 'typing.stop'] as const).map((type): EventExample => ({
    type,
    cause: ({ bob, room }) => must(bob.post(`${room.path}/event`, { event: { type, parent_id: 'a-thread' } })),
    to: ['ann'],
    fields: inChannel({ user: s.user, parent_id: s.id }),
  })),
  ...(['ai_indicator.update', 'ai_indicator.clear', 'ai_indicator.stop', 'a.custom.event'] as const).map(
    (type): EventExample => ({
      type,
      cause: ({ bob, room }) =>
        must(bob.post(`${room.path}/event`, { event: { type, ai_state: 'AI_STATE_THINKING' } })),
      to: WATCHERS,
      fields: inChannel({ user: s.user, ai_state: s.id }),
    }),
  ),
  {
    type: 'a.custom.event',
    when: 'to one person',
    cause: ({ stage, bob }) =>
      must(stage.server.post(`/users/${bob.userId}/event`, { event: { type: 'a.custom.event', gift: 'tea' } })),
    to: BOB,
    fields: plain({ gift: s.id }),
  },
  {
    type: 'poll.updated',
    before: polled,
    cause: ({ ann }, { poll }) => must(ann.patch(`/polls/${String(poll)}`, { set: { name: 'Coffee?' } })),
    to: WATCHERS,
    fields: ofPoll,
  },
  {
    type: 'poll.closed',
    before: polled,
    cause: ({ ann }, { poll }) => must(ann.patch(`/polls/${String(poll)}`, { set: { is_closed: true } })),
    to: WATCHERS,
    fields: ofPoll,
  },
  {
    type: 'poll.deleted',
    before: polled,
    cause: ({ ann }, { poll }) => must(ann.delete(`/polls/${String(poll)}`)),
    to: WATCHERS,
    fields: ofPoll,
  },
  {
    type: 'poll.vote_casted',
    before: polled,
    cause: ({ bob }, { path, options }) => must(bob.post(String(path), { vote: { option_id: at(options, '0') } })),
    to: WATCHERS,
    fields: ofVote,
  },
  {
    type: 'poll.vote_changed',
    before: voted,
    cause: ({ bob }, { path, options }) => must(bob.post(String(path), { vote: { option_id: at(options, '1') } })),
    to: WATCHERS,
    fields: ofVote,
  },
  {
    type: 'poll.vote_removed',
    before: voted,
    cause: ({ bob }, { path, vote }) => must(bob.delete(`${String(path)}/${String(vote)}`)),
    to: WATCHERS,
    fields: ofVote,
  },
  {
    type: 'draft.updated',
    cause: ({ stage, bob, room }) => must(bob.post(`${room.path}/draft`, draft(stage))),
    to: BOB,
    fields: inChannel({ draft: s.draft }),
  },
  {
    type: 'draft.deleted',
    before: ({ stage, bob, room }) => must(bob.post(`${room.path}/draft`, draft(stage))),
    cause: ({ bob, room }) => must(bob.delete(`${room.path}/draft`)),
    to: BOB,
    fields: inChannel({ draft: s.draft }),
  },
  { type: 'reminder.created', cause: (scene) => reminded(scene), to: ANN, fields: ofReminder },
  {
    type: 'reminder.updated',
    before: (scene) => reminded(scene),
    cause: ({ ann }, { id }) => must(ann.patch(`/messages/${String(id)}/reminders`, { remind_at: null })),
    to: ANN,
    fields: ofReminder,
  },
  {
    type: 'reminder.deleted',
    before: (scene) => reminded(scene),
    cause: ({ ann }, { id }) => must(ann.delete(`/messages/${String(id)}/reminders`)),
    to: ANN,
    fields: ofReminder,
  },
  {
    type: 'thread.updated',
    before: threaded,
    cause: ({ ann }, { id }) => must(ann.patch(`/threads/${String(id)}`, { set: { title: 'Named' } })),
    to: WATCHERS,
    fields: inChannel({ thread: s.thread }),
  },
  { type: 'user_group.created', cause: grouped, to: EVERYONE, fields: ofGroup },
  {
    type: 'user_group.updated',
    before: grouped,
    cause: ({ stage }, { id }) => must(stage.server.put(`/usergroups/${String(id)}`, { name: 'Renamed' })),
    to: EVERYONE,
    fields: ofGroup,
  },
  {
    type: 'user_group.deleted',
    before: grouped,
    cause: ({ stage }, { id }) => must(stage.server.delete(`/usergroups/${String(id)}`)),
    to: EVERYONE,
    fields: ofGroup,
  },
  {
    type: 'user_group.member_added',
    before: grouped,
    cause: ({ stage, bob }, { id }) =>
      must(stage.server.post(`/usergroups/${String(id)}/members`, { member_ids: [bob.userId] })),
    to: EVERYONE,
    fields: ofGroup,
  },
  {
    type: 'user_group.member_removed',
    async before(scene) {
      const { id } = await grouped(scene)
      await must(scene.stage.server.post(`/usergroups/${id}/members`, { member_ids: [scene.bob.userId] }))
      return { id }
    },
    cause: ({ stage, bob }, { id }) =>
      must(stage.server.post(`/usergroups/${String(id)}/members/delete`, { member_ids: [bob.userId] })),
    to: EVERYONE,
    fields: ofGroup,
  },
  { type: 'emoji.created', cause: drawn, to: EVERYONE, fields: ofEmoji, localOnly: OURS },
  {
    type: 'emoji.updated',
    before: drawn,
    cause: async ({ ann, stage }, { name }) => {
      const renamed = stage.id('e').toLowerCase().slice(0, 30)
      stage.later(() => stage.server.delete(`/emoji/${renamed}`))
      await must(ann.put(`/emoji/${String(name)}`, { name: renamed }))
    },
    to: EVERYONE,
    fields: plain({ emoji: running.emoji, former_name: s.id }),
    localOnly: OURS,
  },
  {
    type: 'emoji.deleted',
    before: drawn,
    cause: ({ ann }, { name }) => must(ann.delete(`/emoji/${String(name)}`)),
    to: EVERYONE,
    fields: ofEmoji,
    localOnly: OURS,
  },
  {
    type: 'app.updated',
    cause: ({ stage }) => must(stage.server.patch('/app', { reminders_interval: 60 })),
    to: EVERYONE,
    fields: plain({ app: s.object({ name: s.text }) }),
    localOnly: 'changes settings that others share',
  },
  {
    type: 'review_queue_item.new',
    before: async ({ stage, connections }) => {
      await must(stage.server.patch('/users', { users: [{ id: connections.cee.userId, set: { role: 'moderator' } }] }))
      return {}
    },
    cause: async ({ stage, ann, bob, room }) => {
      const { id } = await stage.send(ann, room, 'buy this')
      await must(bob.post('/moderation/flag', { target_message_id: id, reason: 'spam' }))
    },
    to: ['cee'],
    fields: ofReview,
    also: (received) => expect(JSON.stringify(received.get('cee'))).not.toContain('buy this'),
    localOnly: OURS,
  },
  {
    type: 'review_queue_item.updated',
    before: reported,
    cause: ({ connections }, { item }) =>
      must(connections.cee.post('/api/v2/moderation/submit_action', { action_type: 'mark_reviewed', item_id: item })),
    to: ['cee'],
    fields: ofReview,
    also: (received) => expect(at(received.get('cee'), 'review_queue_item.status')).toBe('reviewed'),
    localOnly: OURS,
  },
  {
    type: 'moderation.updated',
    before: reported,
    cause: async ({ stage }) => {
      const name = stage.id('list')
      stage.later(() => stage.server.delete(`/blocklists/${name}`))
      await must(stage.server.post('/blocklists', { name, words: ['frobnicate'] }))
    },
    to: ['cee'],
    fields: plain({ kind: s.id }),
    localOnly: OURS,
  },
]
