import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  room.done('UpdateUsers', ADMIN, { body: { users: { mod: { role: 'moderator' } } } })
})
afterAll(() => room.close())

type Item = Json & { id: string; status: string; flags: Json[]; actions: Json[]; updated_at: string }
type Queue = { items: Item[]; stats: { needs_review: number }; action_config: Record<string, { action: string }[]> }

let count = 0
/** A message of bob that ann reported. */
function reported(reason: string, data: { text?: string; by?: string; channel?: string } = {}) {
  const params = { type: 'messaging', id: data.channel ?? `q${(count += 1)}` }
  const members = { data: { members: ['ann', 'bob', 'eve'], created_by_id: 'ann' } }
  room.done('GetOrCreateChannel', ADMIN, { params, body: members })
  const sent = room.done<{ message: { id: string } }>('SendMessage', 'bob', {
    params,
    body: { message: { text: data.text ?? 'hm' } },
  })
  const { id } = sent.message
  room.done('Flag', data.by ?? 'ann', { body: { target_message_id: id, reason } })
  return { id, params, cid: `messaging:${params.id}` }
}

const queue = (filter: Json, more: Json = {}) =>
  room.done<Queue>('QueryReviewQueue', 'mod', { body: { filter, ...more } })
const itemOf = (id: string): Item => {
  const [item] = queue({ entity_id: id }).items
  if (!item) throw new Error(`no item about ${id}`)
  return item
}
const act = (who: string, item: Item, type: string, more: Json = {}) =>
  room.ask('SubmitAction', who, { body: { action_type: type, item_id: item.id, ...more } })
const idsOf = (filter: Json) => queue(filter).items.map((item) => item['entity_id'])

const profileOf = (id: string) => itemOf(id)['moderation_payload']

test('a reported profile is recorded as it was when it was reported first, and again after a decision', () => {
  const rename = (name: string, image: string) =>
    room.done('UpdateUsersPartial', 'eve', { body: { users: [{ id: 'eve', set: { name, image } }] } })
  const report = (by: string) => room.done('Flag', by, { body: { target_user_id: 'eve', reason: 'other: rude name' } })
  rename('Rude', 'https://pics.example/rude.png')
  report('ann')
  rename('Eve', 'https://pics.example/eve.png')
  report('bob')
  expect(profileOf('eve')).toEqual({ texts: ['Rude'], images: ['https://pics.example/rude.png'] })
  expect(itemOf('eve')['entity_creator']).toMatchObject({ name: 'Eve', image: 'https://pics.example/eve.png' })
  expect(act('mod', itemOf('eve'), 'mark_reviewed').code).toBeUndefined()
  room.done('Unflag', 'ann', { body: { target_user_id: 'eve' } })
  report('ann')
  expect(profileOf('eve')).toEqual({ texts: ['Eve'], images: ['https://pics.example/eve.png'] })
})

test('what is deleted permanently is not left in the queue', () => {
  room.done('UpdateUsers', ADMIN, { body: { users: { gone: { name: 'Rude', image: 'https://pics.example/r.png' } } } })
  room.done('Flag', 'ann', { body: { target_user_id: 'gone' } })
  room.done('UpsertModerationRule', ADMIN, {
    body: { id: 'r', name: 'No casino', action: 'flag', conditions: [{ kind: 'words', words: ['casino'] }] },
  })
  const params = { type: 'messaging', id: 'gone' }
  room.done('GetOrCreateChannel', ADMIN, { params, body: { data: { members: ['gone', 'bob'], created_by_id: 'ann' } } })
  const caught = (who: string): string =>
    room.done<{ message: { id: string } }>('SendMessage', who, {
      params,
      body: { message: { text: 'casino tonight' } },
    }).message.id
  const [first, second, third] = [caught('bob'), caught('gone'), caught('bob')]
  expect(profileOf(first)).toEqual({ texts: ['casino tonight'] })
  room.done('DeleteMessage', ADMIN, { params: { id: first }, query: { hard: true } })
  expect(profileOf(first)).toBeUndefined()
  room.done('DeleteUsers', ADMIN, { body: { user_ids: ['gone'], user: 'pruning', messages: 'pruning' } })
  expect(JSON.stringify(queue({ entity_creator_id: 'gone' }).items)).not.toMatch(/casino tonight|Rude|r\.png/)
  expect(profileOf(second)).toEqual({ texts: [''] })
  room.done('DeleteChannel', ADMIN, { params, query: { hard_delete: true } })
  expect(JSON.stringify(itemOf(third))).not.toContain('casino tonight')
  room.done('DeleteModerationRule', ADMIN, { params: { id: 'r' } })
})

test('moderators are notified of reports and decisions, and no one else is', () => {
  const listeners = ['root', 'mod', 'ann', 'bob'].map((id) => [id, room.listen(id)] as const)
  const { id } = reported('spam')
  const told = (): Record<string, Json[]> =>
    Object.fromEntries(
      listeners.map(([name, each]) => [
        name,
        each.takeEvents().filter((event) => String(event['type']).startsWith('review_queue_item')),
      ]),
    )
  const first = told()
  expect(first['mod']).toMatchObject([
    { type: 'review_queue_item.new', review_queue_item: { entity_id: id, status: 'needs_review', flags_count: 1 } },
  ])
  expect(first['root']).toEqual(first['mod'])
  expect(first['ann']).toEqual([])
  expect(first['bob']).toEqual([])
  const waiting = queue({}).stats.needs_review
  expect(act('mod', itemOf(id), 'mark_reviewed').code).toBeUndefined()
  const second = told()
  expect(second['root']).toMatchObject([
    {
      type: 'review_queue_item.updated',
      review_queue_item: { status: 'reviewed', latest_moderator_action: 'mark_reviewed', reviewed_by: 'mod' },
      stats: { needs_review: waiting - 1 },
    },
  ])
  expect(second['ann']).toEqual([])
  expect(second['bob']).toEqual([])
})

test('a withdrawn report leaves the queue, and moderators are notified of that too', () => {
  const { id } = reported('spam')
  const mod = room.listen('mod')
  room.done('Unflag', 'ann', { body: { target_message_id: id } })
  expect(idsOf({ entity_id: id })).toEqual([])
  expect(mod.takeEvents()).toMatchObject([
    { review_queue_item: { entity_id: id, status: 'withdrawn', flags_count: 0 } },
  ])
})

test('the queue says how many items wait and what can be decided', () => {
  const before = queue({}).stats.needs_review
  const { id } = reported('spam')
  const after = queue({})
  expect(after.stats.needs_review).toBe(before + 1)
  expect(after.action_config['stream:chat:v1:message']?.map(({ action }) => action)).toContain('reopen')
  act('mod', itemOf(id), 'delete_message')
  expect(queue({}).stats.needs_review).toBe(before)
})

test('items are found by channel, reason, reporter, author, age and whether they were decided', () => {
  const spam = reported('spam: third time today')
  const insult = reported('insult', { by: 'eve' })
  const ids = { $in: [spam.id, insult.id] }
  expect(idsOf({ entity_id: ids, channel_cid: spam.cid })).toEqual([spam.id])
  expect(idsOf({ entity_id: ids, reason: 'spam' })).toEqual([spam.id])
  expect(idsOf({ entity_id: ids, reason: { $in: ['spam', 'insult'] } })).toHaveLength(2)
  expect(idsOf({ entity_id: ids, reporter_id: 'eve' })).toEqual([insult.id])
  expect(idsOf({ entity_id: ids, entity_creator_id: 'bob' })).toHaveLength(2)
  expect(idsOf({ entity_id: ids, entity_creator_id: 'ann' })).toEqual([])
  expect(idsOf({ entity_id: ids, created_at: { $lt: '2001-01-01T00:00:00Z' } })).toEqual([])
  act('mod', itemOf(spam.id), 'mark_reviewed')
  expect(idsOf({ entity_id: ids, reviewed: true })).toEqual([spam.id])
  expect(idsOf({ entity_id: ids, reviewed: false })).toEqual([insult.id])
  const refused = (filter: Json) => room.ask('QueryReviewQueue', 'mod', { body: { filter } }).code
  expect(refused({ reporter_id: 7 })).toBe(4)
  expect(refused({ reason: { $gt: 'a' } })).toBe(4)
  expect(refused({ reviewed: 'yes' })).toBe(4)
})

test('an item names its channel, who reported and who decided, and keeps the text of a deleted message', () => {
  const { id, cid } = reported('spam', { text: 'buy maps' })
  act('mod', itemOf(id), 'delete_message')
  const item = itemOf(id)
  expect(item).toMatchObject({ channel_cid: cid, moderation_payload: { texts: ['buy maps'] } })
  expect(item.flags).toMatchObject([{ reason: 'spam', user: { id: 'ann' } }])
  expect(item.actions).toMatchObject([{ type: 'delete_message', user: { id: 'mod' } }])
  act('mod', item, 'delete_message', { delete_message: { hard_delete: true } })
  expect(JSON.stringify(itemOf(id))).not.toContain('buy maps')
})

test('a decision that another moderator made first is not overruled unawares', async () => {
  const { id } = reported('spam')
  const seen = itemOf(id)
  await room.clock.advance(5_000)
  expect(act('root', seen, 'mark_reviewed').code).toBeUndefined()
  const late = { if_unchanged_since: seen.updated_at }
  expect(act('mod', seen, 'delete_message', late).code).toBe(4)
  expect(itemOf(id).actions).toHaveLength(1)
  // One who saw that decision may change it, and everyone may change their own.
  expect(act('mod', seen, 'delete_message', { if_unchanged_since: itemOf(id).updated_at }).code).toBeUndefined()
  expect(act('mod', seen, 'restore', late).code).toBeUndefined()
})

test('an item that is put back waits again, and so does the report about it', () => {
  const { id } = reported('spam')
  act('mod', itemOf(id), 'mark_reviewed')
  act('mod', itemOf(id), 'reopen')
  expect(itemOf(id)).toMatchObject({ status: 'needs_review', latest_moderator_action: 'reopen' })
  expect(itemOf(id)['reviewed_by']).toBeUndefined()
  const reports = room.done<{ flag_reports: Json[] }>('QueryFlagReports', 'mod', {
    body: { filter_conditions: { message_id: id } },
  })
  expect(reports.flag_reports.map((report) => report['reviewed_at'])).toEqual([undefined])
})

test('a message that is reported again after a decision is new in the queue', async () => {
  const older = reported('spam')
  act('mod', itemOf(older.id), 'mark_reviewed')
  await room.clock.advance(1_000)
  const newer = reported('spam')
  await room.clock.advance(1_000)
  room.done('Flag', 'eve', { body: { target_message_id: older.id, reason: 'spam' } })
  expect(idsOf({ entity_id: { $in: [older.id, newer.id] }, reviewed: false })).toEqual([older.id, newer.id])
})

test('a ban from the queue in one channel holds there even if the message is gone', () => {
  const { id, params, cid } = reported('spam')
  act('root', itemOf(id), 'delete_message', { delete_message: { hard_delete: true } })
  expect(act('root', itemOf(id), 'ban', { ban: { channel_ban_only: true } }).code).toBeUndefined()
  expect(room.ask('SendMessage', 'bob', { params, body: { message: { text: 'x' } } }).code).toBe(17)
  expect(act('root', itemOf(id), 'unban', { unban: { channel_cid: cid } }).code).toBeUndefined()
})

test('moderators get numbers about a person when they ask for them', () => {
  room.done('MuteUser', 'ann', { body: { target_id: 'bob' } })
  const report = room.done<{ counts: Record<string, number> }>('GetUserModerationReport', 'mod', {
    query: { target_user_id: 'bob', include_counts: true },
  })
  expect(report.counts).toMatchObject({ muted_by: 1, flagged_by: 2 })
  expect(report.counts['messages']).toBeGreaterThan(5)
  expect(report.counts['deleted_messages']).toBeGreaterThan(0)
  expect(room.ask('GetUserModerationReport', 'mod', { query: { user_id: 'bob' } }).reply).not.toHaveProperty('counts')
})

test('people see what became of their own reports, without who decided, and no one else’s', () => {
  const deleted = reported('spam', { by: 'eve' })
  const banned = reported('insult', { by: 'eve' })
  const kept = reported('private', { by: 'eve' })
  const waiting = reported('other', { by: 'eve' })
  act('root', itemOf(deleted.id), 'delete_message')
  act('root', itemOf(banned.id), 'ban', { ban: { channel_ban_only: true, shadow: true } })
  act('root', itemOf(kept.id), 'mark_reviewed')
  const ids = new Set([deleted, banned, kept, waiting].map(({ id }) => id))
  const own = room.done<{ flags: Json[] }>('QueryFlags', 'eve', { body: { filter_conditions: { user_id: 'eve' } } })
  const found = own.flags.filter((flag) => ids.has(String(flag['target_message_id'])))
  const outcomes = Object.fromEntries(found.map((flag) => [flag['reason'], flag['review_result']]))
  expect(outcomes).toEqual({ spam: 'deleted', insult: 'action_taken', private: 'no_action', other: undefined })
  expect(JSON.stringify(found)).not.toContain('reviewed_by')
  expect(own.flags.every((flag) => (flag['user'] as Json)['id'] === 'eve')).toBe(true)
  const refused = (filter_conditions: Json) => room.ask('QueryFlags', 'eve', { body: { filter_conditions } }).code
  expect(refused({ user_id: 'ann' })).toBe(17)
  expect(refused({})).toBe(17)
  expect(refused({ user_id: { $in: ['eve', 'ann'] } })).toBe(17)
})

test('a reporter who may no longer read the channel does not get the message', () => {
  const params = { type: 'messaging', id: 'closed' }
  const { id } = reported('spam', { channel: 'closed', text: 'inside', by: 'eve' })
  room.done('UpdateChannel', 'ann', { params, body: { remove_members: ['eve'] } })
  const own = room.done<{ flags: Json[] }>('QueryFlags', 'eve', {
    body: { filter_conditions: { user_id: 'eve', message_id: id } },
  })
  expect(own.flags).toHaveLength(1)
  expect(JSON.stringify(own.flags)).not.toContain('inside')
})
