import { expect, test } from 'vitest'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { ADMIN, openRoom, undone, type Room } from '../room.ts'

/**
 * The words of messages are written to the index once for each commit. Whatever shares a commit, the index has an entry
 * for each message that can be found, and no other.
 */
const CHANNEL = { type: 'team', id: 'one' }

function madeRoom(): Room {
  const room = openRoom(['ann', 'bob'])
  const data = { members: ['ann', 'bob'], created_by_id: 'root' }
  room.done('GetOrCreateChannel', ADMIN, { params: CHANNEL, body: { data, user_id: 'root' } })
  return room
}

const send = (room: Room, id: string, userId = 'ann'): void =>
  void room.ask('SendMessage', userId, { params: CHANNEL, body: { message: { id, text: `words of ${id}` } } })
const remove = (room: Room, id: string, query = {}): void =>
  void room.ask('DeleteMessage', ADMIN, { params: { id }, query })

const indexed = ({ server }: Room): unknown[] =>
  server.services.db.all('SELECT rowid AS doc FROM message_words ORDER BY rowid')
const findable = ({ server }: Room): unknown[] =>
  server.services.db.all('SELECT doc FROM messages WHERE deleted_at IS NULL ORDER BY doc')

const found = ({ server }: Room, word: string): unknown[] =>
  server.services.db.all(
    'SELECT id FROM messages WHERE doc IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)',
    word,
  )

type Step = (room: Room, id: string, fresh: string) => unknown

const STEPS: readonly Step[] = [
  (room, _id, fresh) => send(room, fresh),
  (room, _id, fresh) => send(room, fresh, 'bob'),
  (room, id) => remove(room, id),
  (room, id) => remove(room, id, { hard: 'true' }),
  (room, id) => room.ask('UndeleteMessage', ADMIN, { params: { id }, body: {} }),
  (room, id, fresh) =>
    room.ask('UpdateMessage', ADMIN, {
      params: { id },
      body: { message: { text: `changed ${fresh}`, user_id: 'ann' } },
    }),
  (room) => room.ask('Ban', ADMIN, { body: { target_user_id: 'bob', delete_messages: 'soft', banned_by_id: 'root' } }),
  (room) => room.ask('Unban', ADMIN, { query: { target_user_id: 'bob' } }),
  (room) => room.ask('TruncateChannel', ADMIN, { params: CHANNEL, body: { user_id: 'root' } }),
]

test(
  'the index has what can be found, after any actions that share a commit, some of them undone',
  { timeout: PATIENCE_MS },
  async () => {
    for (const seed of seedsOf('found words after shared commits', { fixed: 1, fresh: 1, long: 300 }))
      expect(await failuresAfterCommits(seed)).toEqual([])
  },
)

/** Checks the room after each step; what its server failed at. */
async function failuresAfterCommits(seed: number): Promise<readonly unknown[]> {
  const room = madeRoom()
  const ids = seededIds(seed)
  const of = <T>(items: readonly T[]): T => items[Math.floor(ids.random() * items.length)] as T
  const { db } = room.server.services
  const sent: string[] = ['none']
  const act = (): void => {
    const fresh = `m${sent.length}`
    of(STEPS)(room, of(sent.slice(-6)), fresh)
    sent.push(fresh)
  }
  try {
    for (let turn = 0; turn < 40; turn += 1) {
      await room.clock.advance(1_000)
      db.transaction(() => {
        for (let count = of([1, 4, 8, 130]); count > 0; count -= 1) {
          if (of([true, false, false])) undone(room, act)
          else act()
        }
      })
      expect(indexed(room), `turn ${turn}: ${replayLine('tests/contract/messages/words', seed)}`).toEqual(
        findable(room),
      )
    }
    return room.server.failures
  } finally {
    room.close()
  }
}

test('a message is found by its words in the commit that sent it, and not once it is deleted in it', () => {
  const room = madeRoom()
  try {
    room.server.services.db.transaction(() => {
      send(room, 'kept')
      send(room, 'dropped')
      expect(found(room, 'kept')).toEqual([{ id: 'kept' }])
      remove(room, 'dropped')
      expect(found(room, 'dropped')).toEqual([])
    })
    expect(found(room, 'words')).toEqual([{ id: 'kept' }])
  } finally {
    room.close()
  }
})
