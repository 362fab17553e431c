import * as v from 'valibot'
import { nothing, wrapped, type Example } from '../example.ts'
import { textAt, type Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Stage } from '../stage.ts'

const usersById = wrapped({ users: s.map(s.user) })

/** A new user, named in the path, for a server token to change. */
const person =
  (body: Json = {}) =>
  async (stage: Stage) => ({
    as: stage.server,
    params: { id: (await stage.stranger({ name: 'Somebody' })).userId },
    body,
  })

const several = (body: (ids: readonly string[]) => Json) => async (stage: Stage) => ({
  as: stage.server,
  body: body([(await stage.stranger()).userId, (await stage.stranger()).userId]),
})

/** docs/wire.md 3.11 and 3.12. */
export const peopleExamples: readonly Example[] = [
  {
    route: 'GET /users',
    async make(stage) {
      const { userId } = await stage.person('bob')
      const payload = { filter_conditions: { id: userId }, sort: [{ field: 'name', direction: 1 }], limit: 10 }
      return { as: await stage.person('ann'), query: { payload } }
    },
    reply: wrapped({ users: s.list(s.user) }),
    optional: { 'payload.presence': 'flag', 'payload.offset': 'number', 'payload.include_deactivated_users': 'flag' },
  },
  {
    route: 'POST /users',
    make: (stage) => {
      const id = stage.id('new')
      return { as: stage.server, body: { users: { [id]: { id, name: 'New', role: 'user', shoe_size: 43 } } } }
    },
    reply: wrapped({ users: s.map(s.user), membership_deletion_task_id: v.string() }),
  },
  {
    route: 'PATCH /users',
    async make(stage) {
      const { userId: id } = await stage.stranger({ color: 'red' })
      return { as: stage.server, body: { users: [{ id, set: { name: 'Changed', shape: 'round' }, unset: ['color'] }] } }
    },
    reply: usersById,
    also: (body, made) => {
      const [user] = Object.values(body['users'] as Record<string, Json>)
      if (user?.['shape'] !== 'round' || 'color' in user)
        throw new Error(`not flat: ${JSON.stringify([user, made.body])}`)
    },
  },
  {
    route: 'POST /guest',
    make: (stage) => ({ as: stage.server, body: { user: { id: stage.id('visitor'), name: 'Visitor' } } }),
    reply: wrapped({ access_token: s.id, user: s.user }),
    optional: { 'user.image': 'text' },
  },
  {
    route: 'GET /users/block',
    async make(stage) {
      const [ann, other] = [await stage.stranger(), await stage.stranger()]
      await must(ann.post('/users/block', { blocked_user_id: other.userId }))
      return { as: ann }
    },
    reply: wrapped({ blocks: v.pipe(s.list(s.block), v.length(1)) }),
  },
  {
    route: 'POST /users/block',
    make: async (stage) => ({
      as: await stage.stranger(),
      body: { blocked_user_id: (await stage.stranger()).userId },
    }),
    reply: wrapped({ blocked_by_user_id: s.id, blocked_user_id: s.id, created_at: s.time, blocked_at: s.time }),
  },
  {
    route: 'POST /users/unblock',
    async make(stage) {
      const [ann, other] = [await stage.stranger(), await stage.stranger()]
      const body = { blocked_user_id: other.userId }
      await must(ann.post('/users/block', body))
      return { as: ann, body }
    },
    reply: nothing,
  },
  {
    route: 'DELETE /users/:id',
    make: person(),
    reply: wrapped({ user: s.object({ ...s.user.entries, deleted_at: s.time }) }),
    optional: { mark_messages_deleted: 'flag', hard_delete: 'flag', delete_conversation_channels: 'flag' },
  },
  {
    route: 'POST /users/delete',
    make: several((user_ids) => ({ user_ids, user: 'soft' })),
    reply: wrapped({ task_id: s.id }),
    optional: { messages: 'text', conversations: 'text', new_channel_owner_id: 'text' },
  },
  {
    route: 'POST /users/:id/deactivate',
    make: person(),
    reply: wrapped({ user: s.user }),
    optional: { mark_messages_deleted: 'flag', created_by_id: 'text' },
  },
  {
    route: 'POST /users/:id/reactivate',
    async make(stage) {
      const made = await person()(stage)
      await must(stage.server.post(`/users/${made.params.id}/deactivate`))
      return made
    },
    reply: wrapped({ user: s.user }),
    optional: { name: 'text', restore_messages: 'flag', created_by_id: 'text' },
  },
  {
    route: 'POST /users/deactivate',
    make: several((user_ids) => ({ user_ids })),
    reply: wrapped({ task_id: s.id }),
    optional: { mark_messages_deleted: 'flag', created_by_id: 'text' },
  },
  {
    route: 'POST /users/reactivate',
    async make(stage) {
      const made = await several((user_ids) => ({ user_ids }))(stage)
      await must(stage.server.post('/users/deactivate', made.body))
      return made
    },
    reply: wrapped({ task_id: s.id }),
  },
  {
    route: 'POST /users/restore',
    async make(stage) {
      const made = await several((user_ids) => ({ user_ids }))(stage)
      await must(stage.server.post('/users/delete', { ...made.body, user: 'soft' }))
      return made
    },
    reply: nothing,
  },
  {
    route: 'GET /users/:id/export',
    async make(stage) {
      const ann = await stage.stranger()
      const room = await stage.channel({ as: ann })
      const { id } = await stage.send(ann, room, 'mine')
      await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'like' } }))
      return { as: stage.server, params: { id: ann.userId } }
    },
    reply: wrapped({
      user: s.user,
      messages: v.pipe(s.list(s.message), v.length(1)),
      reactions: v.pipe(s.list(s.reaction), v.length(1)),
    }),
  },
  {
    route: 'POST /users/:id/event',
    make: person({ event: { type: 'friend_request', from: 'ann' } }),
    reply: nothing,
  },
  {
    route: 'GET /devices',
    async make(stage) {
      const ann = await stage.stranger()
      await must(ann.post('/devices', { id: stage.id('device'), push_provider: 'apn' }))
      return { as: ann }
    },
    reply: wrapped({ devices: v.pipe(s.list(s.device), v.length(1)) }),
  },
  {
    route: 'POST /devices',
    make: async (stage) => ({
      as: await stage.stranger(),
      body: { id: stage.id('device'), push_provider: 'firebase' },
    }),
    reply: nothing,
    optional: { push_provider_name: 'text', user_id: 'text', voip_token: 'flag' },
  },
  {
    route: 'DELETE /devices',
    async make(stage) {
      const ann = await stage.stranger()
      const id = stage.id('device')
      await must(ann.post('/devices', { id, push_provider: 'apn' }))
      return { as: ann, query: { id } }
    },
    reply: nothing,
  },
  {
    route: 'POST /push_preferences',
    async make(stage) {
      const room = await stage.channel()
      const preferences = [{ chat_level: 'mentions' }, { channel_cid: room.cid, chat_level: 'none' }]
      return { as: await stage.person('ann'), body: { preferences } }
    },
    reply: wrapped({
      user_preferences: s.map(v.looseObject({})),
      user_channel_preferences: s.map(s.map(v.looseObject({}))),
    }),
  },
  {
    route: 'GET /unread',
    async make(stage) {
      const bob = await stage.stranger()
      const room = await stage.channel({ members: [bob] })
      await stage.send(await stage.person('ann'), room, 'new')
      return { as: bob }
    },
    reply: running.unreadCounts,
  },
  {
    route: 'POST /unread_batch',
    make: async (stage) => ({
      as: stage.server,
      body: { user_ids: [(await stage.person('ann')).userId, stage.id('nobody')] },
    }),
    reply: wrapped({ counts_by_user: s.map(running.unreadCounts) }),
    also: (body) => {
      if (Object.keys(Object(body['counts_by_user'])).length !== 1) throw new Error('unknown people are left out')
    },
  },
  {
    route: 'GET /members',
    async make(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel({ as: ann, members: [await stage.person('bob')] })
      const payload = { type: room.type, id: room.id, filter_conditions: {}, sort: [], limit: 10 }
      return { as: ann, query: { payload } }
    },
    reply: wrapped({ members: v.pipe(s.list(s.member), v.length(2)) }),
    optional: {
      'payload.offset': 'number',
      'payload.user_id_gt': 'text',
      'payload.user_id_lte': 'text',
      'payload.created_at_after': 'time',
      'payload.created_at_before_or_equal': 'time',
    },
  },
  {
    route: 'GET /search',
    async make(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel({ as: ann })
      await stage.send(ann, room, 'a needle in the hay')
      return { as: ann, query: { payload: { filter_conditions: { cid: room.cid }, query: 'needle', limit: 5 } } }
    },
    reply: wrapped({ results: v.pipe(s.list(s.object({ message: s.placedMessage })), v.length(1)) }),
    optional: {
      'payload.sort': 'list',
      'payload.offset': 'number',
      'payload.next': 'text',
      'payload.message_options': 'object',
    },
  },
  {
    route: 'POST /sync',
    async make(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel({ as: ann })
      const before = await stage.send(ann, room, 'before')
      await stage.send(ann, room, 'after')
      const channel_cids = [room.cid, `messaging:${stage.id('unknown')}`]
      const body = { channel_cids, last_sync_at: textAt(before, 'created_at'), with_inaccessible_cids: true }
      return { as: ann, body }
    },
    reply: wrapped({
      events: v.pipe(s.list(s.object({ type: s.id, created_at: s.time, cid: s.id })), v.minLength(1)),
      inaccessible_cids: v.pipe(s.list(s.id), v.length(1)),
    }),
    optional: { watch: 'flag' },
  },
]
