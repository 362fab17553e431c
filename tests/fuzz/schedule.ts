import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Ids } from '#main/lib/ids.ts'
import { NO_FAULTS } from '#kit/sim/network.ts'
import type { Person } from '#kit/sim/person.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createWorld, type World } from '#kit/world.ts'
import { History, type Verdict } from './history.ts'
import { REGRESSION_SEEDS } from './regression-seeds.ts'

/** What a run may break on purpose, to prove that the judge notices. */
export type Plant = (world: World, person: Person, random: () => number) => void

type Shape = { readonly people: readonly string[]; readonly channels: readonly string[]; readonly steps: number }

const LONG: Shape = { people: ['ann', 'ben', 'cleo'], channels: ['one', 'two'], steps: 40 }
const SHORT: Shape = { people: ['ann', 'ben'], channels: ['one'], steps: 6 }

/** One of so many runs is long. The others are faster at finding what two users and a crash can cause. */
export const LONG_EVERY = 50
/** Short runs that follow each other in one world, so that each also has the data of the ones before it. */
export const BLOCK = 10

/**
 * One run: users write, edit, delete, react and read while connections drop, responses get lost, clients and the server
 * are killed. Then everything is repaired, and the judge compares. A run is a pure function of its seed.
 */
export async function runSchedule(seed: number, plant?: Plant): Promise<Verdict> {
  const world = await createWorld({ ...LONG, seed })
  try {
    return await runIn({ world, history: new History(world), shape: LONG, plant }, seed)
  } finally {
    await world.stop()
  }
}

export type Failure = { readonly seed: number; readonly verdict: Verdict }

/**
 * The short runs of one block, up to `last`: the same users and channel throughout, everything repaired and judged
 * after each. Ends with the first that fails.
 */
export async function runBlock(block: number, last = (block + 1) * BLOCK): Promise<Failure | undefined> {
  const first = block * BLOCK + 1
  const world = await createWorld({ ...SHORT, seed: first })
  const stage = { world, history: new History(world), shape: SHORT, plant: undefined }
  try {
    for (let seed = first; seed <= last; seed++) {
      if (seed % LONG_EVERY === 0) continue
      const verdict = await runIn(stage, seed).catch(faultOf)
      if (verdict.length > 0) return { seed, verdict }
    }
    return undefined
  } finally {
    await world.stop()
  }
}

export const faultOf = (error: unknown): Verdict => [
  error instanceof Error ? (error.stack ?? error.message) : String(error),
]

type Stage = {
  readonly world: World
  readonly history: History
  readonly shape: Shape
  readonly plant: Plant | undefined
}

async function runIn({ world, history, shape, plant }: Stage, seed: number): Promise<Verdict> {
  const ids = seededIds(seed * 7_919 + 1)
  // Drawn separately from the rest, so that the seeds that once failed still run what they ran.
  const answers = REGRESSION_SEEDS.includes(seed) ? undefined : seededIds(seed * 104_729 + 3)
  for (const person of world.people) await person.open(pick(world.cids, ids))
  for (let step = 0; step < shape.steps; step++) {
    const person = pick(world.people, ids)
    await act(world, person, history, ids)
    if (answers) breakAnswers(pick(world.people, answers), answers)
    plant?.(world, person, () => ids.random())
    await world.pass(Math.floor(ids.random() ** 3 * 4_000))
  }
  await heal(world)
  return history.judge()
}

/**
 * Sockets stay open and requests fail, until the next draw or the end: missed events then have to come without a
 * reconnect.
 */
function breakAnswers({ link }: Person, ids: Ids): void {
  const drawn = ids.random()
  if (drawn > 0.12) return
  const { noAnswers, ...others } = link.faults
  link.faults = noAnswers === undefined ? { ...others, noAnswers: drawn < 0.06 ? 'reset' : 'unavailable' } : others
}

const HOUR_MS = 3_600_000
const SKEWS = [-24 * HOUR_MS, -10_000, 0, 10_000, 24 * HOUR_MS]
const GARBAGE = [
  '{"type":',
  '',
  'null',
  '[]',
  '{"type":"message.new","cid":7}',
  '{"type":"message.new","message":{"id":[]}}',
  '{"error":1}',
]

type Action = (world: World, person: Person, history: History, ids: Ids) => Promise<void>

const ACTIONS: readonly (readonly [weight: number, Action])[] = [
  [10, send],
  [2, edit],
  [2, remove],
  [4, react],
  [2, read],
  [2, moveTo],
  [2, async (_world, { link }, _history, ids) => (link.isUp ? link.down(ids.random() < 0.3) : link.up())],
  [1, async (_world, { link }) => link.cut()],
  [
    1,
    async (_world, { link }, _history, ids) =>
      void (link.faults =
        ids.random() < 0.5
          ? NO_FAULTS
          : { dropRequest: 0.1, dropAnswer: 0.2, duplicate: 0.1, badGateway: 0.05, wrongAnswer: 0.15, refusal: 0.1 }),
  ],
  [1, async (_world, person) => (person.isRunning ? person.crash() : person.start())],
  [0.5, async (_world, person) => (person.isRunning ? person.losePower() : person.start())],
  [0.5, async (_world, person, _history, ids) => void (person.skewMs = pick(SKEWS, ids))],
  [0.5, async (_world, { link }, _history, ids) => link.inject(pick(GARBAGE, ids))],
  [0.3, async ({ server }) => (server.running ? server.crash() : server.start())],
]
const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)

async function act(world: World, person: Person, history: History, ids: Ids): Promise<void> {
  let left = ids.random() * TOTAL
  for (const [weight, action] of ACTIONS) {
    left -= weight
    if (left > 0) continue
    return action(world, person, history, ids)
  }
}

async function send(world: World, person: Person, history: History, ids: Ids): Promise<void> {
  if (!person.isRunning) return
  const cid = pick(world.cids, ids)
  const text = `${person.userId} ${history.next()}`
  const id = await refusable(person.ui.messages.send({ cid, text }))
  if (id !== undefined) history.accepted({ id, cid, userId: person.userId, text })
}

async function edit(_world: World, person: Person, history: History, ids: Ids): Promise<void> {
  const own = history.alive(person.userId)
  if (!person.isRunning || own.length === 0) return
  const target = pick(own, ids)
  const text = `${target.text}!`
  const done = await refusable(person.ui.messages.edit({ messageId: target.id, text }).then(() => true))
  if (done) history.edited(target.id, text)
}

async function remove(_world: World, person: Person, history: History, ids: Ids): Promise<void> {
  const own = history.alive(person.userId)
  if (!person.isRunning || own.length === 0) return
  const target = pick(own, ids)
  const done = await refusable(person.ui.messages.delete({ messageId: target.id }).then(() => true))
  if (done) history.deleted(target.id)
}

async function react(world: World, person: Person, history: History, ids: Ids): Promise<void> {
  if (!person.isRunning) return
  const seen = world.cids.flatMap((cid) => person.messages(cid)).filter(({ deletedAt }) => deletedAt === undefined)
  if (seen.length === 0) return
  const target = pick(seen, ids)
  const type = pick(['👍', '❤️'], ids)
  const had = target.reactions.some((group) => group.type === type && group.own)
  const done = await refusable(person.ui.messages.toggleReaction({ messageId: target.id, type }).then(() => true))
  if (done) history.reacted(target.id, person.userId, type, !had)
}

async function read(world: World, person: Person, _history: History, ids: Ids): Promise<void> {
  if (person.isRunning) await refusable(person.ui.channels.markRead({ cid: pick(world.cids, ids) }))
}

async function moveTo(world: World, person: Person, _history: History, ids: Ids): Promise<void> {
  if (person.isRunning) await person.open(pick(world.cids, ids))
}

/** A refusal is a valid response; anything else is a fault. */
async function refusable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function heal(world: World): Promise<void> {
  if (!world.server.running) world.server.start()
  for (const person of world.people) {
    person.link.faults = NO_FAULTS
    person.link.up()
    if (!person.isRunning) person.start()
  }
  for (let turn = 0; turn < 20; turn++) {
    await world.pass(15_000)
    if (world.people.every(isQuiet)) break
  }
  await world.pass(15_000)
}

const isQuiet = ({ replica }: Person): boolean =>
  replica.get('connection', 'self')?.state === 'healthy' &&
  replica.get('connection', 'self')?.stillLoading === undefined &&
  replica.all('outbox').every(({ state }) => state === 'parked')

export function pick<T>(list: readonly T[], ids: Ids): T {
  const chosen = list[Math.floor(ids.random() * list.length)]
  if (chosen === undefined) throw new Error('Nothing to pick from')
  return chosen
}

export type Target = { readonly id: MessageId; readonly cid: Cid; readonly userId: string; text: string }
