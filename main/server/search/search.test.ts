import { afterAll, expect, test } from 'vitest'
import { aStoredMessage } from '#kit/rows.ts'
import { openStore } from '../store/open.ts'
import { changeMessage, insertMessage } from '../messages/message-table.ts'
import { leadingText, narrowed, wordExpression, type SearchedChannel } from './search.ts'

const db = openStore(':memory:')
afterAll(() => db.close())

const LARGE = { cid: 'team:large', type: 'team', message_count: 900 }
const SMALL = { cid: 'team:small', type: 'team', message_count: 3 }

function write(index: number, cid: string, userId: string, text: string): void {
  insertMessage(db, aStoredMessage({ id: `m${index}`, cid, user_id: userId, text, created_at: 1_000 + index }))
}

for (const { cid } of [LARGE, SMALL]) {
  db.run(
    "INSERT INTO channels (cid, type, id, created_at, updated_at, last_updated, last_stamp) VALUES (?, 'team', ?, 1, 1, 1, 1)",
    cid,
    cid,
  )
}
// Three in the small channel and three by eve, among many with the same text.
for (let index = 0; index < 900; index += 1) {
  write(index, LARGE.cid, index % 300 === 7 ? 'eve' : 'ann', 'the route of today')
}
for (let index = 900; index < 903; index += 1) write(index, SMALL.cid, 'ann', 'the route of tomorrow')

/** The number of messages the index alone finds: a search reads no others. */
const indexHits = (filter: Record<string, unknown>, channels: readonly SearchedChannel[]): number => {
  const { expression, rest } = leadingText(filter)
  const sql = 'SELECT count(*) AS n FROM message_words WHERE message_words MATCH ?'
  return db.get<{ n: number }>(sql, narrowed(db, expression, channels, rest) ?? '')?.n ?? 0
}

test.each([
  ['$q', { text: { $q: 'route' } }],
  ['$any', { text: { $any: 'route nowhere' } }],
  ['$autocomplete', { text: { $autocomplete: 'rou' } }],
])('a common word by one author reads only the messages of that author: %s', (_name, text) => {
  expect(indexHits(text, [LARGE, SMALL])).toBe(903)
  expect(indexHits({ ...text, user_id: 'eve' }, [LARGE, SMALL])).toBe(3)
  expect(indexHits({ ...text, user_id: { $eq: 'eve' } }, [LARGE, SMALL])).toBe(3)
  expect(indexHits({ ...text, 'user.id': { $in: ['eve', 'nobody'] } }, [LARGE, SMALL])).toBe(3)
})

test('a common word in a small channel reads only its own messages; a large channel does not narrow the search', () => {
  expect(indexHits({ text: { $q: 'route' } }, [SMALL])).toBe(3)
  expect(indexHits({ text: { $q: 'route' } }, [LARGE])).toBe(903)
  expect(indexHits({ text: { $q: 'route' }, user_id: 'eve' }, [SMALL])).toBe(0)
})

test('the author of a message is not found as a word of it or as part of a word', () => {
  const found = (value: string, operator = '$q') => indexHits({ text: { [operator]: value } }, [LARGE, SMALL])
  expect(found('eve')).toBe(0)
  expect(found('@eve')).toBe(0)
  expect(found('small')).toBe(0)
  expect(found('e', '$autocomplete')).toBe(0)
  expect(wordExpression('$q', '@eve #small')).toBe('"eve" AND "small"')
})

test('prefixes of one to four letters have their own indexes', () => {
  const { sql } = db.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'message_words'") ?? { sql: '' }
  expect(sql).toContain("prefix = '1 2 3 4'")
  const begins = (value: string) => indexHits({ text: { $autocomplete: value } }, [LARGE, SMALL])
  expect(['t', 'to', 'tom', 'tomo', 'tomor', 'tomorrow', 'tomorrows'].map(begins)).toEqual([903, 903, 3, 3, 3, 3, 0])
})

test('an edit updates the index with author and channel; an edit that keeps the text does not touch it', () => {
  changeMessage(db, 'm901', { text: 'a path' })
  expect(indexHits({ text: { $q: 'route' } }, [SMALL])).toBe(2)
  expect(indexHits({ text: { $q: 'path' }, user_id: 'ann' }, [SMALL])).toBe(1)
  db.run('DELETE FROM message_words WHERE rowid = (SELECT doc FROM messages WHERE id = ?)', 'm901')
  changeMessage(db, 'm901', { text: 'a path', pinned_at: 5 })
  expect(indexHits({ text: { $q: 'path' } }, [SMALL])).toBe(0)
  changeMessage(db, 'm902', { deleted_at: 5 })
  expect(indexHits({ text: { $q: 'route' } }, [SMALL])).toBe(1)
})
