import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { BATCH } from '#main/server/campaigns/campaigns.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/** What a campaign writes, whom it misses, and what two administrators can do to it. */

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('UpdateUsers', ADMIN, {
    body: {
      users: {
        ann: { id: 'ann', name: 'Ann Lee', region: 'Tatra' },
        bob: { id: 'bob', name: '{{sender.id}}', region: '' },
      },
    },
  })
})
afterAll(() => room.close())

type Target = { kind: string; target_id: string; state: string; reason: string }
type Campaign = { id: string; status: string; updated_at: string; stats: Record<string, number> }
type Reply = { campaign: Campaign; not_sent?: { count: number; targets: Target[] } }

function campaign(more: Json): Campaign {
  const body = { sender_id: 'root', message_template: { text: 'news' }, create_channels: true, ...more }
  return room.done<Reply>('CreateCampaign', ADMIN, { body }).campaign
}
const get = (id: string, query: Json = {}) => room.done<Reply>('GetCampaign', ADMIN, { params: { id }, query })
function run(more: Json): Reply {
  const { id } = campaign(more)
  room.done('StartCampaign', ADMIN, { params: { id } })
  return get(id)
}

type State = { channel: { cid: string }; messages: { id: string; text: string }[] }
const channelsOf = (who: string, filter: Json = {}) =>
  room.done<{ channels: State[] }>('QueryChannels', who, {
    body: { filter_conditions: { members: { $in: [who] }, ...filter } },
  }).channels
const lastOf = (who: string, filter: Json = {}) => channelsOf(who, filter)[0]?.messages.at(-1)?.text

test('every person reads their own fields, a fallback where they have none, and nothing is filled in twice', () => {
  const text = 'Hi {{receiver.first_name|there}}, near {{receiver.region|the hills}}? {{sender.id}} {{other}}'
  run({ user_ids: ['ann', 'bob'], message_template: { text } })
  expect(lastOf('ann')).toBe('Hi Ann, near Tatra? root {{other}}')
  expect(lastOf('bob')).toBe('Hi {{sender.id}}, near the hills? root {{other}}')
})

test('a message in a channel for all is to nobody in particular, and is posted once', () => {
  const text = 'Hi {{receiver.name|everyone}} in {{channel.name|this channel}}'
  const channel_template = { type: 'messaging', id: 'hall', custom: { name: 'Hall' } }
  const { campaign: done } = run({ user_ids: ['ann', 'bob'], message_template: { text }, channel_template })
  expect(done.stats).toMatchObject({ stats_users_sent: 2, stats_messages_sent: 1, stats_channels_created: 1 })
  const [hall] = channelsOf('ann', { cid: 'messaging:hall' })
  expect(hall?.messages.map((message) => message.text)).toEqual(['Hi everyone in Hall'])
})

test('whom a campaign did not reach is named with the reason, and a message that is refused leaves no empty channel', () => {
  const { campaign: done, not_sent } = run({
    user_ids: ['ann', 'eve'],
    message_template: { text: `{{receiver.region|${'x'.repeat(250)}}}`.repeat(21) },
  })
  expect(done.stats).toMatchObject({ stats_users_sent: 1, stats_channels_created: 0 })
  expect(not_sent?.count).toBe(1)
  expect(not_sent?.targets[0]).toMatchObject({ kind: 'user', target_id: 'eve', state: 'failed' })
  expect(not_sent?.targets[0]?.reason).toContain('longer than')
  expect(channelsOf('eve')).toEqual([])
  const skipped = run({ user_ids: ['eve'], create_channels: false })
  expect(skipped.not_sent?.targets[0]).toMatchObject({ state: 'skipped', reason: 'there is no channel' })
})

test('a message that a rule returns is not counted as sent', () => {
  const rule = { id: 'no', name: 'No', enabled: true, conditions: [{ kind: 'words', words: ['casino'] }] }
  room.done('UpsertModerationRule', ADMIN, { body: { ...rule, action: 'bounce', position: 1 } })
  const { campaign: done, not_sent } = run({
    sender_id: 'bob',
    user_ids: ['ann'],
    message_template: { text: 'casino' },
  })
  expect(done.stats['stats_users_sent']).toBe(0)
  expect(not_sent?.targets[0]).toMatchObject({
    state: 'failed',
    reason: 'a rule of the workspace returned the message',
  })
})

test('a change or a start of what someone else has changed since is refused, and every change has its own time', () => {
  const { id, updated_at } = campaign({ user_ids: ['ann'] })
  const body = { sender_id: 'root', message_template: { text: 'new' }, expected_updated_at: updated_at }
  const changed = room.done<Reply>('UpdateCampaign', ADMIN, { params: { id }, body }).campaign
  expect(changed.updated_at > updated_at).toBe(true)
  const again = room.ask('UpdateCampaign', ADMIN, { params: { id }, body })
  expect(again.reply).toMatchObject({ code: 4, exception_fields: { expected_updated_at: 'changed' } })
  const start = { params: { id }, body: { expected_updated_at: updated_at } }
  expect(room.ask('StartCampaign', ADMIN, start).reply).toMatchObject({ code: 4 })
  expect(get(id).campaign.status).toBe('draft')
  room.done('StartCampaign', ADMIN, { params: { id }, body: { expected_updated_at: changed.updated_at } })
  expect(get(id).campaign.status).toBe('completed')
  expect(room.ask('StopCampaign', ADMIN, { params: { id } }).reply).toMatchObject({
    message: expect.stringContaining('a campaign that is completed cannot be stopped'),
  })
})

const read = (who: string, cid: string): void => {
  const [type = '', id = ''] = cid.split(':')
  room.done('MarkRead', who, { params: { type, id }, body: {} })
}
const cidOf = (who: string): string => channelsOf(who)[0]?.channel.cid ?? ''

test('who has read it is counted once, also after they mark it as unread, and who confirmed its arrival', () => {
  const { campaign: done } = run({ user_ids: ['ann', 'bob'], message_template: { text: 'counted' } })
  const figures = () => get(done.id).campaign.stats
  expect(figures()).toMatchObject({ stats_users_sent: 2, stats_users_delivered: 0, stats_users_read: 0, progress: 1 })
  const newest = channelsOf('bob')[0]
  const latest_delivered_messages = [{ cid: newest?.channel.cid, id: newest?.messages.at(-1)?.id }]
  room.done('MarkDelivered', 'bob', { body: { latest_delivered_messages } })
  expect(figures()).toMatchObject({ stats_users_delivered: 1, stats_users_read: 0 })
  read('ann', cidOf('ann'))
  expect(figures()).toMatchObject({ stats_users_delivered: 2, stats_users_read: 1 })
  const [type = '', id = ''] = cidOf('ann').split(':')
  const unread = channelsOf('ann')[0]?.messages.at(-1)?.id
  room.done('MarkUnread', 'ann', { params: { type, id }, body: { message_id: unread } })
  read('ann', cidOf('ann'))
  read('bob', cidOf('bob'))
  expect(figures()).toMatchObject({ stats_users_delivered: 2, stats_users_read: 2 })
})

test('in a channel for all, those who join with the message have not read it until they do', () => {
  const channel_template = { type: 'livestream', id: 'stage' }
  const { campaign: done } = run({ user_ids: ['ann', 'bob'], channel_template })
  const { stats } = get(done.id).campaign
  expect(stats).toMatchObject({ stats_users_sent: 2, stats_messages_sent: 1, stats_users_read: 0 })
  // Nobody confirms an arrival in channels of this type.
  expect(stats).not.toHaveProperty('stats_users_delivered')
})

test('the figures are right in the middle of it and at its end, over several turns of sending', async () => {
  const people = Array.from({ length: 120 }, (_, at) => `crowd${at}`)
  for (const some of [people.slice(0, 60), people.slice(60)]) {
    room.done('UpdateUsers', ADMIN, { body: { users: Object.fromEntries(some.map((id) => [id, { id }])) } })
  }
  const { campaign: begun, not_sent } = run({ user_ids: people })
  expect(begun).toMatchObject({ status: 'in_progress', stats: { stats_users_sent: BATCH } })
  expect(begun.stats['progress']).toBeCloseTo(BATCH / 120)
  expect(not_sent?.count).toBe(120 - BATCH)
  // Nobody waits for the next regular check.
  await room.clock.advance(100)
  const { campaign: done } = get(begun.id)
  expect(done).toMatchObject({ status: 'completed', stats: { stats_users_sent: 120, stats_messages_sent: 120 } })
})
