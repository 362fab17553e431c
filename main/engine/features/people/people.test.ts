import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import * as users from '#main/cache/people/users.ts'
import {
  aLoneEngine,
  at,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  refused,
  withChannel,
} from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'

const bo = (id: string, ms: number) => aWireMessage(id, ms, { user: aWireUser('bo') })
const all = [aWireMessage('a1', 1), bo('b1', 2), aWireMessage('a2', 3), bo('b2', 4)]
const withoutBo = [aWireMessage('a1', 1), aWireMessage('a2', 3)]
const members = ['me', 'ana', 'bo'].map((id) => ({
  user_id: id,
  user: aWireUser(id),
  created_at: at(-9),
  updated_at: at(-9),
}))
const state = (messages: readonly Record<string, unknown>[]) => aWireChannelState(messages, { members })
const listing = (api: FakeApi, messages: readonly Record<string, unknown>[]) =>
  api.on('GetOrCreateChannel', () => state(messages)).on('QueryChannels', () => ({ channels: [state(messages)] }))

const userId = asUserId('bo')

test('messages of a blocked user are removed from screen and disk, and return after the block ends', async () => {
  const api = withChannel(new FakeApi(), all)
    .on('BlockUsers', () => ({}))
    .on('UnblockUsers', () => ({}))
  const lone = await reading(undefined, listing(api, all))
  expect(lone.replica.texts(CID)).toEqual(['a1', 'b1', 'a2', 'b2'])
  api.on('GetOrCreateChannel', () => state(withoutBo))
  await lone.engine.handlers.people.block({ userId, blocked: true }, lone.client)
  await lone.clock.settle()
  const held = () => lone.engine.stores.cache.reader.db.all(`SELECT id FROM messages WHERE user_id = 'bo'`).length
  expect(lone.replica.texts(CID)).toEqual(['a1', 'a2'])
  expect(held()).toBe(0)
  expect(await lone.engine.handlers.people.blocked(undefined, lone.client)).toEqual([{ id: 'bo', name: 'bo' }])
  api.on('GetOrCreateChannel', () => state(all))
  await lone.engine.handlers.people.block({ userId, blocked: false }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.texts(CID)).toEqual(['a1', 'b1', 'a2', 'b2'])
  expect(await lone.engine.handlers.people.blocked(undefined, lone.client)).toEqual([])
})

test('a rejected block has no effect: it is parked in the outbox with its reason', async () => {
  const api = withChannel(new FakeApi(), all).on('BlockUsers', () => {
    throw refused(404, 16)
  })
  const lone = await reading(undefined, listing(api, all))
  await lone.engine.handlers.people.block({ userId, blocked: true }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.tables.users?.['bo']?.blocked).toBeUndefined()
  expect(Object.values(lone.replica.tables.outbox ?? {})).toMatchObject([
    { kind: 'block-person', state: 'parked', summary: 'bo', reason: { code: 'server/not-found' } },
  ])
  expect(lone.replica.texts(CID)).toEqual(['a1', 'b1', 'a2', 'b2'])
})

test('older messages of an unblocked user are fetched even if the history seemed complete', async () => {
  const api = withChannel(new FakeApi(), all)
    .on('UnblockUsers', () => ({}))
    .on('BlockUsers', () => ({}))
  const lone = await reading(undefined, listing(api, withoutBo))
  const whole = () => lone.replica.windows.get(`timeline:${CID}`)
  expect(whole()).toMatchObject({ hasPrev: false, gapsBefore: [] })
  await lone.engine.handlers.people.block({ userId, blocked: true }, lone.client)
  await lone.clock.settle()
  api.on('GetOrCreateChannel', () => new Promise(() => undefined))
  await lone.engine.handlers.people.block({ userId, blocked: false }, lone.client)
  await lone.clock.settle()
  expect(whole()?.hasPrev).toBe(true)
})

test('muting a user fetches counts of the server again', async () => {
  const many = Array.from({ length: 25 }, (_, n) => aWireMessage(`m${n}`, n))
  const counted = (unread_messages: number) =>
    aWireChannelState(many, { read: [{ user: aWireUser('me'), last_read: at(-1e5), unread_messages }] })
  const api = withChannel(new FakeApi(), []).on('MuteUser', () => ({}))
  api.on('QueryChannels', () => ({ channels: [counted(180)] }))
  const lone = await aLoneEngine({ api })
  await lone.online()
  api.on('QueryChannels', () => ({ channels: [counted(110)] }))
  await lone.engine.handlers.people.mute({ userId, muted: true, forMs: undefined }, lone.client)
  await lone.clock.settle()
  expect(lone.replica.tables.channels?.[CID]?.unread).toBe(110)
})

test('an avatar is uploaded outside of channels and set in the profile; removing it clears the field', async () => {
  const url = 'https://files.example/portrait.png'
  const api = withChannel(new FakeApi(), all)
    .on('UploadImage', () => ({ file: url }))
    .on('UpdateUsersPartial', () => ({ users: { me: { ...aWireUser('me'), image: url, updated_at: at(9_000) } } }))
  const lone = await reading(undefined, listing(api, all))
  const picture = { base64: 'iVBORw0KGgo=', mimeType: 'image/png' } as const
  await lone.engine.handlers.people.setPortrait({ picture }, lone.client)
  await lone.clock.settle()
  expect(users.byId(lone.engine.stores.cache.reader, asUserId('me'))?.imageUrl).toBe(url)
  await lone.engine.handlers.people.setPortrait({}, lone.client)
  expect(api.to('UpdateUsersPartial').map(({ body }) => body)).toEqual([
    { users: [{ id: 'me', set: { image: url } }] },
    { users: [{ id: 'me', set: {}, unset: ['image'] }] },
  ])
})
