import { afterAll, beforeAll, expect, test } from 'vitest'
import { pruneActions } from '#main/server/moderation/log/log-table.ts'
import type { WireBan } from '#shared/wire/moderation.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/** The list of bans that are over, which our own server adds to the contract. */

let room: Room
const ROOM = { type: 'messaging', id: 'past' }
const CID = 'messaging:past'

beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve', 'dan'])
  room.done('UpdateUsers', ADMIN, { body: { users: { mod: { role: 'moderator' } } } })
  room.done('GetOrCreateChannel', 'ann', {
    params: ROOM,
    body: { data: { name: 'Past', members: ['ann', 'bob', 'eve'] } },
  })
})
afterAll(() => room.close())

const bans = (filter: object = {}, who = 'mod', ended = true): readonly WireBan[] =>
  room.done<{ bans: readonly WireBan[] }>('QueryBannedUsers', who, {
    query: { payload: JSON.stringify({ filter_conditions: filter, ended }) },
  }).bans

test('an unbanned person and one whose ban ran out are listed, the latest first, with who, why and when', async () => {
  room.done('Ban', 'root', { body: { target_user_id: 'eve', reason: 'Links to a shop' } })
  room.done('Ban', 'ann', { body: { target_user_id: 'bob', channel_cid: CID, timeout: 1, shadow: true } })
  expect(bans()).toEqual([])
  await room.clock.advance(120_000)
  room.done('Unban', 'root', { query: { target_user_id: 'eve' } })
  const [first, second, ...others] = bans()
  expect(others).toEqual([])
  expect(first).toMatchObject({ user: { id: 'eve' }, banned_by: { id: 'root' }, reason: 'Links to a shop' })
  expect(first).toMatchObject({ ended_by: { id: 'root' }, shadow: false })
  expect(Date.parse(first?.ended_at ?? '')).toBeGreaterThan(Date.parse(first?.created_at ?? ''))
  expect(second).toMatchObject({ user: { id: 'bob' }, channel: { cid: CID }, shadow: true })
  expect(second?.ended_by).toBeUndefined()
  expect(bans({}, 'mod', false)).toEqual([])
})

test('ended bans are narrowed like those in force, and a ban that replaces another has not ended', () => {
  room.done('Ban', 'root', { body: { target_user_id: 'dan', reason: 'First' } })
  room.done('Ban', 'root', { body: { target_user_id: 'dan', reason: 'Second' } })
  room.done('Unban', 'root', { query: { target_user_id: 'dan' } })
  expect(bans({ user_id: 'dan' }).map(({ reason }) => reason)).toEqual(['Second'])
  expect(bans({ channel_cid: CID }).map(({ user }) => user.id)).toEqual(['bob'])
  expect(bans({ reason: { $autocomplete: 'shop' } }).map(({ user }) => user.id)).toEqual(['eve'])
  expect(bans({ shadow: true }).map(({ user }) => user.id)).toEqual(['bob'])
})

test('only moderators of the place may read them', () => {
  expect(room.ask('QueryBannedUsers', 'bob', { query: { payload: JSON.stringify({ ended: true }) } }).code).toBe(17)
  expect(bans({ channel_cid: CID }, 'ann').map(({ user }) => user.id)).toEqual(['bob'])
})

test('they are deleted after as many days as the entries of the history', () => {
  const { db, clock } = room.server.services
  const later = (days: number): number => clock.now() * 1_000 + days * 86_400_000_000
  pruneActions(db, later(729))
  expect(bans().length).toBeGreaterThan(0)
  pruneActions(db, later(731))
  expect(bans()).toEqual([])
  room.done('Ban', 'root', { body: { target_user_id: 'dan' } })
  room.done('Unban', 'root', { query: { target_user_id: 'dan' } })
  expect(bans({ user_id: 'dan' })).toHaveLength(1)
})

test('a person who is deleted for good takes their ended bans along', () => {
  room.done('DeleteUser', ADMIN, { params: { id: 'dan' }, query: { hard_delete: 'true' } })
  expect(bans({ user_id: 'dan' })).toEqual([])
})
