import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '../store/db.ts'
import { openStore } from '../store/open.ts'
import { keptChannel, trimKept } from './kept-channels.ts'

let db: Db
beforeEach(() => {
  db = openStore(':memory:')
  db.exec(`
    INSERT INTO users (id, created_at, updated_at) VALUES ('ann', 1, 1), ('bob', 1, 1), ('cat', 1, 1);
    INSERT INTO channels (cid, type, id, created_at, updated_at, last_updated, last_stamp)
      VALUES ('team:one', 'team', 'one', 1, 1, 1, 1), ('team:two', 'team', 'two', 1, 1, 1, 1);
    INSERT INTO members (cid, user_id, created_at, updated_at, last_read)
      VALUES ('team:one', 'ann', 1, 1, 1), ('team:one', 'bob', 1, 1, 1), ('team:two', 'ann', 1, 1, 1);
    INSERT INTO messages (id, cid, user_id, type, text, in_channel, parent_id, created_at, updated_at)
      VALUES ('m1', 'team:one', 'ann', 'regular', 'x', 1, NULL, 1, 1), ('m2', 'team:one', 'ann', 'regular', 'x', 1, NULL, 2, 2),
             ('reply', 'team:one', 'bob', 'reply', 'x', 0, 'm1', 3, 3);
    INSERT INTO reactions (message_id, user_id, type, created_at, updated_at) VALUES ('m1', 'ann', 'like', 1, 1);
  `)
  for (const id of ['m1', 'm2']) keptChannel(db, 'team:one').messages.set(id, { json: sized(1), except: new Set() })
  keptChannel(db, 'team:two').messages.set('other', { json: sized(1), except: new Set() })
})
afterEach(() => db.close())

const sized = (size: number) => ({ parts: [], gaps: [], size })
const keptOf = (cid: string): string[] => [...keptChannel(db, cid).messages.keys()]

test.each([
  ['its row changes', "UPDATE messages SET text = 'y' WHERE id = 'm1'"],
  ['its row is deleted', "DELETE FROM messages WHERE id = 'm1'"],
  [
    'a reply is sent',
    "INSERT INTO messages (id, cid, user_id, type, text, in_channel, parent_id, created_at, updated_at) VALUES ('r2', 'team:one', 'bob', 'reply', 'x', 0, 'm1', 4, 4)",
  ],
  ['a reply changes', "UPDATE messages SET deleted_at = 9 WHERE id = 'reply'"],
  ['a reply is deleted', "DELETE FROM messages WHERE id = 'reply'"],
  [
    'somebody reacts',
    "INSERT INTO reactions (message_id, user_id, type, created_at, updated_at) VALUES ('m1', 'bob', 'like', 1, 1)",
  ],
  ['a reaction changes', 'UPDATE reactions SET score = 2'],
  ['a reaction is taken back', 'DELETE FROM reactions'],
  ['somebody hides it', "INSERT INTO hidden_messages (message_id, user_id) VALUES ('m1', 'bob')"],
  [
    'somebody wants to be reminded of it',
    "INSERT INTO reminders (user_id, message_id, cid, created_at, updated_at) VALUES ('bob', 'm1', 'team:one', 1, 1)",
  ],
  [
    'it gets a location',
    "INSERT INTO locations (message_id, cid, user_id, latitude, longitude, device_id, created_at, updated_at) VALUES ('m1', 'team:one', 'ann', 1, 1, 'd', 1, 1)",
  ],
])('what is kept of a message is forgotten, and no other, once %s', (_name, statement) => {
  db.keepingCaches.run(statement)
  expect(keptOf('team:one')).toEqual(['m2'])
  expect(keptOf('team:two')).toEqual(['other'])
})

test.each([
  [
    'somebody joins it',
    "INSERT INTO members (cid, user_id, created_at, updated_at, last_read) VALUES ('team:one', 'cat', 1, 1, 1)",
  ],
  [
    'a role changes',
    "UPDATE members SET channel_role = 'channel_moderator' WHERE cid = 'team:one' AND user_id = 'bob'",
  ],
  ['a member leaves', "DELETE FROM members WHERE user_id = 'bob'"],
  ['a member’s row is deleted with the user', "DELETE FROM users WHERE id = 'bob'"],
  [
    'a member mutes it',
    "INSERT INTO channel_mutes (user_id, cid, created_at, updated_at) VALUES ('bob', 'team:one', 1, 1)",
  ],
  ['it is deleted with all it has', "DELETE FROM channels WHERE cid = 'team:one'"],
])('what is kept of a channel is forgotten, and no other, once %s', (_name, statement) => {
  db.keepingCaches.run(statement)
  expect(keptOf('team:one')).toEqual([])
  expect(keptOf('team:two')).toEqual(['other'])
})

test('how far members have read forgets nothing', () => {
  db.keepingCaches
    .run(`UPDATE members SET unread = 1, last_read = 2, last_read_message_id = 'm1', last_delivered_at = 2,
    last_delivered_message_id = 'm1', hidden = 1, hide_before = 1`)
  expect(keptOf('team:one')).toEqual(['m1', 'm2'])
})

test('every other column of members forgets the channel', () => {
  const columns = db.raw.pragma('table_info(members)') as { readonly name: string }[]
  const silent = columns.filter(({ name }) => {
    keptChannel(db, 'team:one').messages.set('m1', { json: sized(1), except: new Set() })
    db.keepingCaches.run(`UPDATE members SET ${name} = ${name}`)
    return keptOf('team:one').length > 0
  })
  expect(silent.map(({ name }) => name).toSorted()).toEqual([
    'hidden',
    'hide_before',
    'last_delivered_at',
    'last_delivered_message_id',
    'last_read',
    'last_read_message_id',
    'unread',
  ])
})

test('what was kept in a transaction is forgotten once that fails', () => {
  const fail = (): void =>
    db.transaction(() => {
      db.keepingCaches.run("UPDATE messages SET text = 'y' WHERE id = 'm1'")
      keptChannel(db, 'team:one').messages.set('m1', { json: sized(2), except: new Set() })
      throw new Error('no')
    })
  expect(fail).toThrow('no')
  expect(keptOf('team:one')).toEqual([])
})

test('the channels that were least recently asked for are forgotten once all have 32 MiB', () => {
  const add = (cid: string): void => {
    const channel = keptChannel(db, cid)
    channel.messages.set('large', { json: sized(12 * 1024 * 1024), except: new Set() })
    trimKept(db, [channel])
  }
  for (const cid of ['a', 'b']) add(cid)
  keptChannel(db, 'a')
  add('c')
  expect(keptOf('b')).toEqual([])
  expect(keptOf('a')).toEqual(['large'])
  expect(keptOf('c')).toEqual(['large'])
})
