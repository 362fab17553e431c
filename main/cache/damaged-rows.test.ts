import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChannelRow, aMemberRow, aMessageRow, aReadRow, aUserRow, CID } from '#kit/rows.ts'
import { aFolder, openTestStores, withSchema110 } from '#kit/stores.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, asPollId } from '#shared/lib/brand.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import type { PollRow } from './rows.ts'
import { openCacheSql, type Reader, type Tx } from './store.ts'
import { columnsOf, type SummedTable } from './files/sums.ts'
import * as channels from './channels/channels.ts'
import * as emoji from './people/emoji.ts'
import * as members from './channels/members.ts'
import * as messages from './messages/messages.ts'
import * as meta from './meta.ts'
import * as mutes from './people/mutes.ts'
import * as polls from './messages/polls.ts'
import * as ranges from './messages/ranges.ts'
import * as reads from './channels/reads.ts'
import * as reminders from './people/reminders.ts'
import * as revisions from './messages/revisions.ts'
import * as titles from './channels/thread-titles.ts'
import * as tracks from './messages/tracks.ts'
import * as users from './people/users.ts'

/**
 * A changed byte in the cache is never shown as content. SQLite detects a corrupt page; a readable row with changed
 * content is detected by its checksum, in each column of each table.
 */
const message = aMessageRow()
const member = aMemberRow()
const read = aReadRow()
const user = aUserRow()
const POLL: PollRow = {
  id: asPollId('p1'),
  name: 'Lunch?',
  description: '',
  options: [{ id: 'o1', text: 'Soup' }],
  enforceUniqueVote: true,
  allowAnswers: false,
  allowSuggestions: false,
  anonymous: false,
  closed: false,
  voteCount: 0,
  votesByOption: {},
  latestByOption: {},
  answersCount: 0,
  createdAt: 1,
  updatedAt: 2,
  custom: {},
  asOf: 3,
}
const times = { createdAt: 5, updatedAt: 6, asOf: 7 }

type Case = { readonly put: (tx: Tx) => unknown; readonly read: (reader: Reader) => unknown }

const CASES = {
  meta: { put: (tx) => meta.set(tx, 'k', 'value'), read: (reader) => meta.byKey(reader, 'k') },
  users: { put: (tx) => users.put(tx, user), read: (reader) => [users.byId(reader, user.id), users.all(reader)] },
  mutes: { put: (tx) => mutes.set(tx, 'user', 'ana', true, 9), read: (reader) => mutes.of(reader, 'user') },
  channels: {
    put: (tx) => channels.put(tx, aChannelRow({ lastMessageAt: 5, hideBefore: 4 })),
    read: (reader) => [channels.byCid(reader, CID), channels.all(reader)],
  },
  members: {
    put: (tx) => members.put(tx, { ...member, pinnedAt: 3, archivedAt: 4 }),
    read: (reader) => [members.one(reader, member.cid, member.userId), members.of(reader, member.cid)],
  },
  messages: {
    put: (tx) =>
      messages.put(tx, {
        ...message,
        quotedId: asMessageId('m0'),
        pinnedAt: 6,
        deletedAt: 8,
        parentId: asMessageId('m9'),
      }),
    read: (reader) => [messages.byId(reader, message.id), messages.byIds(reader, [message.id])],
  },
  ranges: {
    put: (tx) => ranges.extend(tx, 'timeline:c', { createdAt: 4, id: 'm4' }),
    read: (reader) => ranges.of(reader, 'timeline:c'),
  },
  reads: {
    put: (tx) =>
      reads.put(tx, {
        ...read,
        lastReadMessageId: asMessageId('m2'),
        firstUnreadId: asMessageId('m3'),
        deliveredAt: 4,
      }),
    read: (reader) => reads.one(reader, read.cid, read.userId),
  },
  polls: { put: (tx) => polls.put(tx, POLL), read: (reader) => polls.byId(reader, 'p1') },
  reminders: {
    put: (tx) => reminders.put(tx, { messageId: message.id, cid: CID, remindAt: 4, ...times }),
    read: (reader) => [reminders.byId(reader, message.id), reminders.all(reader)],
  },
  thread_titles: {
    put: (tx) => titles.put(tx, { parentId: message.id, cid: CID, title: 'A title', asOf: 4 }),
    read: (reader) => titles.titleOf(reader, message.id),
  },
  message_revisions: {
    put(tx) {
      messages.put(tx, message)
      messages.put(tx, { ...message, text: 'edited', editedAt: 20, updatedAt: 20, asOf: 20 })
    },
    read: (reader) => revisions.of(reader, message.id),
  },
  emoji: {
    put: (tx) => emoji.put(tx, { name: 'cat', aliases: [], url: 'https://files.example/cat.png' }),
    read: (reader) => [emoji.byName(reader, 'cat'), emoji.all(reader)],
  },
  tracks: {
    put(tx) {
      messages.put(tx, message)
      tracks.add(tx, message.id, { at: 1, latitude: 2, longitude: 3 })
    },
    read: (reader) => [tracks.of(reader, message.id), tracks.last(reader, message.id)],
  },
} satisfies { readonly [Table in SummedTable]?: Case } as { readonly [Table in SummedTable]?: Case }

const isNothing = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((each) => isNothing(each)))

/** The result of a read, or the code of its error. */
function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}

const places = (Object.keys(CASES) as SummedTable[]).flatMap((table) =>
  [...columnsOf(table), 'sum'].map((column) => [table, column] as const),
)

test.each(places)('%s with a changed %s is damaged or not found, and never another row', (table, column) => {
  const damaged: string[] = []
  const { cache } = openTestStores({ onDamage: (file) => damaged.push(file) })
  const { put, read: readIt } = CASES[table] ?? {}
  cache.transaction((tx) => put?.(tx))
  cache.reader.db.memo.clear()
  const before = outcome(() => readIt?.(cache.reader))
  expect(isNothing(before)).toBe(false)
  cache.reader.db.memo.clear()
  const { raw } = cache.reader.db
  raw.pragma('foreign_keys = OFF')
  // Same type as before; JSON stays valid.
  const other = `CASE typeof(${column}) WHEN 'text' THEN ' ' || ${column} ELSE coalesce(${column}, 0) + 1 END`
  const { changes: changed } = raw.prepare(`UPDATE ${table} SET ${column} = ${other}`).run()
  expect(changed).toBeGreaterThan(0)
  const after = outcome(() => readIt?.(cache.reader))
  expect(after === 'store/damaged' || isNothing(after) ? 'kept' : { before, after }).toBe('kept')
  expect(damaged).toEqual(after === 'store/damaged' ? ['cache.db'] : [])
})

test('every row of a cache without checksums gets one at the start, and its damage is detected', () => {
  const folder = aFolder()
  const first = openTestStores({ folder })
  first.cache.transaction((tx) => messages.put(tx, message))
  first.close()
  const raw = new Database(join(folder, 'cache.db'))
  withSchema110(raw)
  for (const index of ['naming', 'files', 'popular', 'agreed', 'replies']) raw.exec(`DROP INDEX messages_${index}`)
  for (const table of Object.keys(CASES)) raw.exec(`ALTER TABLE ${table} DROP COLUMN sum`)
  raw.pragma('user_version = 90')
  raw.close()
  const second = openTestStores({ folder, installId: 'install-1' })
  expect(second.report.cache).toEqual({ state: 'ok' })
  expect(messages.byId(second.cache.reader, message.id)).toEqual(message)
  expect(second.cache.reader.db.get('SELECT count(*) AS n FROM messages WHERE sum IS NULL')).toEqual({ n: 0 })
  second.cache.reader.db.raw.exec(`UPDATE messages SET text = 'said by nobody'`)
  expect(outcome(() => messages.byId(second.cache.reader, message.id))).toBe('store/damaged')
  second.close()
  const third = openTestStores({ folder, installId: 'install-1' })
  expect(third.report.cache).toEqual({ state: 'rebuilt', problem: 'damaged' })
  expect(readdirSync(join(folder, 'quarantine')).some((name) => name.startsWith('cache.db'))).toBe(true)
})

test.each([
  ['REAL', "'seven'"],
  ['INTEGER', "x'07'"],
  ['TEXT', "x'07'"],
])('a column of type %s with another type is damage, wherever it is read', (type, value) => {
  const raw = new Database(':memory:')
  // Not STRICT, to simulate changed bytes.
  raw.exec(`CREATE TABLE t (at ${type}); INSERT INTO t VALUES (${value})`)
  let reported = 0
  const db = openCacheSql(raw, { monotonic: () => 0 }, logger('test', silentSink), () => void (reported += 1))
  expect(outcome(() => db.all('SELECT at FROM t'))).toBe('store/damaged')
  expect(outcome(() => db.get('SELECT at AS other FROM t'))).toBe('store/damaged')
  expect(reported).toBe(2)
})

test('invalid JSON is damage where SQLite parses it', () => {
  const { cache } = openTestStores()
  const { db } = cache.reader
  db.raw.exec(`CREATE TEMP TABLE t (json TEXT); INSERT INTO t VALUES ('{"a":')`)
  expect(outcome(() => db.get(`SELECT json_extract(json, '$.a') AS a FROM t`))).toBe('store/damaged')
})
