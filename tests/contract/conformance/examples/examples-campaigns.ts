import * as v from 'valibot'
import { nothing, wrapped, type Example, type Kind } from '../example.ts'
import type { Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Stage } from '../stage.ts'

const paged: Readonly<Record<string, Kind>> = { limit: 'number', next: 'text', prev: 'text' }

async function input(stage: Stage): Promise<Json> {
  return {
    name: 'News',
    sender_id: (await stage.person('ann')).userId,
    message_template: { text: 'hello' },
    user_ids: [(await stage.person('bob')).userId],
    channel_template: { type: 'messaging' },
    create_channels: true,
  }
}

async function aCampaign(stage: Stage) {
  const id = stage.id('campaign')
  const body = await input(stage)
  await must(stage.server.post('/campaigns', { id, ...body }))
  return { as: stage.server, params: { id }, input: body }
}

const campaignRequest: Readonly<Record<string, Kind>> = {
  description: 'text',
  sender_mode: 'text',
  sender_visibility: 'text',
  segment_ids: 'list',
  show_channels: 'flag',
  skip_push: 'flag',
  skip_webhook: 'flag',
  'channel_template.id': 'text',
  'channel_template.team': 'text',
  'channel_template.members': 'list',
  'channel_template.custom': 'object',
  'message_template.attachments': 'list',
  'message_template.poll_id': 'text',
}

const withUsers = wrapped({ campaign: running.campaign, users: s.anything })

async function aSegment(stage: Stage) {
  const id = stage.id('segment')
  await must(stage.server.post('/segments', { id, type: 'user', name: 'Some', filter: {} }))
  const targetId = (await stage.person('bob')).userId
  await must(stage.server.post(`/segments/${id}/addtargets`, { target_ids: [targetId] }))
  return { as: stage.server, params: { id }, targetId }
}

const oneSegment = wrapped({ segment: running.segment })

/** docs/wire.md 3.15. */
export const campaignExamples: readonly Example[] = [
  {
    route: 'POST /campaigns',
    make: async (stage) => ({ as: stage.server, body: await input(stage) }),
    reply: withUsers,
    optional: { ...campaignRequest, id: 'text' },
  },
  { route: 'GET /campaigns/:id', make: aCampaign, reply: withUsers, optional: paged },
  {
    route: 'PUT /campaigns/:id',
    async make(stage) {
      const made = await aCampaign(stage)
      return { ...made, body: { ...made.input, name: 'Other news' } }
    },
    reply: wrapped({ campaign: s.object({ ...running.campaign.entries, name: v.literal('Other news') }) }),
    optional: campaignRequest,
  },
  { route: 'DELETE /campaigns/:id', make: aCampaign, reply: nothing },
  {
    route: 'POST /campaigns/:id/start',
    make: async (stage) => ({
      ...(await aCampaign(stage)),
      body: { scheduled_for: new Date(stage.target.now() + 86_400_000).toISOString() },
    }),
    reply: wrapped({
      campaign: s.object({ ...running.campaign.entries, status: v.literal('scheduled'), scheduled_for: s.time }),
      users: s.anything,
    }),
    optional: { stop_at: 'time' },
  },
  {
    route: 'POST /campaigns/:id/stop',
    async make(stage) {
      const made = await aCampaign(stage)
      const scheduled_for = new Date(stage.target.now() + 86_400_000).toISOString()
      await must(stage.server.post(`/campaigns/${made.params.id}/start`, { scheduled_for }))
      return made
    },
    reply: wrapped({ campaign: s.object({ ...running.campaign.entries, status: v.literal('stopped') }) }),
  },
  {
    route: 'POST /campaigns/query',
    async make(stage) {
      const { as, params } = await aCampaign(stage)
      return { as, body: { filter: { id: params.id }, sort: [{ field: 'created_at', direction: -1 }], limit: 5 } }
    },
    reply: wrapped({ campaigns: v.pipe(s.list(running.campaign), v.length(1)) }),
    optional: { next: 'text', prev: 'text', user_limit: 'number' },
  },
  {
    route: 'POST /segments',
    make: (stage) => ({ as: stage.server, body: { id: stage.id('segment'), type: 'user', name: 'Some' } }),
    reply: oneSegment,
    optional: { description: 'text', filter: 'object', all_users: 'flag', all_sender_channels: 'flag' },
  },
  { route: 'GET /segments/:id', make: aSegment, reply: oneSegment },
  {
    route: 'PUT /segments/:id',
    make: async (stage) => ({ ...(await aSegment(stage)), body: { name: 'Others' } }),
    reply: wrapped({ segment: s.object({ ...running.segment.entries, name: v.literal('Others') }) }),
    optional: { description: 'text', filter: 'object' },
  },
  { route: 'DELETE /segments/:id', make: aSegment, reply: nothing },
  {
    route: 'POST /segments/query',
    async make(stage) {
      const { as, params } = await aSegment(stage)
      return { as, body: { filter: { id: params.id }, sort: [] } }
    },
    reply: wrapped({ segments: v.pipe(s.list(running.segment), v.length(1)) }),
    optional: paged,
  },
  {
    route: 'POST /segments/:id/addtargets',
    make: async (stage) => ({
      ...(await aSegment(stage)),
      body: { target_ids: [(await stage.person('ann')).userId] },
    }),
    reply: nothing,
  },
  {
    route: 'POST /segments/:id/deletetargets',
    async make(stage) {
      const made = await aSegment(stage)
      return { ...made, body: { target_ids: [made.targetId] } }
    },
    reply: nothing,
  },
  {
    route: 'GET /segments/:id/target/:targetId',
    async make(stage) {
      const { as, params, targetId } = await aSegment(stage)
      return { as, params: { ...params, targetId } }
    },
    reply: nothing,
  },
  {
    route: 'POST /segments/:id/targets/query',
    make: async (stage) => ({ ...(await aSegment(stage)), body: { filter: {}, sort: [] } }),
    reply: wrapped({
      targets: v.pipe(s.list(s.object({ segment_id: s.id, target_id: s.id, created_at: s.time })), v.length(1)),
    }),
    optional: { limit: 'number', next: 'text', Filter: 'object', Sort: 'list' },
  },
]
