import * as v from 'valibot'
import { nothing, wrapped, type Example, type Kind, type Made } from '../example.ts'
import type { Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import { must, type Stage } from '../stage.ts'

/** A channel of Ann's with Bob in it, requested by its owner. */
const inRoom =
  (body: Json = {}) =>
  async (stage: Stage): Promise<Made & { readonly path: string; readonly cid: string }> => {
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann, members: [await stage.person('bob')] })
    return { as: ann, params: { type: room.type, id: room.id }, body, path: room.path, cid: room.cid }
  }

/** The same by the server token in Ann's name, for what her role may not do everywhere. */
const byServer =
  (body: Json = {}) =>
  async (stage: Stage): Promise<Made> => {
    const made = await inRoom(body)(stage)
    return { ...made, as: stage.serverAs(made.as.userId) }
  }

const withMessage = (body: (id: string) => Json) => async (stage: Stage) => {
  const made = await inRoom()(stage)
  const bob = await stage.person('bob')
  const sent = await must(bob.post(`${made.path}/message`, { message: { text: 'hello' } }))
  return { ...made, body: body(String((sent['message'] as Json)['id'])) }
}

const changed = wrapped({ channel: s.queriedChannel, members: v.pipe(s.list(s.member), v.minLength(1)) })

const stateRequest: Readonly<Record<string, Kind>> = {
  state: 'flag',
  watch: 'flag',
  presence: 'flag',
  messages: 'object',
  'messages.id_lt': 'text',
  'messages.id_around': 'text',
  'messages.created_at_before': 'time',
  'messages.created_at_around': 'time',
  members: 'object',
  watchers: 'object',
  hide_for_creator: 'flag',
  thread_unread_counts: 'flag',
  'data.team': 'text',
  'data.image': 'text',
  'data.frozen': 'flag',
  'data.invites': 'list',
  'data.filter_tags': 'list',
  'data.created_by_id': 'text',
  'data.truncated_by_id': 'text',
}

const event = s.object({ type: s.id, created_at: s.time, user: s.user })
const channelEvent = s.object({ ...event.entries, cid: s.id, channel_type: s.id, channel_id: s.id })

const memberAnswer = wrapped({ channel_member: s.member })

/** docs/wire.md 3.2, and the mutes of channels of 3.13. */
export const channelExamples: readonly Example[] = [
  {
    route: 'POST /channels/:type/:id/query',
    async make(stage) {
      const ann = await stage.person('ann')
      const data = { members: [ann.userId, (await stage.person('bob')).userId], name: 'Lounge', color: 'green' }
      const body = { data, state: true, messages: { limit: 25 } }
      return { as: ann, params: { type: 'messaging', id: stage.id('lounge') }, body }
    },
    reply: s.object({ ...s.channelState.entries, read: s.list(s.read) }),
    optional: stateRequest,
    also: (body) => {
      const channel = body['channel'] as Json
      if (channel['color'] !== 'green' || 'custom' in channel) throw new Error('custom data is not flat')
    },
  },
  {
    route: 'POST /channels/:type/query',
    async make(stage) {
      const ann = await stage.person('ann')
      const data = { members: [ann.userId, (await stage.stranger()).userId] }
      return { as: ann, params: { type: 'messaging' }, body: { data, state: true } }
    },
    reply: s.channelState,
    optional: stateRequest,
  },
  {
    route: 'GET /channels/:type/:id',
    async make(stage) {
      const { as, params } = await inRoom()(stage)
      return { as, params: params ?? {}, query: { state: true, messages_limit: 10 } }
    },
    reply: s.channelState,
    optional: { members_limit: 'number', watchers_limit: 'number', messages_id_lt: 'text', messages_id_around: 'text' },
  },
  {
    route: 'POST /channels',
    async make(stage) {
      const { as, cid } = await inRoom()(stage)
      const sort = [{ field: 'last_message_at', direction: -1, type: '' }]
      return { as, body: { filter_conditions: { cid: { $in: [cid] } }, sort, state: true, limit: 10, offset: 0 } }
    },
    reply: wrapped({ channels: v.pipe(s.list(s.channelState), v.length(1)) }),
    optional: {
      watch: 'flag',
      presence: 'flag',
      message_limit: 'number',
      member_limit: 'number',
      predefined_filter: 'text',
      filter_values: 'object',
      sort_values: 'object',
    },
    also: (body) => {
      const [first] = body['channels'] as Json[]
      if (first && 'duration' in first) throw new Error('a channel of a list has no duration of its own')
    },
  },
  {
    route: 'POST /channels/:type/:id',
    make: byServer({ data: { name: 'Renamed' }, cooldown: 0 }),
    reply: changed,
    optional: {
      message: 'object',
      add_members: 'list',
      remove_members: 'list',
      add_moderators: 'list',
      demote_moderators: 'list',
      assign_roles: 'list',
      invites: 'list',
      accept_invite: 'flag',
      reject_invite: 'flag',
      add_filter_tags: 'list',
      remove_filter_tags: 'list',
      hide_history: 'flag',
      hide_history_before: 'time',
      skip_push: 'flag',
      user_id: 'text',
    },
  },
  {
    route: 'PATCH /channels/:type/:id',
    make: byServer({ set: { mood: 'good' } }),
    reply: changed,
    optional: { unset: 'list', user_id: 'text' },
  },
  {
    route: 'DELETE /channels/:type/:id',
    make: byServer(),
    reply: wrapped({ channel: s.channel }),
    optional: { hard_delete: 'flag' },
  },
  {
    route: 'POST /channels/delete',
    make: async (stage) => ({ as: stage.server, body: { cids: [(await inRoom()(stage)).cid] } }),
    reply: wrapped({ result: s.map(s.object({ status: s.id })) }),
    optional: { hard_delete: 'flag' },
  },
  {
    route: 'PUT /channels/batch',
    async make(stage) {
      const { cid } = await inRoom()(stage)
      return { as: stage.server, body: { operation: 'updateData', filter: { cids: [cid] }, data: { mood: 'good' } } }
    },
    reply: wrapped({ result: s.map(s.object({ status: s.id })), task_id: s.id }),
    optional: { members: 'list' },
    localOnly: 'what hosted answers is not known',
  },
  {
    route: 'POST /channels/:type/:id/truncate',
    make: byServer({}),
    reply: wrapped({ channel: s.object({ ...s.channel.entries, truncated_at: s.time }) }),
    optional: {
      hard_delete: 'flag',
      message: 'object',
      skip_push: 'flag',
      truncated_at: 'time',
      member_ids: 'list',
      user_id: 'text',
    },
  },
  {
    route: 'POST /channels/:type/:id/hide',
    make: inRoom({}),
    reply: nothing,
    optional: { user_id: 'text', clear_history: 'flag' },
  },
  { route: 'POST /channels/:type/:id/show', make: inRoom({}), reply: nothing, optional: { user_id: 'text' } },
  {
    route: 'POST /channels/:type/:id/stop-watching',
    async make(stage) {
      const made = await inRoom()(stage)
      const socket = await stage.connect(made.as.userId)
      await must(socket.post(`${made.path}/query`, { watch: true }))
      stage.later(() => socket.close())
      return { ...made, as: socket, body: {} }
    },
    reply: nothing,
  },
  {
    route: 'POST /channels/:type/:id/event',
    make: inRoom({ event: { type: 'typing.start' } }),
    reply: wrapped({ event: channelEvent }),
    optional: { 'event.parent_id': 'text' },
  },
  {
    route: 'POST /channels/:type/:id/read',
    make: withMessage(() => ({})),
    reply: wrapped({
      event: s.object({ ...channelEvent.entries, type: v.literal('message.read'), last_read_message_id: s.id }),
    }),
    optional: { message_id: 'text', thread_id: 'text' },
  },
  {
    route: 'POST /channels/:type/:id/unread',
    make: withMessage((message_id) => ({ message_id })),
    reply: nothing,
    optional: { thread_id: 'text', message_timestamp: 'time' },
  },
  {
    route: 'POST /channels/read',
    make: async (stage) => ({ as: (await withMessage(() => ({}))(stage)).as, body: {} }),
    reply: nothing,
    optional: { read_by_channel: 'object' },
  },
  {
    route: 'POST /channels/delivered',
    async make(stage) {
      const made = await withMessage((id) => ({ id }))(stage)
      return { as: made.as, body: { latest_delivered_messages: [{ cid: made.cid, id: made.body['id'] }] } }
    },
    reply: nothing,
    optional: { 'latest_delivered_messages.0.parent_id': 'text' },
  },
  {
    route: 'GET /channels/:type/:id/pinned_messages',
    async make(stage) {
      const made = await inRoom()(stage)
      await must(made.as.post(`${made.path}/message`, { message: { text: 'keep', pinned: true } }))
      const payload = { limit: 5, sort: [{ field: 'pinned_at', direction: -1 }] }
      return { as: made.as, params: made.params ?? {}, query: { payload } }
    },
    reply: wrapped({ messages: v.pipe(s.list(s.message), v.length(1)) }),
    optional: {
      'payload.offset': 'number',
      'payload.id_lt': 'text',
      'payload.pinned_at_before': 'time',
      'payload.pinned_at_around': 'time',
    },
  },
  {
    route: 'GET /channels/:type/:id/messages',
    async make(stage) {
      const made = await withMessage((id) => ({ id }))(stage)
      return { as: made.as, params: made.params ?? {}, query: { ids: made.body['id'] } }
    },
    reply: wrapped({ messages: v.pipe(s.list(s.message), v.length(1)) }),
  },
  {
    route: 'PATCH /channels/:type/:id/member',
    make: inRoom({ set: { pinned: true, badge: 'gold' } }),
    reply: memberAnswer,
    optional: { unset: 'list' },
    also: (body) => {
      const member = body['channel_member'] as Json
      if (member['badge'] !== 'gold' || typeof member['pinned_at'] !== 'string') throw new Error('not pinned and flat')
    },
  },
  {
    route: 'PATCH /channels/:type/:id/member/:userId',
    async make(stage) {
      const made = await inRoom({ set: { archived: true } })(stage)
      return { ...made, params: { ...made.params, userId: made.as.userId } }
    },
    reply: memberAnswer,
    optional: { unset: 'list' },
  },
  {
    route: 'POST /moderation/mute/channel',
    async make(stage) {
      const { as, cid } = await inRoom()(stage)
      return { as, body: { channel_cid: cid } }
    },
    reply: wrapped({ channel_mute: s.channelMute, own_user: s.ownUser }),
    optional: { expiration: 'number', user_id: 'text', channel_cids: 'list' },
    also: (body) => {
      if ('expires' in (body['channel_mute'] as Json)) throw new Error('a mute without an end has no expires')
    },
  },
  {
    route: 'POST /moderation/unmute/channel',
    async make(stage) {
      const { as, cid } = await inRoom()(stage)
      await must(as.post('/moderation/mute/channel', { channel_cid: cid }))
      return { as, body: { channel_cid: cid } }
    },
    reply: nothing,
    optional: { expiration: 'number', user_id: 'text', channel_cids: 'list' },
  },
]
