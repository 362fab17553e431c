import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createRig, type Rig } from '../bench/rig.ts'
import { channelCid, SEED_L, SEED_S, type SeedSize } from '../bench/seeds.ts'
import { newMessageFrames, SEED_NOW } from '../bench/wire.ts'

/**
 * The cost of an action must not grow with the account. It is counted, not timed, so that a slow machine cannot make it
 * fail: statements of both databases, and change-sets for the window.
 */
type Cost = { readonly statements: number; readonly pushes: number }

/**
 * A stopped clock: the speed of the machine decides nothing, such as whether a failed request is already due for a
 * retry.
 */
const STOPPED_CLOCK = { now: () => SEED_NOW, monotonic: () => 0 }

/** As many channels as the seed has; as many messages as a test may wait for, all unread except in the open channel. */
const MESSAGES = { S: 500, L: 10_000 } as const
const TIMES = 20

let small: Rig
let large: Rig

beforeAll(async () => {
  small = await filled(SEED_S)
  large = await filled(SEED_L)
}, 60_000)

afterAll(async () => {
  await small.stop()
  await large.stop()
})

const ids = seededIds(5)
let time = SEED_NOW
let label = 0

function frames(count: number, channels: readonly number[]): string[] {
  time += 1e6
  label += 1
  return newMessageFrames(`growth-${label}`, count, channels, time, () => ids.random())
}

async function filled(size: SeedSize & { readonly name: keyof typeof MESSAGES }): Promise<Rig> {
  const rig = await createRig(size, {}, STOPPED_CLOCK)
  const channels = size.messages.map((_, index) => index)
  const all = frames(MESSAGES[size.name], channels)
  for (let from = 0; from < all.length; from += 500) rig.receive(all.slice(from, from + 500))
  await rig.settle()
  return rig
}

/** The highest cost of several runs of the same action; the first runs, which fill caches, do not count. */
async function costOf(rig: Rig, act: (turn: number) => Promise<void> | void): Promise<Cost> {
  for (let turn = 0; turn < 3; turn += 1) await act(turn)
  await rig.settle()
  const costs: Cost[] = []
  for (let turn = 3; turn < TIMES; turn += 1) {
    rig.takeStatements()
    rig.takeChanges()
    await act(turn)
    await rig.settle()
    costs.push({ statements: rig.takeStatements(), pushes: rig.takeChanges().length })
  }
  const dearest = (pick: (cost: Cost) => number): number => Math.max(...costs.map(pick))
  return { statements: dearest((cost) => cost.statements), pushes: dearest((cost) => cost.pushes) }
}

async function bothCosts(act: (rig: Rig) => (turn: number) => Promise<void> | void): Promise<readonly [Cost, Cost]> {
  return [await costOf(small, act(small)), await costOf(large, act(large))]
}

/** A difference of one statement is ignored: a row may be read for the first time. */
const isAlike = (S: Cost, L: Cost): boolean => L.pushes === S.pushes && Math.abs(L.statements - S.statements) <= 1

test('an event of a channel that is not shown costs the same in a small and in a large account', async () => {
  const [S, L] = await bothCosts((rig) => () => rig.receive(frames(1, [3])))
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
  expect(S.pushes).toBe(1)
  expect(S.statements).toBeLessThan(20)
})

test('an event of the open channel costs the same in a small and in a large account', async () => {
  const [S, L] = await bothCosts((rig) => () => rig.receive(frames(1, [0])))
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
  expect(S.statements).toBeLessThan(10)
})

test('a batch reaches the window as one change-set, and costs no more per event than a single event does', async () => {
  const [S, L] = await bothCosts((rig) => () => rig.receive(frames(50, [3])))
  expect(S.pushes).toBe(1)
  expect(L.pushes).toBe(1)
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
  expect(S.statements).toBeLessThan(50 * 10)
})

test('sending a message costs the same in a small and in a large account', async () => {
  const [S, L] = await bothCosts((rig) => async (turn) => {
    const cid = asCid(channelCid(0))
    const rest = { showInChannel: false, mentionedUserIds: [], uploadIds: [], files: [], whenReady: false }
    await rig.engine.handlers.messages.send({ cid, text: `word ${turn}`, ...rest }, rig.client)
  })
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
})

test('switching channels costs the same in a small and in a large account', async () => {
  const [S, L] = await bothCosts((rig) => async (turn) => {
    const [from, to] = turn % 2 === 0 ? [5, 6] : [6, 5]
    await rig.engine.handlers.channels.close({ cid: asCid(channelCid(from)) }, rig.client)
    await rig.engine.handlers.channels.open({ cid: asCid(channelCid(to)) }, rig.client)
  })
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
})

test('only the counters of its channel reach the window for a message that is not shown', () => {
  large.takeChanges()
  const messages = frames(100, [7])
  large.receive(messages)
  const [changes] = large.takeChanges()
  expect(Object.keys(changes?.put.messages ?? {})).toEqual([])
  expect(Object.keys(changes?.put.channels ?? {})).toEqual([channelCid(7)])
  expect(JSON.stringify(changes).length).toBeLessThan(messages.join('').length * 0.1)
})

test('reading the badge after every commit costs the same in a small and in a large account', async () => {
  const badges: number[] = []
  const stops = [small, large].map((rig) => rig.engine.onCommitted((commit) => void badges.push(commit.badge.unread)))
  const [S, L] = await bothCosts((rig) => () => rig.receive(frames(1, [4])))
  for (const stop of stops) stop()
  expect(L).toSatisfy((cost: Cost) => isAlike(S, cost), `like ${JSON.stringify(S)}`)
  expect(badges.at(-1)).toBeGreaterThan(MESSAGES.L)
})
