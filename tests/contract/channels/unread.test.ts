import { expect, test } from 'vitest'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { TOTALS, unreadTotals, type MemberRow, type Totals } from '#main/server/channels/member-table.ts'
import type { ChannelRow } from '#main/server/channels/channel-table.ts'
import type { MessageRow } from '#main/server/messages/message-table.ts'
import { countedTypes } from '#main/server/channels/channel-types.ts'
import { ADMIN, openRoom, undone, type Room } from '../room.ts'

/**
 * Unread counts are updated incrementally with each message and deletion, and badges are cached outside the store.
 * Whatever happens in whatever order, both equal a count from the rows.
 */
const PEOPLE = ['ann', 'bob', 'cid', 'dan']
const CHANNELS = ['team:one', 'team:two', 'messaging:three']

const paramsOf = (cid: string) => ({ type: cid.split(':')[0] ?? '', id: cid.split(':')[1] ?? '' })

function madeRoom(): Room {
  const room = openRoom(PEOPLE)
  for (const cid of CHANNELS) {
    const data = { members: PEOPLE, created_by_id: 'root' }
    room.done('GetOrCreateChannel', ADMIN, { params: paramsOf(cid), body: { data, user_id: 'root' } })
  }
  return room
}

/** Counted from the rows, independently of the server. See docs/wire.md 8.8. */
function counted(room: Room): Record<string, { unread: Record<string, number>; totals: Totals }> {
  const { db } = room.server.services
  const messages = db.all<MessageRow>('SELECT * FROM messages')
  const channels = db.all<ChannelRow>('SELECT * FROM channels')
  const userMutes = db.all<{ user_id: string; target_id: string }>('SELECT * FROM user_mutes')
  const channelMutes = db.all<{ user_id: string; cid: string }>('SELECT * FROM channel_mutes')
  return Object.fromEntries(
    PEOPLE.map((userId) => {
      const unread: Record<string, number> = {}
      const shown: number[] = []
      for (const member of db.all<MemberRow>('SELECT * FROM members WHERE user_id = ? ORDER BY cid', userId)) {
        const channel = channels.find((each) => each.cid === member.cid)
        const floor = Math.max(member.last_read, member.hide_before ?? 0, channel?.truncated_at ?? 0)
        const muted = userMutes.filter((mute) => mute.user_id === userId).map((mute) => mute.target_id)
        const count = messages.filter(
          (message) =>
            message.cid === member.cid &&
            (message.parent_id === null || message.show_in_channel === 1) &&
            message.created_at > floor &&
            message.user_id !== userId &&
            !muted.includes(message.user_id) &&
            !message.silent &&
            message.deleted_at === null &&
            (message.audience === null || message.audience.includes(`,${userId},`)),
        ).length
        unread[member.cid] = count
        const quiet = channelMutes.some((mute) => mute.user_id === userId && mute.cid === member.cid)
        if (count > 0 && !member.hidden && !quiet && channel?.deleted_at === null) shown.push(count)
      }
      const total = shown.reduce((sum, count) => sum + count, 0)
      return [userId, { unread, totals: { total, channels: shown.length } }]
    }),
  )
}

/** As the server has it: the numbers in the rows, the badge in memory. */
function stored(room: Room): ReturnType<typeof counted> {
  const { db } = room.server.services
  return Object.fromEntries(
    PEOPLE.map((userId) => {
      const rows = db.all<MemberRow>('SELECT * FROM members WHERE user_id = ? ORDER BY cid', userId)
      const unread = Object.fromEntries(rows.map((row) => [row.cid, row.unread]))
      return [userId, { unread, totals: unreadTotals(db, userId) }]
    }),
  )
}

type Chance = {
  of<T>(items: readonly T[]): T
  one(in_: number): boolean
  userId: string
  cid: string
  messageId: string
}
type Step = readonly [name: string, run: (room: Room, chance: Chance) => unknown]

const message = (room: Room, { cid, userId }: Chance, fields: object) =>
  room.ask('SendMessage', userId, { params: paramsOf(cid), body: { message: { text: 'hello', ...fields } } })

const STEPS: readonly Step[] = [
  ['send', (room, chance) => message(room, chance, {})],
  ['send again', (room, chance) => message(room, chance, {})],
  ['send silently', (room, chance) => message(room, chance, { silent: true })],
  ['reply', (room, chance) => message(room, chance, { parent_id: chance.messageId, show_in_channel: chance.one(2) })],
  [
    'send to one',
    (room, chance) =>
      room.ask('SendMessage', ADMIN, {
        params: paramsOf(chance.cid),
        body: { message: { text: 'psst', user_id: chance.userId, restricted_visibility: [chance.of(PEOPLE)] } },
      }),
  ],
  [
    'send and wait',
    (room, { cid, userId }) =>
      room.ask('SendMessage', userId, { params: paramsOf(cid), body: { message: { text: 'later' }, pending: true } }),
  ],
  ['commit', (room, { messageId }) => room.ask('CommitMessage', ADMIN, { params: { id: messageId } })],
  ['delete', (room, { messageId }) => room.ask('DeleteMessage', ADMIN, { params: { id: messageId } })],
  [
    'delete for good',
    (room, { messageId }) => room.ask('DeleteMessage', ADMIN, { params: { id: messageId }, query: { hard: 'true' } }),
  ],
  ['undelete', (room, { messageId }) => room.ask('UndeleteMessage', ADMIN, { params: { id: messageId }, body: {} })],
  [
    'silence',
    (room, chance) =>
      room.ask('UpdateMessagePartial', ADMIN, {
        params: { id: chance.messageId },
        body: { set: { silent: chance.one(2) }, user_id: 'root' },
      }),
  ],
  [
    'truncate',
    (room, { cid }) => room.ask('TruncateChannel', ADMIN, { params: paramsOf(cid), body: { user_id: 'root' } }),
  ],
  ['read', (room, { cid, userId }) => room.ask('MarkRead', userId, { params: paramsOf(cid), body: {} })],
  [
    'read up to',
    (room, { cid, userId, messageId }) =>
      room.ask('MarkRead', userId, { params: paramsOf(cid), body: { message_id: messageId } }),
  ],
  [
    'unread from',
    (room, { cid, userId, messageId }) =>
      room.ask('MarkUnread', userId, { params: paramsOf(cid), body: { message_id: messageId } }),
  ],
  [
    'unread from a time ahead',
    (room, { cid, userId }) =>
      room.ask('MarkUnread', userId, {
        params: paramsOf(cid),
        body: { message_timestamp: new Date(room.clock.now() + 5_000).toISOString() },
      }),
  ],
  ['read all', (room, { userId }) => room.ask('MarkChannelsRead', userId, { body: {} })],
  [
    'hide',
    (room, chance) =>
      room.ask('HideChannel', chance.userId, {
        params: paramsOf(chance.cid),
        body: { clear_history: chance.one(2) },
      }),
  ],
  ['show', (room, { cid, userId }) => room.ask('ShowChannel', userId, { params: paramsOf(cid), body: {} })],
  [
    'mute a channel for a while',
    (room, { cid, userId }) => room.ask('MuteChannel', userId, { body: { channel_cid: cid, expiration: 7_000 } }),
  ],
  ['unmute a channel', (room, { cid, userId }) => room.ask('UnmuteChannel', userId, { body: { channel_cid: cid } })],
  [
    'mute a user',
    (room, chance) =>
      room.ask('MuteUser', chance.userId, {
        body: { target_ids: [chance.of(PEOPLE)], timeout: chance.one(2) ? 1 : 0 },
      }),
  ],
  [
    'unmute a user',
    (room, chance) => room.ask('UnmuteUser', chance.userId, { body: { target_ids: [chance.of(PEOPLE)] } }),
  ],
  [
    'leave',
    (room, { cid, userId }) =>
      room.ask('UpdateChannel', ADMIN, { params: paramsOf(cid), body: { remove_members: [userId] } }),
  ],
  [
    'join',
    (room, { cid, userId }) =>
      room.ask('UpdateChannel', ADMIN, { params: paramsOf(cid), body: { add_members: [userId] } }),
  ],
  [
    'shadow ban',
    (room, { userId }) =>
      room.ask('Ban', ADMIN, { body: { target_user_id: userId, shadow: true, banned_by_id: 'root' } }),
  ],
  ['unban', (room, { userId }) => room.ask('Unban', ADMIN, { query: { target_user_id: userId } })],
  ['time passes', (room) => room.clock.advance(20_000)],
  ['a call is refused', (room, { cid }) => room.ask('SendMessage', 'nobody', { params: paramsOf(cid), body: {} })],
]

/** The same sequence of chances for a seed; messages are those of the room. */
function chances(room: Room, seed: number): { of: Chance['of']; next: () => Chance } {
  const ids = seededIds(seed)
  const of = <T>(items: readonly T[]): T => items[Math.floor(ids.random() * items.length)] as T
  const newest = 'SELECT id FROM messages ORDER BY created_at DESC LIMIT 12'
  const next = (): Chance => {
    const held = room.server.services.db.all<{ id: string }>(newest)
    return {
      of,
      one: (count) => Math.floor(ids.random() * count) === 0,
      userId: of(PEOPLE),
      cid: of(CHANNELS),
      messageId: held.length > 0 ? of(held).id : '',
    }
  }
  return { of, next }
}

test('badges and unread counts equal a recount after any sequence of actions', { timeout: PATIENCE_MS }, async () => {
  for (const seed of seedsOf('unread counts after actions', { fixed: 2, fresh: 1, long: 1_000 }))
    expect(await failuresAfterActions(seed)).toEqual([])
})

/** Checks the room after each step; what its server failed at. */
async function failuresAfterActions(seed: number): Promise<readonly unknown[]> {
  const room = madeRoom()
  const { of, next } = chances(room, seed)
  try {
    const done: string[] = []
    for (let turn = 0; turn < 120; turn += 1) {
      await room.clock.advance(1_000)
      const chance = next()
      const [name, run] = of(STEPS)
      await run(room, chance)
      done.push(`${name} ${chance.userId} ${chance.cid}`)
      const after = done.slice(-3)
      expect(stored(room), `${after.join()}: ${replayLine('tests/contract/channels/unread', seed)}`).toEqual(
        counted(room),
      )
    }
    return room.server.failures
  } finally {
    room.close()
  }
}

test(
  'so they do after any actions that share a commit, mostly messages, some of them undone',
  { timeout: PATIENCE_MS },
  async () => {
    for (const seed of seedsOf('unread counts after shared commits', { fixed: 2, fresh: 1, long: 300 }))
      expect(await failuresAfterCommits(seed)).toEqual([])
  },
)

/** Checks the room after each step; what its server failed at. */
async function failuresAfterCommits(seed: number): Promise<readonly unknown[]> {
  const room = madeRoom()
  const { of, next } = chances(room, seed)
  const { db } = room.server.services
  const sharing = STEPS.filter(([name]) => name !== 'time passes')
  const [send] = STEPS
  try {
    for (let turn = 0; turn < 60; turn += 1) {
      await room.clock.advance(1_000)
      const done: string[] = []
      const act = (): void => {
        const chance = next()
        const [name, run] = chance.one(3) ? of(sharing) : (send ?? of(sharing))
        void run(room, chance)
        done.push(`${name} ${chance.userId} ${chance.cid}`)
      }
      const twice = (): void => {
        act()
        act()
      }
      db.transaction(() => {
        for (let count = 1 + of([0, 3, 7, 140]); count > 0; count -= 1) {
          if (of([true, false, false, false])) undone(room, twice)
          else act()
        }
      })
      expect(stored(room), `${done.join()}: ${replayLine('tests/contract/channels/unread', seed)}`).toEqual(
        counted(room),
      )
    }
    return room.server.failures
  } finally {
    room.close()
  }
}

test('what an author has read of a channel is found by a query of the same commit', () => {
  const room = madeRoom()
  const { db } = room.server.services
  const read = 'SELECT last_read AS at FROM members WHERE cid = ? AND user_id = ?'
  const written = 'SELECT created_at AS at FROM messages WHERE cid = ? AND user_id = ?'
  try {
    db.transaction(() => {
      message(room, { userId: 'ann', cid: 'team:one' } as Chance, {})
      expect(db.get(read, 'team:one', 'ann')).toEqual(db.get(written, 'team:one', 'ann'))
    })
  } finally {
    room.close()
  }
})

test('hundreds of messages of one commit all count', () => {
  const room = madeRoom()
  try {
    room.server.services.db.transaction(() => {
      for (let count = 0; count < 250; count += 1) message(room, { userId: 'ann', cid: 'team:one' } as Chance, {})
    })
    expect(stored(room)).toEqual(counted(room))
    expect(stored(room)['bob']?.unread['team:one']).toBe(250)
  } finally {
    room.close()
  }
})

test('badges read for many users at once are the ones each would get alone', () => {
  const room = madeRoom()
  try {
    message(room, { userId: 'ann', cid: 'team:one' } as Chance, {})
    const { db } = room.server.services
    const rows = db.all<Totals & { user_id: string }>(TOTALS, JSON.stringify(PEOPLE), countedTypes(db))
    const notified = rows.map(({ user_id: userId, total, channels }) => `${userId} ${total} ${channels}`)
    expect(notified.toSorted()).toEqual(['bob 1 1', 'cid 1 1', 'dan 1 1'])
  } finally {
    room.close()
  }
})
