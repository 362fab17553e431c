import { expect, test } from 'vitest'
import { asCid, asMessageId, asUserId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { aChannelRow, aMemberRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import type { Bind } from '#main/lib/sqlite/sql.ts'
import * as channels from './channels/channels.ts'
import * as members from './channels/members.ts'
import * as reads from './channels/reads.ts'
import type { Store } from './files/open.ts'
import type { UserRow } from './rows.ts'
import type { Reader, Tx } from './store.ts'
import * as meta from './meta.ts'
import * as users from './people/users.ts'

const aUser = (fields: Partial<UserRow>): UserRow => ({
  id: asUserId('ana'),
  name: 'Ana',
  imageUrl: undefined,
  role: 'user',
  online: true,
  lastActiveAt: undefined,
  banned: false,
  language: undefined,
  statusText: undefined,
  bot: false,
  createdAt: undefined,
  updatedAt: 1,
  deletedAt: undefined,
  custom: {},
  asOf: 1,
  ...fields,
})

test('writes of a rolled-back transaction are not remembered', () => {
  const { cache } = openTestStores()
  cache.transaction((tx) => users.put(tx, aUser({})))
  const failing = () =>
    cache.transaction((tx) => {
      users.put(tx, aUser({ name: 'Another', updatedAt: 2, asOf: 2 }))
      meta.set(tx, 'a', '1')
      throw new Error('undone')
    })
  expect(failing).toThrow('undone')
  expect(users.byId(cache.reader, asUserId('ana'))?.name).toBe('Ana')
  expect(meta.get(cache.reader, 'a')).toBeUndefined()
})

test('the newest time of the server follows both of its rows', () => {
  const { cache } = openTestStores()
  const after = (work: (tx: Tx) => void): number => {
    cache.transaction(work)
    return meta.newestServerTime(cache.reader)
  }
  expect(after((tx) => meta.sawServerTime(tx, 5))).toBe(5)
  expect(after((tx) => meta.hear(tx, 9))).toBe(9)
  expect(after((tx) => meta.sawServerTime(tx, 7))).toBe(9)
  expect(after((tx) => meta.sawServerTime(tx, 12))).toBe(12)
})

test('a copy of a person that says nothing new is newer all the same: an older one does not replace it', () => {
  const { cache } = openTestStores()
  for (const copy of [aUser({ asOf: 10 }), aUser({ asOf: 50 }), aUser({ online: false, asOf: 30 })])
    cache.transaction((tx) => users.put(tx, copy))
  expect(users.byId(cache.reader, asUserId('ana'))?.online).toBe(true)
})

test('a member is remembered as it was written last', () => {
  const { cache } = openTestStores()
  const read = () => members.one(cache.reader, asCid(CID), asUserId('ana'))
  for (const channelRole of ['channel_member', 'channel_moderator']) {
    const written = aMemberRow({ cid: asCid(CID), userId: asUserId('ana'), channelRole })
    cache.transaction((tx) => members.put(tx, written))
    expect(read()).toEqual(written)
    cache.reader.db.memo.clear()
    expect(read()).toEqual(written)
  }
})

test('writes of a rolled-back inner transaction are not remembered by later steps', () => {
  const { cache } = openTestStores()
  const seen = cache.transaction((tx) => {
    users.put(tx, aUser({}))
    try {
      cache.transaction((inner) => {
        users.put(inner, aUser({ name: 'Another', updatedAt: 2 }))
        throw new Error('undone')
      })
    } catch {
      return users.byId(tx, asUserId('ana'))?.name
    }
  })
  expect(seen).toBe('Ana')
})

test('an author seen again within a minute is updated in memory and written later', () => {
  const { cache } = openTestStores()
  const written = () =>
    cache.reader.db.get<{ as_of: number }>('SELECT as_of FROM users WHERE id = ?', 'ana')?.as_of ?? 0
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 60_000 })))
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 61_000 })))
  expect(users.byId(cache.reader, asUserId('ana'))?.asOf).toBe(61_000)
  expect(written()).toBe(60_000)
  cache.transaction((tx) => users.put(tx, aUser({ asOf: 120_000 })))
  expect(written()).toBe(120_000)
})

const HOUR_MS = 3_600_000

test('a member who is listed again within an hour is updated in memory, and written later or once something changes', () => {
  const { cache } = openTestStores()
  const me = aMemberRow({ asOf: HOUR_MS })
  const written = () =>
    cache.reader.db.get<{ as_of: number }>('SELECT as_of FROM members WHERE user_id = ?', me.userId)?.as_of
  const put = (fields: Partial<typeof me>): void => cache.transaction((tx) => members.put(tx, { ...me, ...fields }))
  put({})
  put({ asOf: HOUR_MS + 1 })
  expect(members.own(cache.reader, CID)?.asOf).toBe(HOUR_MS + 1)
  expect(written()).toBe(HOUR_MS)
  put({ asOf: HOUR_MS, channelRole: 'channel_moderator' })
  expect(members.own(cache.reader, CID)?.channelRole).toBe('channel_member')
  put({ asOf: HOUR_MS + 2, channelRole: 'channel_moderator' })
  expect(written()).toBe(HOUR_MS + 2)
  put({ asOf: 2 * HOUR_MS, channelRole: 'channel_moderator' })
  expect(written()).toBe(2 * HOUR_MS)
  expect(members.own(cache.reader, CID)?.asOf).toBe(2 * HOUR_MS)
})

/** Two channels with a message each. */
function twoChannels(): Store {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow())
    channels.put(tx, aChannelRow({ cid: OTHER }))
  })
  return cache
}

const OTHER = asCid('team:other')
const AT = 'SELECT last_message_at AS at FROM channels WHERE cid = ?'
const times = ({ db }: Reader) => [CID, OTHER].map((cid) => db.get<{ at: number }>(AT, cid)?.at)

function countingWrites(cache: Store): () => number {
  const { db } = cache.reader as { db: { run: (statement: string, ...binds: Bind[]) => number } }
  const run = db.run
  let count = 0
  db.run = (statement, ...binds) => {
    count += 1
    return run(statement, ...binds)
  }
  return () => count
}

test('a channel that many messages of one transaction move is written once, and read as it is now', () => {
  const cache = twoChannels()
  const before = times(cache.reader)
  const writes = countingWrites(cache)
  const during = cache.transaction((tx) => {
    for (let at = 2_000; at <= 2_100; at += 1) channels.sawMessage(tx, CID, at)
    const remembered = channels.byCid(tx, CID)?.lastMessageAt
    return { remembered, written: writes() }
  })
  expect(during).toEqual({ remembered: 2_100, written: 0 })
  expect(writes()).toBe(1)
  expect(times(cache.reader)).toEqual([2_100, before[1]])
})

test('a statement that reads the table finds what waits to be written', () => {
  const cache = twoChannels()
  const read = cache.transaction((tx) => {
    channels.sawMessage(tx, CID, 2_000)
    channels.sawMessage(tx, OTHER, 3_000)
    return times(tx)
  })
  expect(read).toEqual([2_000, 3_000])
})

test('what waits when an inner transaction fails is kept, and what the inner one wrote is not', () => {
  const cache = twoChannels()
  cache.transaction((tx) => {
    channels.sawMessage(tx, CID, 2_000)
    const inner = () =>
      cache.transaction((nested) => {
        channels.sawMessage(nested, CID, 9_000)
        throw new Error('undone')
      })
    expect(inner).toThrow('undone')
    channels.sawMessage(tx, OTHER, 3_000)
  })
  expect(times(cache.reader)).toEqual([2_000, 3_000])
  expect(channels.byCid(cache.reader, CID)?.lastMessageAt).toBe(2_000)
})

test('marks that many messages of one transaction move are written once, also where a mark that is not cached is read', () => {
  const cache = twoChannels()
  const writes = countingWrites(cache)
  const people = Array.from({ length: 20 }, (_, index) => asUserId(`reader-${index}`))
  const during = cache.transaction((tx) => {
    for (const at of [2_000, 3_000]) for (const userId of people) reads.advance(tx, { cid: CID, userId, at })
    return writes()
  })
  expect(during).toBe(0)
  expect(writes()).toBe(people.length)
  expect(reads.others(cache.reader, CID).every((mark) => mark.lastReadAt === 3_000)).toBe(true)
})

test('the marks of a channel are read once, and one that moves, comes or belongs to a thread leaves them true', () => {
  const cache = twoChannels()
  const [ana, bo, me] = [asUserId('ana'), asUserId('bo'), cache.reader.viewerId]
  const marks = (reader: Reader): readonly string[] =>
    reads.others(reader, CID).map(({ userId, lastReadAt }) => `${userId} ${lastReadAt}`)
  const seen: (readonly string[])[] = []
  const moves = (userId: UserId, at: number, threadId?: MessageId): void =>
    cache.transaction((tx) => {
      reads.advance(tx, { cid: CID, userId, at, threadId })
      seen.push(marks(tx))
    })
  moves(bo, 1_000)
  moves(bo, 2_000)
  moves(ana, 3_000)
  moves(ana, 9_000, asMessageId('thread'))
  moves(me, 9_000)
  expect(seen).toEqual([['bo 1000'], ['bo 2000'], ...Array.from({ length: 3 }, () => ['ana 3000', 'bo 2000'])])
  cache.reader.db.memo.clear()
  expect(marks(cache.reader)).toEqual(['ana 3000', 'bo 2000'])
})

test('a mark that waits is read as it is, also when nothing is remembered any more', () => {
  const cache = twoChannels()
  const mark = { cid: CID, userId: asUserId('ana'), at: 2_000 }
  const read = cache.transaction((tx) => {
    reads.advance(tx, mark)
    tx.db.memo.clear()
    return reads.one(tx, CID, mark.userId)?.lastReadAt
  })
  expect(read).toBe(mark.at)
})

test('what waits in a transaction that fails is never written', () => {
  const cache = twoChannels()
  const before = times(cache.reader)
  const failing = () =>
    cache.transaction((tx) => {
      channels.sawMessage(tx, CID, 2_000)
      throw new Error('undone')
    })
  expect(failing).toThrow('undone')
  cache.transaction((tx) => meta.set(tx, 'a', '1'))
  expect(times(cache.reader)).toEqual(before)
})

test('a channel that is removed is not written again by what waited', () => {
  const cache = twoChannels()
  cache.transaction((tx) => {
    channels.sawMessage(tx, CID, 2_000)
    channels.remove(tx, CID)
  })
  expect(channels.byCid(cache.reader, CID)).toBeUndefined()
  expect(times(cache.reader)[0]).toBeUndefined()
})
