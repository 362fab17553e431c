import { expect, test } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aChannelRow, aMessageRow } from '#kit/rows.ts'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openTestStores } from '#kit/stores.ts'
import type { MessageRow, RangeScope } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import * as channels from '../channels/channels.ts'
import * as ends from './ends.ts'
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

type Chance = { readonly pick: (count: number) => number; readonly at: number }
type Step = (tx: Tx, chance: Chance) => void

/** Some are at the same time, and their order as UTF-8 is another one than in a string. */
const NAMES = ['m', '\u{1F600}', '\uFFFD']

/** A message of either room, some of them replies that the channel shows or not, some hidden from others. */
function someRow({ pick, at }: Chance, createdAt: number): MessageRow {
  const room = pick(2)
  const parentId = pick(3) === 0 ? LEADS[room] : undefined
  const id = asMessageId(`${NAMES[pick(3)] ?? ''}${at}-${pick(3)}`)
  const fields = { parentId, showInChannel: pick(2) === 0, shadowed: pick(8) === 0, userId: asUserId('ana') }
  return aMessageRow({ id, cid: ROOMS[room], createdAt, updatedAt: at, asOf: at, ...fields })
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
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at - chance.pick(3)), true),
  (tx, chance) => void messages.put(tx, someRow(chance, chance.at + chance.pick(2))),
  toHeld(() => ({ text: 'said otherwise' })),
  toHeld(() => ({ replyCount: 3 })),
  toHeld(() => ({ type: 'deleted', text: '' }), messages.replace),
  toHeld((_row, { at, pick }) => ({ createdAt: at - pick(20) })),
  toHeld((_row, { pick }) => ({ shadowed: pick(2) === 0 })),
  toHeld(({ showInChannel }) => ({ showInChannel: !showInChannel })),
  toHeld((_row, { pick }) => ({ cid: ROOMS[pick(2)] ?? ROOMS[0] })),
  (tx, chance) => void timeline.receive(tx, someRow(chance, chance.at - 100 - chance.pick(500)), false),
  (tx, chance) => removal.drop(tx, someHeld(tx, chance)?.id ?? ''),
  (tx, chance) => removal.removeForGood(tx, someHeld(tx, chance) ?? someRow(chance, chance.at), chance.at),
  (tx, { pick, at }) => removal.truncate(tx, ROOMS[pick(2)] ?? ROOMS[0], pick(4) === 0 ? undefined : at - pick(30)),
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
function failureIn(reader: Reader, scope: RangeScope, pick: Chance['pick']): unknown {
  const all = pages.between(reader, scope, pages.BEGINNING, pages.END)
  const from = pick(8) === 0 ? { createdAt: pick(3_000), id: 'x' } : (all.at(-1 - pick(8)) ?? pages.BEGINNING)
  const asked = [ends.newest(reader, scope, OPENING), ends.since(reader, scope, from)]
  const wanted = [all.slice(-OPENING), pages.between(reader, scope, from, pages.END)]
  const begins = [from, ...all.slice(-4)].map((key) => ends.hasBefore(reader, scope, key))
  const truly = [from, ...all.slice(-4)].map((key) => pages.before(reader, scope, key, 1).length > 0)
  const isSame = JSON.stringify([asked, begins]) === JSON.stringify([wanted, truly])
  return isSame ? undefined : { scope, from, asked, wanted, begins, truly }
}

function firstFailure(seed: number): unknown {
  const { cache } = openTestStores()
  const random = seededIds(seed)
  const pick = (count: number): number => Math.floor(random.random() * count)
  const ask = (reader: Reader): unknown =>
    SCOPES.filter(() => pick(3) > 0).flatMap((scope) => failureIn(reader, scope, pick) ?? [])[0]
  const undone = new Error('undone')
  const someSteps = (tx: Tx, at: number): void => {
    for (let count = 1 + pick(3); count > 0; count -= 1)
      STEPS[pick(pick(6) === 0 ? STEPS.length : OFTEN)]?.(tx, { pick, at })
  }
  const undoneSteps = (at: number): void => {
    try {
      cache.transaction((tx) => {
        someSteps(tx, at)
        ask(tx)
        throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
  }
  cache.transaction((tx) => mayModerate(tx, false))
  for (let at = 2_000; at < 2_400; at += 1) {
    let failure: unknown
    if (pick(8) === 0) undoneSteps(at)
    cache.transaction((tx) => {
      someSteps(tx, at)
      if (pick(8) === 0) undoneSteps(at)
      if (pick(4) === 0) failure = ask(tx)
      someSteps(tx, at)
    })
    failure ??= ask(cache.reader)
    if (failure !== undefined) return failure
  }
  return undefined
}

test('the end of a list that is remembered is the one in the file, whatever happened', { timeout: PATIENCE_MS }, () => {
  for (const seed of seedsOf('remembered ends of lists', { fixed: 4, fresh: 3, long: 2_000, share: 0.005 }))
    expect(firstFailure(seed), replayLine('main/cache/messages/ends', seed)).toBeUndefined()
})

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
