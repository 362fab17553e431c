import { expect, test } from 'vitest'
import { PATIENCE_MS, replayLine, seedsOf, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Route } from '#main/server/http/router.ts'
import { routes } from '#main/server/routes.ts'
import { recountMembers, recountMessages } from '#main/server/channels/channel-table.ts'
import { recountUnread } from '#main/server/channels/member-table.ts'
import { recountReplies } from '#main/server/messages/message-table.ts'
import { inProcess, type Caller, type Call, type InProcess } from '../contract/in-process.ts'
import { leaksIn } from './judge.ts'
import { pick, randomCall, type Dice } from './random-call.ts'

/** Whatever users do one after another, the server's running counts equal a count of the rows. */

const byOperation = new Map(routes.map((route) => [route.operation, route]))
const server: Caller = { userId: '', kind: 'server' }
const PEOPLE = ['ann', 'bob', 'cat']
const ROOM = { type: 'messaging', id: 'one' }
const CALLS = 250
const LOOK_EVERY = 5

type Step = { readonly route: Route; readonly who: Caller; readonly call: Call }

/** Calls that make sense, about objects that mostly exist. */
const MEANT: readonly ((dice: Dice) => readonly [operation: string, call: Call])[] = [
  (dice) => ['SendMessage', message(dice, {})],
  (dice) => ['SendMessage', message(dice, {})],
  (dice) => ['SendMessage', message(dice, { parent_id: anyMessage(dice), show_in_channel: dice.random() < 0.5 })],
  (dice) => ['SendMessage', message(dice, { silent: true })],
  (dice) => ['SendMessage', message(dice, { restricted_visibility: [pick(dice, PEOPLE)] })],
  (dice) => ['UpdateMessage', { params: { id: anyMessage(dice) }, body: { message: { text: 'edited' } } }],
  (dice) => [
    'DeleteMessage',
    { params: { id: anyMessage(dice) }, query: { hard: dice.random() < 0.3 ? 'true' : 'false' } },
  ],
  (dice) => ['DeleteMessage', { params: { id: anyMessage(dice) } }],
  (dice) => ['DeleteMessage', { params: { id: anyMessage(dice) } }],
  (dice) => ['UndeleteMessage', { params: { id: anyMessage(dice) } }],
  (dice) => [
    'SendReaction',
    {
      params: { id: anyMessage(dice) },
      body: { reaction: { type: pick(dice, ['like', 'love']) }, enforce_unique: dice.random() < 0.5 },
    },
  ],
  (dice) => ['DeleteReaction', { params: { id: anyMessage(dice), type: 'like' } }],
  () => ['MarkRead', { params: ROOM, body: {} }],
  (dice) => ['MarkUnread', { params: ROOM, body: { message_id: anyMessage(dice) } }],
  () => ['HideChannel', { params: ROOM, body: { clear_history: true } }],
  () => ['ShowChannel', { params: ROOM, body: {} }],
  (dice) => ['TruncateChannel', { params: ROOM, body: { hard_delete: dice.random() < 0.5, skip_push: true } }],
  (dice) => ['UpdateChannel', { params: ROOM, body: { remove_members: [pick(dice, PEOPLE)] } }],
  (dice) => [
    'UpdateChannel',
    { params: ROOM, body: { add_members: [pick(dice, PEOPLE)], hide_history: dice.random() < 0.5 } },
  ],
  (dice) => ['MuteUser', { body: { target_id: pick(dice, PEOPLE) } }],
  (dice) => ['UnmuteUser', { body: { target_id: pick(dice, PEOPLE) } }],
  (dice) => [
    'Ban',
    { body: { target_user_id: pick(dice, PEOPLE), channel_cid: 'messaging:one', shadow: dice.random() < 0.5 } },
  ],
  (dice) => ['Unban', { query: { target_user_id: pick(dice, PEOPLE), channel_cid: 'messaging:one' } }],
]

/** The first of them: writing, deleting, reacting. */
const MEANT_EVERY_DAY = 12

let sent = 0
/** Mostly one of the last few, which mostly exists. */
const anyMessage = (dice: Dice): string => `m${Math.max(0, sent - Math.floor(dice.random() ** 2 * 12))}`
function message(dice: Dice, more: object): Call {
  sent += 1
  return {
    params: ROOM,
    body: { message: { id: `m${sent}`, text: pick(dice, ['hi', 'a https://x.example/', '/mute']), ...more } },
  }
}

function nextStep(dice: Dice): Step {
  const who = pick(dice, [
    ...PEOPLE.map((userId) => ({ userId })),
    { userId: pick(dice, PEOPLE), kind: 'server' } as Caller,
  ])
  if (dice.random() < 0.25) {
    const route = pick(dice, routes)
    return { route, who, call: randomCall(dice, route) }
  }
  // Calls that empty the channel are rare, so that there is something to count.
  const meant = dice.random() < 0.5 ? MEANT.slice(0, MEANT_EVERY_DAY) : MEANT
  const [operation, call] = pick(dice, meant)(dice)
  const route = byOperation.get(operation)
  if (!route) throw new Error(`no route ${operation}`)
  return { route, who, call }
}

function begin(world: InProcess): void {
  const must = (operation: string, who: Caller, call: Call) => {
    const { code, reply } = world.call(byOperation.get(operation) as Route, who, call)
    if (code !== undefined) throw new Error(`${operation}: ${JSON.stringify(reply)}`)
  }
  must('UpdateUsers', server, { body: { users: { ann: { role: 'admin' }, bob: { name: 'Bob' }, cat: {} } } })
  must('GetOrCreateChannel', { userId: 'ann' }, { params: ROOM, body: { data: { members: PEOPLE } } })
}

const COUNTS = {
  unread: 'SELECT cid, user_id, unread FROM members ORDER BY cid, user_id',
  channels:
    'SELECT cid, member_count, message_count, last_message_at FROM channels WHERE deleted_at IS NULL ORDER BY cid',
  replies: 'SELECT id, reply_count, deleted_reply_count FROM messages ORDER BY id',
} as const

/** The counters that differ from a count of the rows. */
function miscounts(world: InProcess): object[] {
  const { db } = world.services
  const read = () => Object.values(COUNTS).flatMap((sql) => db.all(sql).map((row) => JSON.stringify(row)))
  const before = read()
  for (const { cid } of db.all<{ cid: string }>('SELECT cid FROM channels WHERE deleted_at IS NULL')) {
    recountUnread(db, cid)
    recountMembers(db, cid)
    recountMessages(db, cid)
  }
  for (const { id } of db.all<{ id: string }>('SELECT id FROM messages WHERE parent_id IS NULL')) recountReplies(db, id)
  const after = new Set(read())
  const integrity = db.pragma('integrity_check')
  return [
    ...before.filter((row) => !after.has(row)).map((row) => ({ counted: row })),
    ...(integrity === 'ok' ? [] : [{ integrity }]),
    ...db.all('PRAGMA foreign_key_check').map((row) => ({ orphan: row })),
  ]
}

test('SRV-62 after many calls every count is right and the store is intact', { timeout: PATIENCE_MS }, async () => {
  const amount: Amount = { fixed: 2, fresh: 1, long: 600, share: 0.04 }
  for (const seed of seedsOf('calls one after another, with the counts', amount))
    expect(await faultsOf(seed), replayLine('tests/fuzz/lasting', seed)).toEqual([])
})

/** What is wrong, and after it the calls that led to it. */
async function faultsOf(seed: number): Promise<readonly unknown[]> {
  const world = inProcess()
  const clock = world.services.clock as ManualClock
  const dice = seededIds(seed)
  sent = 0
  const tried: string[] = []
  const done = new Set<string>()
  try {
    begin(world)
    for (let turn = 0; turn < CALLS; turn += 1) {
      const { route, who, call } = nextStep(dice)
      const { code, reply } = world.call(route, who, call)
      if (code === undefined) {
        tried.push(`${who.kind ?? ''} ${who.userId} ${route.operation} ${JSON.stringify(call)}`)
        done.add(route.operation)
      }
      const faults: unknown[] = [
        ...(code === -1 ? ['an error of the server', reply] : []),
        ...leaksIn(JSON.stringify(reply)),
      ]
      await clock.advance(1 + Math.floor(dice.random() * 1_000))
      // Often: a wrong count is corrected by the next truncation.
      if (turn % LOOK_EVERY === 0 || turn === CALLS - 1) faults.push(...miscounts(world))
      if (faults.length > 0) return [...faults, ...tried]
    }
    if (done.size <= 8) return [`only ${[...done].join()} succeeded`]
    return world.failures
  } finally {
    world.close()
  }
}
