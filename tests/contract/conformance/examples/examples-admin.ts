import * as v from 'valibot'
import { nothing, wrapped, type Example } from '../example.ts'
import type { Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Stage } from '../stage.ts'

/** `wire` allows `[a-z0-9_-]` in names of roles and types. */
const nameOf = (stage: Stage, word: string): string => stage.id(word).toLowerCase()

/** Creates something by a POST of the server token, then requests it by its name. */
const about =
  (path: string, body: (name: string) => Json, key: string, requestBody: Json = {}) =>
  async (stage: Stage) => {
    const name = nameOf(stage, key)
    await must(stage.server.post(path, body(name)))
    return { as: stage.server, params: { [key]: name }, body: requestBody }
  }

const aType = (name: string): Json => ({ name, typing_events: true, commands: ['all'] })
const aCommand = (name: string): Json => ({ name, description: 'rolls a die', args: '[sides]', set: 'fun_set' })
const aList = (name: string): Json => ({ name, words: ['heck', 'darn'], type: 'word' })
const aPermission = (id: string): Json => ({ id, name: 'Pin in lounges', action: 'pin-message' })
const aGroup = (id: string): Json => ({ id, name: `Group ${id}` })

const typeFlags = { typing_events: 'flag', max_message_length: 'number', automod: 'text', blocklist: 'text' } as const

/** docs/wire.md 3.1, 3.16 and 3.17. */
const limits = s.map(v.looseObject({ limit: s.count, remaining: s.count, reset: s.count }))

export const adminExamples: readonly Example[] = [
  { route: 'GET /hi', make: (stage) => ({ as: stage.server }), reply: nothing },
  {
    route: 'GET /app',
    make: async (stage) => ({ as: await stage.person('ann') }),
    reply: wrapped({ app: running.app }),
  },
  {
    route: 'PATCH /app',
    make: (stage) => ({ as: stage.server, body: { reminders_interval: 60 } }),
    reply: nothing,
    localOnly: 'changes settings that others share',
  },
  {
    route: 'GET /rate_limits',
    make: (stage) => ({ as: stage.server, query: { endpoints: 'SendMessage,QueryChannels' } }),
    reply: wrapped({ server_side: limits, android: limits, ios: limits, web: limits }),
    optional: { server_side: 'flag', web: 'flag', android: 'flag', ios: 'flag' },
  },
  {
    route: 'POST /translate',
    async make(stage) {
      const body = { text: 'hello', source_language: 'en', destination_language: 'pl' }
      return { as: await stage.person('ann'), body }
    },
    reply: running.refusal,
    refused: { status: 400, code: 19 },
    localOnly: 'hosted translates; the local server has no translator',
  },
  {
    route: 'GET /tasks/:id',
    async make(stage) {
      const { userId } = await stage.stranger()
      const { task_id } = await must(stage.server.post('/users/delete', { user_ids: [userId], user: 'hard' }))
      return { as: stage.server, params: { id: String(task_id) } }
    },
    reply: wrapped({ task_id: s.id, status: s.id, created_at: s.time, updated_at: s.time }),
  },
  {
    route: 'GET /channeltypes',
    make: (stage) => ({ as: stage.server }),
    reply: wrapped({ channel_types: s.map(s.channelType) }),
  },
  {
    route: 'POST /channeltypes',
    make: (stage) => ({ as: stage.server, body: aType(nameOf(stage, 'type')) }),
    reply: s.namedChannelType,
    optional: typeFlags,
  },
  {
    route: 'GET /channeltypes/:name',
    make: about('/channeltypes', aType, 'name'),
    reply: s.channelType,
  },
  {
    route: 'PUT /channeltypes/:name',
    make: about('/channeltypes', aType, 'name', { reactions: false, automod_behavior: 'flag' }),
    reply: s.namedChannelType,
    optional: typeFlags,
  },
  { route: 'DELETE /channeltypes/:name', make: about('/channeltypes', aType, 'name'), reply: nothing },
  {
    route: 'GET /commands',
    make: (stage) => ({ as: stage.server }),
    reply: wrapped({ commands: s.list(s.command) }),
  },
  {
    route: 'POST /commands',
    make: (stage) => ({ as: stage.server, body: aCommand(nameOf(stage, 'command')) }),
    reply: wrapped({ command: s.command }),
  },
  { route: 'GET /commands/:name', make: about('/commands', aCommand, 'name'), reply: s.command },
  {
    route: 'PUT /commands/:name',
    make: about('/commands', aCommand, 'name', { description: 'rolls two dice' }),
    reply: wrapped({ command: s.command }),
    optional: { args: 'text', set: 'text' },
  },
  {
    route: 'DELETE /commands/:name',
    make: about('/commands', aCommand, 'name'),
    reply: wrapped({ name: s.id }),
  },
  { route: 'GET /roles', make: (stage) => ({ as: stage.server }), reply: wrapped({ roles: s.list(running.role) }) },
  {
    route: 'GET /roles/search',
    make: async (stage) => ({ as: await stage.person('ann'), query: { query: 'channel', limit: 5 } }),
    reply: wrapped({ roles: s.list(running.role) }),
    optional: { name_gt: 'text', role_type: 'text', include_global_roles: 'flag' },
  },
  {
    route: 'POST /roles',
    make: (stage) => ({ as: stage.server, body: { name: nameOf(stage, 'role') } }),
    reply: wrapped({ role: running.role }),
  },
  {
    route: 'DELETE /roles/:name',
    make: about('/roles', (name) => ({ name }), 'name'),
    reply: nothing,
  },
  {
    route: 'GET /permissions',
    make: (stage) => ({ as: stage.server }),
    reply: wrapped({ permissions: s.list(running.permission) }),
  },
  {
    route: 'POST /permissions',
    make: (stage) => ({ as: stage.server, body: aPermission(nameOf(stage, 'permission')) }),
    reply: wrapped({ permission: running.permission }),
  },
  {
    route: 'GET /permissions/:id',
    make: about('/permissions', aPermission, 'id'),
    reply: wrapped({ permission: running.permission }),
  },
  {
    route: 'PUT /permissions/:id',
    make: about('/permissions', aPermission, 'id', { name: 'Pin everywhere', action: 'pin-message' }),
    reply: wrapped({ permission: running.permission }),
  },
  { route: 'DELETE /permissions/:id', make: about('/permissions', aPermission, 'id'), reply: nothing },
  {
    route: 'GET /blocklists',
    make: (stage) => ({ as: stage.server }),
    reply: wrapped({ blocklists: s.list(running.blocklist) }),
    optional: { team: 'text' },
  },
  {
    route: 'POST /blocklists',
    make: (stage) => ({ as: stage.server, body: aList(nameOf(stage, 'list')) }),
    reply: wrapped({ blocklist: running.blocklist }),
    optional: { team: 'text' },
  },
  {
    route: 'GET /blocklists/:name',
    make: about('/blocklists', aList, 'name'),
    reply: wrapped({ blocklist: running.blocklist }),
  },
  {
    route: 'PUT /blocklists/:name',
    make: about('/blocklists', aList, 'name', { words: ['heck'] }),
    reply: wrapped({ blocklist: running.blocklist }),
    optional: { team: 'text', type: 'text' },
  },
  { route: 'DELETE /blocklists/:name', make: about('/blocklists', aList, 'name'), reply: nothing },
  {
    route: 'GET /usergroups',
    make: async (stage) => ({ as: await stage.person('ann'), query: { limit: 10 } }),
    reply: wrapped({ user_groups: s.list(running.group) }),
    optional: { id_gt: 'text', created_at_gt: 'time', team_id: 'text' },
  },
  {
    route: 'POST /usergroups',
    async make(stage) {
      const { userId } = await stage.person('ann')
      return { as: stage.server, body: { name: stage.id('Group'), member_ids: [userId] } }
    },
    reply: wrapped({ user_group: running.fullGroup }),
    optional: { id: 'text', description: 'text', team_id: 'text' },
  },
  {
    route: 'GET /usergroups/search',
    make: async (stage) => ({ as: await stage.person('ann'), query: { query: 'Group', limit: 5 } }),
    reply: wrapped({ user_groups: s.list(running.group) }),
    optional: { id_gt: 'text', name_gt: 'text', team_id: 'text' },
  },
  {
    route: 'GET /usergroups/:id',
    make: about('/usergroups', aGroup, 'id'),
    reply: wrapped({ user_group: running.fullGroup }),
    optional: { team_id: 'text' },
  },
  {
    route: 'PUT /usergroups/:id',
    make: about('/usergroups', aGroup, 'id', { name: 'Renamed' }),
    reply: wrapped({ user_group: running.group }),
    optional: { description: 'text' },
  },
  { route: 'DELETE /usergroups/:id', make: about('/usergroups', aGroup, 'id'), reply: nothing },
  {
    route: 'POST /usergroups/:id/members',
    async make(stage) {
      const made = await about('/usergroups', aGroup, 'id')(stage)
      return { ...made, body: { member_ids: [(await stage.person('ann')).userId] } }
    },
    reply: wrapped({ user_group: running.fullGroup }),
    optional: { as_admin: 'flag' },
  },
  {
    route: 'POST /usergroups/:id/members/delete',
    async make(stage) {
      const made = await about('/usergroups', aGroup, 'id')(stage)
      return { ...made, body: { member_ids: [(await stage.person('ann')).userId] } }
    },
    reply: wrapped({ user_group: running.fullGroup }),
  },
]
