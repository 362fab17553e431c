import { expect, test } from 'vitest'
import { asCid, asMessageId, asUserId, type Cid } from '#shared/lib/brand.ts'
import { aChannelRow, aMessageRow } from '#kit/rows.ts'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import type { MessageRow, RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as ends from './ends.ts'
import * as hours from './hours.ts'
import * as messages from './messages.ts'
import * as pages from './pages.ts'
import * as removal from './removal.ts'
import * as timeline from './timeline.ts'

const ROOMS = [asCid('messaging:a'), asCid('messaging:b')] as const
const LEADS = [asMessageId('lead-a'), asMessageId('lead-b')] as const
const SCOPES: readonly RangeScope[] = [
  ...ROOMS.map((cid): RangeScope => `timeline:${cid}`),
  ...LEADS.map((id): RangeScope => `thread:${id}`),
]
const OPENING = 5
/** Between two turns: some messages are at the first moment of an hour. */
const TURN_MS = hours.HOUR_MS / 6

type Chance = { readonly pick: (count: number) => number; readonly at: number }
type Step = (tx: Tx, chance: Chance) => void

/** Some are at the same time, and their order as UTF-8 is another one than in a string. */
const NAMES = ['m', '\u{1F600}', '\uFFFD']

/** A message of either room, some of them replies that the channel shows or not, some hidden from others. */
function someRow({ pick, at }: Chance, createdAt: number): MessageRow {
  const room = pick(2)
  const parentId = pick(3) === 0 ? LEADS[room] : undefined
  const id = asMessageId(`${NAMES[pick(3)] ?? ''}${at}-${pick(3)}`)
  const seen = { showInChannel: pick(2) === 0, shadowed: pick(8) === 0, silent: pick(8) === 0 }
  const userId = asUserId(pick(6) === 0 ? 'me' : 'ana')
  return aMessageRow({ id, cid: ROOMS[room], parentId, userId, createdAt, updatedAt: at, asOf: at, ...seen })
}

function someHeld(tx: Tx, { pick }: Chance): MessageRow | undefined {
  const keys = pages.newest(tx, SCOPES[pick(SCOPES.length)] ?? 'timeline:', 12)
  const key = keys[pick(keys.length)]
  return key && messages.byId(tx, key.id)
}

/** A change to a message that is cached. */
const toHeld =
  (
    change: (row: MessageRow, chance: Chance) => Partial<MessageRow>,
    write: typeof messages.replace = messages.put,
  ): Step =>
  (tx, chance) => {
    const row = someHeld(tx, chance)
    if (row) write(tx, { ...row, updatedAt: chance.at, asOf: chance.at, ...change(row, chance) })
  }

const STEPS: readonly Step[] = [
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at), chance.pick(4) > 0),
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at), true),
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at - chance.pick(3) * TURN_MS), true),
  (tx, chance) => void messages.put(tx, someRow(chance, chance.at + chance.pick(2) * TURN_MS)),
  toHeld(() => ({ text: 'said otherwise' })),
  toHeld(() => ({ replyCount: 3 })),
  toHeld(() => ({ type: 'deleted', text: '' }), messages.replace),
  toHeld((_row, { at, pick }) => ({ createdAt: at - pick(20) * TURN_MS })),
  toHeld((_row, { pick }) => ({ shadowed: pick(2) === 0 })),
  toHeld(({ showInChannel }) => ({ showInChannel: !showInChannel })),
  toHeld((_row, { pick }) => ({ cid: ROOMS[pick(2)] ?? ROOMS[0] })),
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at - (100 + chance.pick(500)) * TURN_MS), false),
  (tx, chance) => removal.drop(tx, someHeld(tx, chance)?.id ?? ''),
  (tx, chance) => removal.removeForGood(tx, someHeld(tx, chance) ?? someRow(chance, chance.at), chance.at),
  (tx, { pick, at }) =>
    removal.truncate(tx, ROOMS[pick(2)] ?? ROOMS[0], pick(4) === 0 ? undefined : at - pick(30) * TURN_MS),
  (tx, { pick }) => mayModerate(tx, pick(2) === 0),
  (tx, { pick, at }) => {
    mayModerate(tx, pick(2) === 0)
    for (const row of messages.byIds(tx, messages.idsBy(tx, asUserId('ana')))) {
      if (row.shadowed) messages.put(tx, { ...row, updatedAt: at, asOf: at })
    }
  },
  (tx, { pick }) => channels.remove(tx, ROOMS[pick(2)] ?? ROOMS[0]),
]
/** Most of what happens: messages come last. */
const OFTEN = 6

function mayModerate(tx: Tx, may: boolean): void {
  const capabilities = may ? ['ban-channel-members'] : []
  const asOf = (channels.byCid(tx, ROOMS[0])?.asOf ?? 0) + 1
  for (const cid of ROOMS) channels.put(tx, aChannelRow({ cid, capabilities, updatedAt: asOf, asOf }))
}

/** What a list asks for: its end from some key on, and whether there is more before. */
function failureOfEnd(reader: Reader, scope: RangeScope, pick: Chance['pick']): unknown {
  const all = pages.between(reader, scope, pages.BEGINNING, pages.END)
  const from = pick(8) === 0 ? { createdAt: pick(3_000) * TURN_MS, id: 'x' } : (all.at(-1 - pick(8)) ?? pages.BEGINNING)
  const asked = [ends.newest(reader, scope, OPENING), ends.since(reader, scope, from)]
  const wanted = [all.slice(-OPENING), pages.between(reader, scope, from, pages.END)]
  const begins = [from, ...all.slice(-4)].map((key) => ends.hasBefore(reader, scope, key))
  const truly = [from, ...all.slice(-4)].map((key) => pages.before(reader, scope, key, 1).length > 0)
  const isSame = JSON.stringify([asked, begins]) === JSON.stringify([wanted, truly])
  return isSame ? undefined : { scope, from, asked, wanted, begins, truly }
}

/** What Catch up asks for: messages of others in parts of time, some of which begin within an hour. */
function failureOfHours(reader: Reader, cid: Cid, { pick, at }: Chance): unknown {
  const starts = Array.from({ length: 1 + pick(4) }, () => at + (2 - pick(60)) * TURN_MS + pick(2) * pick(TURN_MS))
  starts.sort((a, b) => a - b)
  const counted = starts.map(() => 0)
  for (const { part, count } of hours.counts(reader, [cid], starts)) counted[part] = (counted[part] ?? 0) + count
  const held = messages.byIds(
    reader,
    pages.between(reader, `timeline:${cid}`, pages.BEGINNING, pages.END).map(({ id }) => id),
  )
  const times = held
    .filter(({ userId, type, silent, shadowed }) => userId !== 'me' && type !== 'deleted' && !silent && !shadowed)
    .map(({ createdAt }) => createdAt)
  const wanted = starts.map(
    (start, part) => times.filter((time) => time > start && time <= (starts[part + 1] ?? Infinity)).length,
  )
  return JSON.stringify(counted) === JSON.stringify(wanted) ? undefined : { cid, starts, counted, wanted }
}

function firstFailure(seed: number): unknown {
  const { cache } = openTestStores()
  const random = seededIds(seed)
  const pick = (count: number): number => Math.floor(random.random() * count)
  const ask = (reader: Reader, at: number): unknown =>
    [
      ...SCOPES.map((scope) => () => failureOfEnd(reader, scope, pick)),
      ...ROOMS.map((cid) => () => failureOfHours(reader, cid, { pick, at })),
    ]
      .filter(() => pick(3) > 0)
      .flatMap((failure) => failure() ?? [])[0]
  const undone = new Error('undone')
  const someSteps = (tx: Tx, at: number): void => {
    for (let count = 1 + pick(3); count > 0; count -= 1)
      STEPS[pick(pick(6) === 0 ? STEPS.length : OFTEN)]?.(tx, { pick, at })
  }
  const undoneSteps = (at: number): void => {
    try {
      cache.transaction((tx) => {
        someSteps(tx, at)
        ask(tx, at)
        throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
  }
  cache.transaction((tx) => mayModerate(tx, false))
  for (let turn = 2_000; turn < 2_400; turn += 1) {
    const at = turn * TURN_MS
    let failure: unknown
    if (pick(8) === 0) undoneSteps(at)
    cache.transaction((tx) => {
      someSteps(tx, at)
      if (pick(8) === 0) undoneSteps(at)
      if (pick(4) === 0) failure = ask(tx, at)
      someSteps(tx, at)
    })
    failure ??= ask(cache.reader, at)
    if (failure !== undefined) return failure
  }
  return undefined
}

test(
  'what is remembered of a list and of an hour is what the file has, whatever happened',
  { timeout: PATIENCE_MS },
  () => {
    for (const seed of seedsOf('remembered parts of lists', { fixed: 4, fresh: 3, long: 2_000, share: 0.005 }))
      expect(firstFailure(seed), replayLine('main/cache/messages/remembered', seed)).toBeUndefined()
  },
)

test('a message that comes last is added to the end of its list without reading', () => {
  const { cache } = openTestStores()
  const arrives = (createdAt: number): void =>
    cache.transaction((tx) => {
      messages.put(tx, aMessageRow({ id: asMessageId(`m${createdAt}`), cid: ROOMS[0], createdAt }))
    })
  const held = (): unknown => cache.reader.db.memo.ends.peek(`timeline:${ROOMS[0]}`)
  arrives(1)
  ends.newest(cache.reader, `timeline:${ROOMS[0]}`, OPENING)
  arrives(2)
  expect(held()).toMatchObject({ keys: [{ id: 'm1' }, { id: 'm2' }] })
  arrives(1.5)
  expect(held()).toBeUndefined()
})
