import { describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { aMemoryFolder, openTestStores } from '#kit/stores.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import type { NewIntent } from '#main/engine/outbox/merge.ts'
import { Outbox, REMOVES } from '#main/engine/outbox/outbox.ts'
import { Runner } from '#main/engine/outbox/runner.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { CALL_TABLE, type CallRow, type Outcome } from './call-table.ts'

/** Every row of the table of failed calls × nine kinds of tasks × three moments. */
const cid = asCid('team:general')
const about = { cid, messageId: asMessageId('m1'), id: 'task' }
const NEW_INTENTS: readonly NewIntent[] = [
  {
    ...about,
    kind: 'send-message',
    payload: { text: 'hello', mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: 1 },
  },
  { ...about, kind: 'send-reaction', payload: { type: 'like', score: 1, reactedAt: 1 } },
  { ...about, kind: 'delete-reaction', payload: { type: 'like' } },
  { ...about, kind: 'edit-message', payload: { text: 'new', mentionedUserIds: [], editedAt: 1 } },
  { ...about, kind: 'delete-message', payload: { deletedAt: 1 } },
  { ...about, kind: 'pin-message', payload: { pinned: true, pinnedAt: 1 } },
  { ...about, kind: 'cast-vote', payload: { pollId: 'p1', optionId: 'o1' } },
  { cid, id: 'task', kind: 'mark-read', payload: { readAt: 1 } },
  { ...about, kind: 'set-reminder', payload: { setAt: 1 } },
]
const MOMENTS = ['first try', 'third try', 'during a drain'] as const
type Moment = (typeof MOMENTS)[number]
type Case = { readonly row: CallRow; readonly newIntent: NewIntent; readonly moment: Moment }

const BEFORE: NewIntent = {
  cid,
  id: 'before',
  kind: 'send-reaction',
  messageId: asMessageId('m0'),
  payload: { type: 'a', score: 1, reactedAt: 1 },
}
const AFTER: NewIntent = { ...BEFORE, id: 'after', messageId: asMessageId('m9') }

/** The expected outcome of this case. */
function expected({ row, newIntent, moment }: Case): Outcome {
  if (row.removes && REMOVES.has(newIntent.kind)) return row.removes
  return moment === 'third try' ? (row.third ?? row.first) : row.first
}

async function play(outbox: Outbox, given: Case): Promise<string[]> {
  const { row, newIntent, moment } = given
  const clock = new ManualClock()
  const tried: string[] = []
  const held: string[] = []
  let [answersWell, freed] = [false, false]
  outbox.remove(outbox.all().map(({ id }) => id))
  if (moment === 'during a drain') outbox.add(BEFORE)
  outbox.add(newIntent)
  if (moment === 'third try') outbox.update('task', { attempts: 2 })
  if (moment === 'during a drain') outbox.add(AFTER)
  const runner = new Runner({
    outbox,
    clock,
    ids: seededIds(3),
    log: logger('outbox', silentSink),
    perform: async ({ id }) => {
      tried.push(id)
      if (id !== 'task' || !row.failure || answersWell) return {}
      throw new ApiError(row.failure, { operation: 'Call', retryAfterMs: row.retryAfterMs })
    },
    verify: async () => ({}),
    applyFacts: () => undefined,
    filesReady: () => true,
    onParked: () => undefined,
    onHeld: (code) => void held.push(code),
    onFreed: () => void (freed = true),
  })
  runner.open()
  await clock.settle()
  const faults = judge(outbox, given, { tried, held })
  const outcome = expected(given)
  if (outcome.is === 'waiting' && row.retryAfterMs === undefined) {
    await clock.advance(outcome.atLeastMs - 1)
    if (tried.filter((id) => id === 'task').length !== 1) faults.push(`was tried again before ${outcome.atLeastMs} ms`)
  }
  if (outcome.is === 'held') {
    answersWell = true
    await clock.advance(5_000)
    if (outbox.count() > 0) faults.push('stays behind after the server takes it again')
    if (!freed) faults.push('nobody is told that it goes on')
  }
  await runner.stop()
  return faults.map((fault) => `${newIntent.kind}, ${moment}: ${fault}`)
}

type Seen = { readonly tried: readonly string[]; readonly held: readonly string[] }

function judge(outbox: Outbox, given: Case, { tried, held }: Seen): string[] {
  const outcome = expected(given)
  const item = outbox.byId('task')
  const is = held.length > 0 ? 'held' : (item?.state ?? 'done')
  const faults = is === outcome.is ? [] : [`is ${is}, not ${outcome.is}`]
  if (outcome.is === 'waiting' && (item?.nextAt ?? 0) - new ManualClock().now() < outcome.atLeastMs)
    faults.push('waits too short')
  if (outcome.is === 'parked' && item?.reason === undefined) faults.push('is parked without a reason')
  if (given.moment !== 'during a drain') return faults
  const ownLane = given.newIntent.kind === 'mark-read' || given.newIntent.kind === 'set-reminder'
  const continues = outcome.is === 'done' || outcome.is === 'parked' || (outcome.is === 'waiting' && ownLane)
  if (!ownLane && tried.includes('after') !== continues)
    faults.push(`what comes after ${continues ? 'stays behind' : 'overtakes it'}`)
  if (tried[0] !== 'before') faults.push('it overtakes what came before')
  return faults
}

describe('the table of failed calls', () => {
  test.each(CALL_TABLE)('$answer: every kind of task, at every moment', async (row) => {
    const { outbox: store } = openTestStores({ folder: aMemoryFolder() })
    const outbox = new Outbox({ store, ids: seededIds(), clock: new ManualClock() })
    const faults: string[] = []
    for (const moment of MOMENTS)
      for (const newIntent of NEW_INTENTS) faults.push(...(await play(outbox, { row, newIntent, moment })))
    expect(faults).toEqual([])
  })

  test('there are 540 cases', () => {
    expect(CALL_TABLE.length * NEW_INTENTS.length * MOMENTS.length).toBe(540)
  })
})
