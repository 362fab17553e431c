import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve', 'cid'])
})
afterAll(() => room.close())

type Message = { id: string; text: string; type: string; shadowed: boolean; [key: string]: unknown }
type Item = { id: string; flags: Json[]; flags_count: number; bans: Json[]; status: string }

let count = 0
function newChannel(data: Json = {}, who: string | typeof ADMIN = 'ann') {
  const params = { type: 'messaging', id: `r${(count += 1)}` }
  const body = { data: { members: ['ann', 'bob', 'eve'], created_by_id: 'ann', ...data } }
  room.done('GetOrCreateChannel', who, { params, body })
  return params
}
type Place = ReturnType<typeof newChannel>
const cidOf = (place: Place) => `${place.type}:${place.id}`

const send = (who: string, params: Place, message: Json) =>
  room.done<{ message: Message }>('SendMessage', who, { params, body: { message } }).message
const textsFor = (who: string, params: Place) =>
  room
    .done<{ messages: Message[] }>('GetOrCreateChannel', who, { params, body: { state: true } })
    .messages.map((message) => message.text)
const text = (name: string, list: string[]) => room.done('CreateBlockList', ADMIN, { body: { name, words: list } })
const items = (filter: Json) => room.done<{ items: Item[] }>('QueryReviewQueue', 'root', { body: { filter } }).items

test('an edit cannot add a listed word, and a flagged one is sent to the moderators', () => {
  text('rude', ['rascal'])
  const hard = newChannel({ config_overrides: { blocklist: 'rude', blocklist_behavior: 'block' } }, ADMIN)
  const { id } = send('bob', hard, { text: 'hello' })
  const edit = (operation: string, body: Json) => room.ask(operation, 'bob', { params: { id }, body }).code
  expect(edit('UpdateMessage', { message: { text: 'you rascal' } })).toBe(4)
  expect(edit('UpdateMessagePartial', { set: { text: 'you RASCAL' } })).toBe(4)
  expect(textsFor('ann', hard)).toEqual(['hello'])
  const soft = newChannel({ config_overrides: { blocklist: 'rude', blocklist_behavior: 'flag' } }, ADMIN)
  const flagged = send('bob', soft, { text: 'hi' })
  room.done('UpdateMessage', 'bob', { params: { id: flagged.id }, body: { message: { text: 'rascal' } } })
  expect(items({ entity_id: flagged.id }).map((item) => item.status)).toEqual(['needs_review'])
})

test('a blocked message shows the word to the moderators and the text to its author', () => {
  text('ugly', ['toad'])
  const params = newChannel({ config_overrides: { blocklist: 'ugly', blocklist_behavior: 'block' } }, ADMIN)
  const message = send('bob', params, { text: 'old toad' })
  expect(message.type).toBe('error')
  expect(message['moderation']).toEqual({ action: 'remove', original_text: 'old toad' })
  expect(items({ entity_id: message.id })[0]?.flags).toMatchObject([{ labels: ['toad'] }])
})

test('a type may name several block lists, and the strictest of them decides', () => {
  text('mild', ['heck'])
  text('wild', ['darn'])
  const blocklists = [
    { blocklist: 'mild', behavior: 'flag' },
    { blocklist: 'wild', behavior: 'block' },
  ]
  room.done('CreateChannelType', ADMIN, { body: { name: 'listed', blocklists } })
  const params = { type: 'listed', id: 'one' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
  expect(send('bob', params, { text: 'heck' }).type).toBe('regular')
  expect(send('bob', params, { text: 'heck and darn' }).type).toBe('error')
})

test.each([
  ['an unknown behaviour', { blocklist_behavior: 'explode' }],
  ['an unknown automod', { automod: 'psychic' }],
  ['a list of lists without names', { blocklists: [{ behavior: 'flag' }] }],
])('a channel type with %s is refused', (_name, more) => {
  expect(room.ask('CreateChannelType', ADMIN, { body: { name: `odd${(count += 1)}`, ...more } }).code).toBe(4)
})

test('an approved message is sent to its recipients only', () => {
  const params = newChannel()
  room.done('Ban', 'ann', { body: { target_user_id: 'bob', channel_cid: cidOf(params), shadow: true } })
  const hidden = send('bob', params, { text: 'from the shadow' })
  expect(hidden.shadowed).toBe(true)
  expect(textsFor('eve', params)).toEqual([])
  room.done('UnblockMessage', 'root', { body: { target_message_id: hidden.id } })
  expect(textsFor('eve', params)).toEqual(['from the shadow'])
  const body = { message: { text: 'for ann', restricted_visibility: ['ann'], user_id: 'bob' }, user_id: 'bob' }
  const quiet = room.done<{ message: Message }>('SendMessage', ADMIN, { params, body }).message
  room.done('UnblockMessage', 'root', { body: { target_message_id: quiet.id } })
  expect(textsFor('ann', params)).toEqual(['from the shadow', 'for ann'])
  expect(textsFor('eve', params)).toEqual(['from the shadow'])
})

test('a deleted reply that a moderator restores counts again and is announced as undeleted', () => {
  const params = newChannel()
  const parent = send('ann', params, { text: 'parent' })
  const reply = send('bob', params, { text: 'reply', parent_id: parent.id })
  const body = { entity_type: 'stream:chat:v1:message', entity_id: reply.id, reason: 'spam' }
  const { item_id } = room.done<{ item_id: string }>('FlagEntity', 'eve', { body })
  const eve = room.listen('eve')
  room.done('GetOrCreateChannel', 'eve', {
    params,
    body: { watch: true },
    query: { connection_id: eve.connectionId },
  })
  room.done('SubmitAction', 'root', { body: { action_type: 'delete_message', item_id } })
  eve.takeEvents()
  room.done('SubmitAction', 'root', { body: { action_type: 'restore', item_id } })
  expect(eve.types()).toEqual(['message.undeleted', 'message.updated'])
  const after = room.done<{ message: { reply_count: number } }>('GetMessage', 'ann', { params: { id: parent.id } })
  expect(after.message.reply_count).toBe(1)
})

test('a removed flag leaves the others, and a flag of the block lists stays', () => {
  text('bad', ['oaf'])
  const params = newChannel({ config_overrides: { blocklist: 'bad', blocklist_behavior: 'flag' } }, ADMIN)
  const { id } = send('bob', params, { text: 'oaf' })
  const target = { target_message_id: id }
  for (const who of ['ann', 'eve']) room.done('Flag', who, { body: target })
  const flags = () => items({ entity_id: id }).map((item) => item.flags_count)
  expect(flags()).toEqual([3])
  room.done('Unflag', 'ann', { body: target })
  expect(flags()).toEqual([2])
  room.done('Unflag', 'eve', { body: target })
  expect(flags()).toEqual([1])
})

test('only the reasons a type allows may be given', () => {
  room.done('CreateChannelType', ADMIN, { body: { name: 'strict', allowed_flag_reasons: ['spam', 'hate'] } })
  const params = { type: 'strict', id: 'one' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
  const { id } = send('bob', params, { text: 'hm' })
  expect(room.ask('Flag', 'ann', { body: { target_message_id: id, reason: 'boring' } }).code).toBe(4)
  expect(room.ask('Flag', 'ann', { body: { target_message_id: id, reason: 'hate' } }).code).toBeUndefined()
})

test('the same user flags another to the moderators only once', () => {
  const body = { entity_type: 'stream:user', entity_id: 'bob', reason: 'fake' }
  room.done('FlagEntity', 'ann', { body })
  expect(room.ask('FlagEntity', 'ann', { body }).code).toBe(4)
  expect(room.ask('FlagEntity', 'eve', { body }).code).toBeUndefined()
})

test('a server token bans in the name of a user, and the item of the banned user shows the ban', () => {
  const params = newChannel()
  const { id } = send('eve', params, { text: 'hm' })
  const { item_id } = room.done<{ item_id: string }>('FlagEntity', 'ann', {
    body: { entity_type: 'stream:chat:v1:message', entity_id: id, reason: 'x' },
  })
  const ban = { target_user_id: 'eve', channel_cid: cidOf(params), banned_by_id: 'ann' }
  room.done('Ban', ADMIN, { body: ban })
  const bans = room.done<{ bans: { banned_by: { id: string } }[] }>('QueryBannedUsers', 'root', {
    query: { payload: { filter_conditions: { channel_cid: cidOf(params) } } },
  })
  expect(bans.bans.map((each) => each.banned_by.id)).toEqual(['ann'])
  expect(items({ id: item_id })[0]?.bans).toMatchObject([{ user: { id: 'eve' }, banned_by: { id: 'ann' } }])
  room.done('Unban', ADMIN, { query: { target_user_id: 'eve', channel_cid: cidOf(params) } })
})

test('a ban from the queue may apply to the message’s channel only, and delete the messages', () => {
  const params = newChannel()
  const { id } = send('eve', params, { text: 'first' })
  send('eve', params, { text: 'second' })
  const { item_id } = room.done<{ item_id: string }>('FlagEntity', 'ann', {
    body: { entity_type: 'stream:chat:v1:message', entity_id: id, reason: 'x' },
  })
  const ban = { channel_ban_only: true, delete_messages: 'hard' }
  room.done('SubmitAction', 'root', { body: { action_type: 'ban', item_id, ban } })
  const here = room.ask('SendMessage', 'eve', { params, body: { message: { text: 'x' } } }).code
  const other = newChannel()
  expect(here).toBe(17)
  expect(textsFor('ann', params)).toEqual([])
  expect(send('eve', other, { text: 'x' }).type).toBe('regular')
})

test('one muted user is returned as an object, several as a list, and a token without a user mutes no one', () => {
  const one = room.done<{ mute?: Json; mutes?: Json[] }>('MuteUser', 'ann', { body: { target_ids: ['bob'] } })
  const two = room.done<{ mute?: Json; mutes?: Json[] }>('MuteUser', 'ann', { body: { target_ids: ['bob', 'eve'] } })
  expect(one.mute).toMatchObject({})
  expect(one.mutes).toMatchObject([{}])
  expect(two.mute).toBeUndefined()
  expect(two.mutes).toMatchObject([{}, {}])
  const operations = ['MuteUser', 'UnmuteUser', 'MuteChannel', 'UnmuteChannel']
  const body = { target_id: 'bob', channel_cid: cidOf(newChannel()) }
  expect(operations.map((operation) => room.ask(operation, ADMIN, { body }).code)).toEqual([4, 4, 4, 4])
})

test('muting a channel sends its name to every connection of the user', () => {
  const cid = cidOf(newChannel())
  const bob = room.listen('bob')
  room.done('MuteChannel', 'bob', { body: { channel_cid: cid } })
  room.done('UnmuteChannel', 'bob', { body: { channel_cid: cid } })
  expect(bob.takeEvents().map((event) => [event['type'], event['cid']])).toEqual([
    ['notification.channel_mutes_updated', undefined],
    ['channel.muted', cid],
    ['notification.channel_mutes_updated', undefined],
    ['channel.unmuted', cid],
  ])
})

test('messages deleted with a ban have no more reminders', async () => {
  const params = newChannel()
  const { id } = send('eve', params, { text: 'remember me' })
  const at = new Date(room.clock.now() + 60_000).toISOString()
  room.done('CreateReminder', 'bob', { params: { id }, body: { remind_at: at } })
  const bob = room.listen('bob')
  const body = { target_user_id: 'eve', channel_cid: cidOf(params), delete_messages: 'soft' }
  room.done('Ban', 'ann', { body })
  expect(bob.types()).toContain('reminder.deleted')
  await room.clock.advance(120_000)
  expect(bob.types()).not.toContain('notification.reminder_due')
})
