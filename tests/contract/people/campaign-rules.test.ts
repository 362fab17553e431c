import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve', 'dan'])
})
afterAll(() => room.close())

type Campaign = { id: string; status: string; users: { id: string }[]; stats: Json }
type Reply = { campaign: Campaign; users: { next?: string; prev?: string } }
type Message = { text: string; poll?: { id: string; name: string; created_by_id: string } }

function campaign(more: Json): Campaign {
  const body = { sender_id: 'root', message_template: { text: 'news' }, create_channels: true, ...more }
  return room.done<Reply>('CreateCampaign', ADMIN, { body }).campaign
}
function run(more: Json): Campaign {
  const { id } = campaign(more)
  room.done('StartCampaign', ADMIN, { params: { id } })
  return room.done<Reply>('GetCampaign', ADMIN, { params: { id } }).campaign
}

type State = { messages: Message[]; members: { user_id: string; shirt?: string; channel_role: string }[] }
const channelsOf = (who: string, filter: Json = {}) =>
  room.done<{ channels: State[] }>('QueryChannels', who, {
    body: { filter_conditions: { members: { $in: [who] }, ...filter } },
  }).channels

test('a campaign with a poll sends every recipient a separate poll', () => {
  const body = { id: 'lunch', name: 'Lunch?', options: [{ id: 'y', text: 'Yes' }] }
  room.done('CreatePoll', 'ann', { body })
  const { stats } = run({ user_ids: ['ann', 'bob'], message_template: { text: '', poll_id: 'lunch' } })
  expect(stats).toMatchObject({ stats_users_sent: 2, stats_messages_sent: 2 })
  const polls = ['ann', 'bob'].map((who) => channelsOf(who)[0]?.messages.at(-1)?.poll)
  expect(polls.map((poll) => [poll?.name, poll?.created_by_id])).toEqual([
    ['Lunch?', 'root'],
    ['Lunch?', 'root'],
  ])
  expect(new Set(polls.map((poll) => poll?.id)).size).toBe(2)
})

test('members of a template keep their roles and other fields', () => {
  const members_template = [{ user_id: 'ann', channel_role: 'channel_moderator', custom: { shirt: 'red' } }]
  run({ user_ids: ['eve'], channel_template: { type: 'messaging', id: 'shirts', members_template } })
  const [state] = channelsOf('ann', { cid: 'messaging:shirts' })
  expect(state?.members.find((member) => member.user_id === 'ann')).toMatchObject({
    shirt: 'red',
    channel_role: 'channel_moderator',
  })
})

test('a sender who was left out can be added later', () => {
  const template = { type: 'team' }
  run({ user_ids: ['dan'], sender_mode: 'exclude', channel_template: template })
  const members = () => channelsOf('dan', { type: 'team' })[0]?.members.map((member) => member.user_id)
  expect(members()).toEqual(['dan'])
  run({ user_ids: ['dan'], channel_template: template })
  expect(members()).toEqual(['dan'])
  run({ user_ids: ['dan'], sender_mode: 'include', channel_template: template })
  expect(members()?.toSorted()).toEqual(['dan', 'root'])
  run({ user_ids: ['dan'], sender_mode: 'exclude', channel_template: template })
  expect(members()).toEqual(['dan'])
})

test('programs of the workspace are told of its messages, and not where the campaign says so', () => {
  const place = { type: 'team', id: 'builds' }
  room.done('GetOrCreateChannel', 'root', { params: place, body: { data: { members: ['root'] } } })
  const program = { action: 'create', kind: 'outgoing', name: 'Archive', url: 'http://127.0.0.1:9/' }
  const listens = { cid: 'team:builds', events: ['message.new', 'member.added'] }
  room.done('Integrations', 'root', { body: { ...program, ...listens } })
  const told = () =>
    room.server.services.db.all<{ event: string }>('SELECT event FROM integration_queue').map(({ event }) => event)
  run({ user_ids: ['ann'], channel_template: place, skip_webhook: true, message_template: { text: 'quiet' } })
  expect(told()).toEqual([])
  run({ user_ids: ['ann', 'bob'], channel_template: place, message_template: { text: 'loud' } })
  expect(told()).toEqual(['message.new'])
})

test('what the state of a campaign rules out is refused with what it is, whoever was first', () => {
  const { id } = campaign({ user_ids: ['ann'] })
  const refusal = (operation: string, body: Json = {}) => room.ask(operation, ADMIN, { params: { id }, body }).reply
  const edit = { sender_id: 'root', message_template: { text: 'edited' } }
  expect(refusal('StopCampaign')).toMatchObject({
    code: 4,
    message: expect.stringContaining('a campaign that is a draft cannot be stopped'),
  })
  const scheduled_for = new Date(room.clock.now() + 60_000).toISOString()
  room.done('StartCampaign', ADMIN, { params: { id }, body: { scheduled_for } })
  room.done('StopCampaign', ADMIN, { params: { id } })
  for (const [operation, words] of [
    ['StartCampaign', 'a campaign that is stopped cannot start'],
    ['StopCampaign', 'a campaign that is stopped cannot be stopped'],
    ['UpdateCampaign', 'a campaign that is stopped cannot change'],
  ] as const) {
    expect(refusal(operation, edit)).toMatchObject({ code: 4, message: expect.stringContaining(words) })
  }
  room.done('DeleteCampaign', ADMIN, { params: { id } })
  for (const operation of ['GetCampaign', 'UpdateCampaign', 'StartCampaign', 'StopCampaign', 'DeleteCampaign']) {
    expect(refusal(operation, edit)).toMatchObject({ code: 16 })
  }
})

test('the users of a campaign are paged forwards and backwards, before it runs and after', () => {
  const { id } = campaign({ user_ids: ['eve', 'ann', 'dan', 'bob'] })
  const page = (query: Json) => {
    const reply = room.done<Reply>('GetCampaign', ADMIN, { params: { id }, query })
    return { ids: reply.campaign.users.map((user) => user.id), ...reply.users }
  }
  const walk = () => {
    const first = page({ limit: 2 })
    const second = page({ limit: 2, next: first.next })
    const back = page({ limit: 2, prev: second.prev })
    return [first.ids, first.prev, second.ids, second.next, typeof second.prev, back.ids, back.prev]
  }
  const expected = [['ann', 'bob'], undefined, ['dan', 'eve'], undefined, 'string', ['ann', 'bob'], undefined]
  expect(walk()).toEqual(expected)
  room.done('StartCampaign', ADMIN, { params: { id } })
  expect(walk()).toEqual(expected)
})
