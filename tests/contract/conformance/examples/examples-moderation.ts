import * as v from 'valibot'
import { nothing, wrapped, type Example, type Kind } from '../example.ts'
import { textAt, type Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Stage } from '../stage.ts'

const V2 = '/api/v2/moderation'
const cursor: Readonly<Record<string, Kind>> = {
  filter: 'object',
  sort: 'list',
  limit: 'number',
  next: 'text',
  prev: 'text',
}
const exactly = <S extends v.GenericSchema>(schema: S, length: number) => v.pipe(s.list(schema), v.length(length))
const some = <S extends v.GenericSchema>(schema: S) => v.pipe(s.list(schema), v.minLength(1))

const pair = async (stage: Stage) => ({ ann: await stage.stranger(), bob: await stage.stranger() })

/** Bob bothers Ann. */
const byAnn = (body: (bob: string) => Json, before?: string) => async (stage: Stage) => {
  const { ann, bob } = await pair(stage)
  const requestBody = body(bob.userId)
  if (before !== undefined) await must(ann.post(before, requestBody))
  return { as: ann, body: requestBody }
}

async function aMessage(stage: Stage) {
  const { ann, bob } = await pair(stage)
  const room = await stage.channel({ as: ann, members: [bob] })
  const { id } = await stage.send(bob, room, 'rude')
  return { ann, bob, room, id }
}

/** The server token, in a user's name, against Bob in a channel. */
async function aBan(stage: Stage, banned: boolean) {
  const { ann, bob, room } = await aMessage(stage)
  const server = stage.serverAs(ann.userId)
  const target = { target_user_id: bob.userId, type: room.type, id: room.id }
  if (banned) await must(server.post('/moderation/ban', { ...target, reason: 'rude', timeout: 60 }))
  return { server, target, room, bob }
}

const banRequest: Readonly<Record<string, Kind>> = {
  timeout: 'number',
  reason: 'text',
  shadow: 'flag',
  ip_ban: 'flag',
  delete_messages: 'text',
  delete_reactions: 'flag',
  ban_from_future_channels: 'flag',
}

async function aFlag(stage: Stage) {
  const { ann, room, id } = await aMessage(stage)
  const done = await must(ann.post('/moderation/flag', { target_message_id: id, reason: 'rude' }))
  return { ann, room, id, done }
}

const flagged = wrapped({ flag: running.flagged })
const muted = { own_user: s.ownUser }

async function anItem(stage: Stage) {
  const { ann, bob, id } = await aMessage(stage)
  const body = { entity_type: 'stream:chat:v1:message', entity_id: id, entity_creator_id: bob.userId, reason: 'rude' }
  const made = await must(ann.post(`${V2}/flag`, body))
  return { id, item_id: textAt(made, 'item_id') }
}

const config = (stage: Stage): Json => ({
  key: `chat:${stage.id('config')}`,
  automod_platform_circumvention_config: { enabled: true },
})
const rule = (stage: Stage): Json => ({ id: stage.id('rule'), name: 'Slow down', rule_type: 'user', conditions: [] })

const existing = (path: string, body: (stage: Stage) => Json, key: 'key' | 'id') => async (stage: Stage) => {
  const made = body(stage)
  await must(stage.server.post(path, made))
  return { as: stage.server, params: { [key]: encodeURIComponent(String(made[key])) } }
}

const configAnswer = wrapped({ config: s.object({ key: s.id, created_at: s.time, updated_at: s.time }) })
const ruleAnswer = wrapped({ rule: s.object({ id: s.id, created_at: s.time, updated_at: s.time }) })

/** docs/wire.md 3.13 and 3.14. */
export const moderationExamples: readonly Example[] = [
  {
    route: 'POST /moderation/mute',
    make: byAnn((target_id) => ({ target_id })),
    reply: wrapped({ ...muted, mute: s.mute }),
    optional: { timeout: 'number', target_ids: 'list', user_id: 'text' },
    also: (body) => {
      if ('expires' in (body['mute'] as Json)) throw new Error('a mute without an end has no expires')
    },
  },
  {
    route: 'POST /moderation/unmute',
    make: byAnn((target_id) => ({ target_id }), '/moderation/mute'),
    reply: nothing,
    optional: { target_ids: 'list', timeout: 'number' },
  },
  {
    route: 'POST /moderation/ban',
    async make(stage) {
      const { server, target } = await aBan(stage, false)
      return { as: server, body: target }
    },
    reply: nothing,
    optional: { ...banRequest, banned_by_id: 'text', channel_cid: 'text' },
  },
  {
    route: 'DELETE /moderation/ban',
    async make(stage) {
      const { server, target } = await aBan(stage, true)
      return { as: server, query: target }
    },
    reply: nothing,
    optional: { shadow: 'flag', remove_future_channels_ban: 'flag' },
  },
  {
    route: 'GET /query_banned_users',
    async make(stage) {
      const { room } = await aBan(stage, true)
      const payload = { filter_conditions: { channel_cid: room.cid }, sort: [{ field: 'created_at', direction: 1 }] }
      return { as: stage.server, query: { payload } }
    },
    reply: wrapped({
      bans: exactly(s.object({ ...running.ban.entries, channel: s.channel, reason: s.text, expires: s.time }), 1),
    }),
    optional: {
      'payload.limit': 'number',
      'payload.offset': 'number',
      'payload.exclude_expired_bans': 'flag',
      'payload.created_at_after': 'time',
    },
  },
  {
    route: 'GET /query_future_channel_bans',
    async make(stage) {
      const { bob } = await pair(stage)
      const by = stage.serverAs((await stage.person('ann')).userId)
      await must(by.post('/moderation/ban', { target_user_id: bob.userId, ban_from_future_channels: true }))
      return { as: stage.server, query: { payload: { target_user_id: bob.userId, limit: 5 } } }
    },
    reply: wrapped({ bans: s.list(running.ban) }),
    optional: { 'payload.offset': 'number', 'payload.exclude_expired_bans': 'flag' },
  },
  {
    route: 'POST /moderation/flag',
    async make(stage) {
      const { ann, id } = await aMessage(stage)
      return { as: ann, body: { target_message_id: id } }
    },
    reply: wrapped({ flag: running.flagged, review_queue_item_id: v.optional(s.id) }),
    optional: { target_user_id: 'text', reason: 'text', custom: 'object', user_id: 'text' },
  },
  {
    route: 'POST /moderation/unflag',
    async make(stage) {
      const { ann, id } = await aFlag(stage)
      return { as: ann, body: { target_message_id: id } }
    },
    reply: flagged,
    optional: { target_user_id: 'text', user_id: 'text' },
  },
  {
    route: 'GET /moderation/flags/message',
    async make(stage) {
      const { room } = await aFlag(stage)
      return { as: stage.server, query: { payload: { filter_conditions: { channel_cid: room.cid }, limit: 10 } } }
    },
    reply: wrapped({ flags: exactly(running.flagged, 1) }),
    optional: { 'payload.offset': 'number' },
  },
  {
    route: 'POST /moderation/flags',
    async make(stage) {
      const { room } = await aFlag(stage)
      return { as: stage.server, body: { filter_conditions: { channel_cid: room.cid } } }
    },
    reply: wrapped({ flags: exactly(running.flagged, 1) }),
    optional: { limit: 'number', offset: 'number' },
  },
  {
    route: 'POST /moderation/reports',
    async make(stage) {
      const { room } = await aFlag(stage)
      return { as: stage.server, body: { filter_conditions: { channel_cid: room.cid } } }
    },
    reply: wrapped({ flag_reports: exactly(s.object({ ...running.flagged.entries, id: s.id }), 1) }),
    optional: { limit: 'number', offset: 'number' },
  },
  {
    route: 'PATCH /moderation/reports/:id',
    async make(stage) {
      const { ann, room } = await aFlag(stage)
      const body = { filter_conditions: { channel_cid: room.cid } }
      const reports = await must(stage.server.post('/moderation/reports', body))
      const as = stage.serverAs(ann.userId)
      return { as, params: { id: textAt(reports, 'flag_reports.0.id') }, body: { review_result: 'reviewed' } }
    },
    reply: wrapped({ flag_report: s.object({ ...running.flagged.entries, id: s.id, reviewed_at: s.time }) }),
    optional: { review_details: 'object', user_id: 'text' },
  },
  {
    route: 'POST /moderation/unblock_message',
    async make(stage) {
      const { id } = await aMessage(stage)
      return { as: stage.serverAs((await stage.person('ann')).userId), body: { target_message_id: id } }
    },
    reply: nothing,
  },
  {
    route: `POST ${V2}/flag`,
    async make(stage) {
      const { ann, id } = await aMessage(stage)
      return { as: ann, body: { entity_type: 'stream:chat:v1:message', entity_id: id, reason: 'rude' } }
    },
    reply: wrapped({ item_id: s.id }),
    optional: { entity_creator_id: 'text', custom: 'object', moderation_payload: 'object' },
  },
  {
    route: `POST ${V2}/mute`,
    make: byAnn((bob) => ({ target_ids: [bob] })),
    reply: wrapped({ ...muted, mutes: exactly(s.mute, 1) }),
    optional: { timeout: 'number' },
  },
  { route: `POST ${V2}/unmute`, make: byAnn((bob) => ({ target_ids: [bob] }), `${V2}/mute`), reply: nothing },
  {
    route: `POST ${V2}/ban`,
    async make(stage) {
      const { server, target, room } = await aBan(stage, false)
      return { as: server, body: { target_user_id: target.target_user_id, channel_cid: room.cid } }
    },
    reply: nothing,
    optional: { ...banRequest, banned_by_id: 'text' },
  },
  {
    route: `POST ${V2}/unban`,
    async make(stage) {
      const { server, target, room } = await aBan(stage, true)
      return { as: server, body: { target_user_id: target.target_user_id, channel_cid: room.cid } }
    },
    reply: nothing,
  },
  {
    route: `GET ${V2}/user_report`,
    async make(stage) {
      const { ann, bob } = await pair(stage)
      await must(ann.post('/users/block', { blocked_user_id: bob.userId }))
      await must(ann.post('/moderation/mute', { target_id: bob.userId }))
      const query = { user_id: ann.userId, include_user_blocks: true, include_user_mutes: true }
      return { as: stage.server, query }
    },
    reply: wrapped({ user: s.user, user_blocks: s.list(s.anything), user_mutes: s.list(s.anything) }),
    optional: { create_user_if_not_exists: 'flag' },
  },
  {
    route: `POST ${V2}/review_queue`,
    async make(stage) {
      const { id } = await anItem(stage)
      return { as: stage.server, body: { filter: { entity_id: id }, sort: [] } }
    },
    reply: wrapped({ items: exactly(running.reviewItem, 1), action_config: s.anything, stats: s.anything }),
    optional: { limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: `POST ${V2}/logs`,
    async make(stage) {
      const person = await stage.person('outcast')
      await must(stage.server.post('/moderation/ban', { target_user_id: person.userId }))
      return { as: stage.server, body: { filter: { target_user_id: person.userId }, sort: [] } }
    },
    reply: wrapped({ logs: s.list(s.anything), since: s.time }),
    optional: { limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: `POST ${V2}/submit_action`,
    async make(stage) {
      const { item_id } = await anItem(stage)
      const as = stage.serverAs((await stage.person('ann')).userId)
      return { as, body: { action_type: 'mark_reviewed', item_id, mark_reviewed: {} } }
    },
    reply: wrapped({ item: s.object({ ...running.reviewItem.entries, reviewed_at: s.time }) }),
    optional: { user_id: 'text' },
  },
  {
    route: `POST ${V2}/check`,
    make: async (stage) => ({
      as: stage.server,
      body: {
        entity_type: 'stream:v1:user_profile',
        entity_id: (await stage.person('ann')).userId,
        entity_creator_id: (await stage.person('ann')).userId,
        moderation_payload: { texts: ['Ann'], images: ['https://x.example/a.png'] },
        config_key: 'user_profile:default',
        options: { force_sync: true },
        test_mode: true,
      },
    }),
    reply: wrapped({ status: s.id, recommended_action: s.id }),
    optional: { user_id: 'text', 'moderation_payload.videos': 'list' },
  },
  {
    route: `POST ${V2}/custom_check`,
    async make(stage) {
      const { bob, id } = await aMessage(stage)
      const entity = { entity_type: 'stream:chat:v1:message', entity_id: id, entity_creator_id: bob.userId }
      return { as: stage.server, body: { ...entity, flags: [{ type: 'custom', reason: 'rude' }] } }
    },
    reply: wrapped({ id: s.id, item: running.reviewItem, status: s.id }),
    optional: { moderation_payload: 'object', 'flags.0.labels': 'list', 'flags.0.custom': 'object' },
  },
  {
    route: `POST ${V2}/config`,
    make: (stage) => ({ as: stage.server, body: config(stage) }),
    reply: configAnswer,
    optional: { team: 'text' },
  },
  {
    route: `GET ${V2}/config/:key`,
    make: existing(`${V2}/config`, config, 'key'),
    reply: configAnswer,
    optional: { team: 'text' },
  },
  {
    route: `DELETE ${V2}/config/:key`,
    make: existing(`${V2}/config`, config, 'key'),
    reply: nothing,
    optional: { team: 'text' },
  },
  {
    route: `POST ${V2}/configs`,
    make: async (stage) => ({
      ...(await existing(`${V2}/config`, config, 'key')(stage)),
      params: {},
      body: { limit: 5 },
    }),
    reply: wrapped({ configs: some(s.object({ key: s.id })) }),
    optional: cursor,
  },
  {
    route: `POST ${V2}/moderation_rule`,
    make: (stage) => ({ as: stage.server, body: rule(stage) }),
    reply: ruleAnswer,
    optional: { team: 'text', description: 'text' },
  },
  { route: `GET ${V2}/moderation_rule/:id`, make: existing(`${V2}/moderation_rule`, rule, 'id'), reply: ruleAnswer },
  { route: `DELETE ${V2}/moderation_rule/:id`, make: existing(`${V2}/moderation_rule`, rule, 'id'), reply: nothing },
  {
    route: `POST ${V2}/moderation_rules`,
    make: async (stage) => ({
      ...(await existing(`${V2}/moderation_rule`, rule, 'id')(stage)),
      params: {},
      body: { limit: 5 },
    }),
    reply: wrapped({ rules: some(s.object({ id: s.id })), default_llm_labels: s.anything }),
    optional: cursor,
  },
]
