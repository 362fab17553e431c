import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRoom, type Room } from '../room.ts'

type Lists = { channels: { channel: { cid: string } }[] }

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob', 'eve'])
  channel('red', { color: 'Zażółć red', level: 7, tags: ['urgent', 'ops'], open: true })
  channel('blue', { color: 'blue', level: '7' })
  channel('plain', {})
})
afterAll(() => room.close())

function channel(id: string, data: object, more: object = {}): void {
  room.done('GetOrCreateChannel', 'ann', {
    params: { type: 'messaging', id },
    body: { data: { members: ['ann', 'bob'], ...data }, ...more },
  })
}

/** Listed here, so that any filter may be tested on them. */
const CIDS = ['red', 'blue', 'plain', 'party'].map((id) => `messaging:${id}`)

const ids = (who: string, filter: object, more: object = {}): string[] =>
  room
    .done<Lists>('QueryChannels', who, {
      body: { filter_conditions: { cid: { $in: CIDS }, ...filter }, sort: [{ field: 'cid', direction: 1 }], ...more },
    })
    .channels.map(({ channel: { cid } }) => cid.slice('messaging:'.length))
const code = (filter: object): number | undefined =>
  room.ask('QueryChannels', 'ann', { body: { filter_conditions: filter } }).code

test('custom keys: $contains looks into lists, and matches nothing where the key is not a list', () => {
  expect(ids('ann', { tags: { $contains: 'ops' } })).toEqual(['red'])
  expect(ids('ann', { color: { $contains: 'ops' } })).toEqual([])
})

test('custom keys: $in is true when any element matches, and a list equals itself', () => {
  expect(ids('ann', { tags: { $in: ['ops', 'other'] } })).toEqual(['red'])
  expect(ids('ann', { level: { $in: [7] } })).toEqual(['red'])
  expect(ids('ann', { tags: ['urgent', 'ops'] })).toEqual(['red'])
  expect(ids('ann', { open: true })).toEqual(['red'])
})

test('custom keys: a text is neither more nor less than a number', () => {
  expect(ids('ann', { level: { $gt: 3 } })).toEqual(['red'])
  expect(ids('ann', { level: { $lt: 'z' } })).toEqual(['blue'])
})

test('custom keys of channels are searched by text, ignoring accents', () => {
  expect(ids('ann', { color: { $autocomplete: 'zaz' } })).toEqual(['red'])
  expect(ids('ann', { color: { $q: 'RED' } })).toEqual(['red'])
  expect(ids('ann', { color: { $q: 'zaz' } })).toEqual([])
})

test('$exists takes true or false, and a null value means absent', () => {
  expect(ids('ann', { color: { $exists: false } })).toEqual(['plain'])
  expect(ids('ann', { color: null })).toEqual(['plain'])
  expect(code({ color: { $exists: 'yes' } })).toBe(4)
})

test('a user who is only invited, or declined, has not joined', () => {
  channel('party', { members: ['ann'], invites: ['eve'] })
  expect(ids('eve', { joined: true })).toEqual([])
  expect(ids('eve', { joined: false })).toEqual(['party'])
  const answer = (key: string) =>
    room.done('UpdateChannel', 'eve', { params: { type: 'messaging', id: 'party' }, body: { [key]: true } })
  answer('reject_invite')
  expect(ids('eve', { joined: true })).toEqual([])
  expect(ids('eve', { invite: 'rejected' })).toEqual(['party'])
  answer('accept_invite')
  expect(ids('eve', { joined: true })).toEqual(['party'])
  expect(ids('eve', { invite: 'accepted' })).toEqual(['party'])
})

test('a filter with an unknown name is refused and does not return everything', () => {
  expect(room.ask('QueryChannels', 'ann', { body: { predefined_filter: 'mine', filter_values: {} } }).code).toBe(16)
})

test('users are sorted by every field they are filtered by', () => {
  room.done(
    'UpdateUsers',
    { userId: '', kind: 'server' },
    {
      body: { users: { eve: { username: 'Éva-Nowak', name: 'Eve' } } },
    },
  )
  room.done('Ban', { userId: 'root', kind: 'server' }, { body: { target_user_id: 'bob', banned_by_id: 'root' } })
  const users = (filter: object, sort: object[]) =>
    room
      .done<{ users: { id: string }[] }>('QueryUsers', 'ann', {
        query: { payload: { filter_conditions: filter, sort } },
      })
      .users.map(({ id }) => id)
  expect(users({}, [{ field: 'banned', direction: -1 }])[0]).toBe('bob')
  expect(users({ username: { $autocomplete: 'eva now' } }, [])).toEqual(['eve'])
})
