import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import type { Ids } from '#main/lib/ids.ts'
import { blocksOf, PATIENCE_MS, replayLine, replaySeed, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'
import { History, type Verdict } from '../../fuzz/history.ts'
import { pick, type Target } from '../../fuzz/schedule.ts'
import { FaultyDisk, type DiskFault } from './faulty-disk.ts'

/**
 * The disk refuses at a random write of a running engine. What is not on disk was not accepted and the caller gets the
 * reason, cached data can still be read, and when there is room again everything continues in the same process.
 */
const DISK_FAULTS: readonly DiskFault[] = [
  'full',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'ENOSPC',
  'EIO',
  'SQLITE_BUSY',
  'SQLITE_READONLY',
]
/** The codes with which a disk failure may be shown. */
const SHOWABLE = new Set(['disk/full', 'disk/failing', 'store/locked', 'store/unwritable'])
/** Runs that follow each other in one world. */
const BLOCK = 10
const PARTS = [0, 1]
const AMOUNT: Amount = { fixed: 15, fresh: 10, long: 2_000, share: 0.05 / PARTS.length }
const STEPS = 8
/** How soon everything must work after there is room again. */
const RECOVERED_MS = 5_000

type Stage = { readonly world: World; readonly disk: FaultyDisk; readonly history: History; readonly ids: Ids }

async function createStage(seed: number): Promise<Stage> {
  const world = await createWorld({ people: ['ann', 'ben'], channels: ['one'], seed })
  const ann = world.person('ann')
  const disk = new FaultyDisk()
  ann.watch = disk
  ann.restart()
  for (const person of world.people) await person.open(world.cid)
  await world.pass(5_000)
  return { world, disk, history: new History(world), ids: seededIds(seed) }
}

/** The result, or undefined when it was refused with an error that can be shown. */
async function attempt<T>({ faults }: { faults: string[] }, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (!SHOWABLE.has(error.code) && error.code !== 'network/offline') faults.push(`refused with ${error.code}`)
    return undefined
  }
}

type Act = (stage: Stage, person: Person, run: { faults: string[] }) => Promise<void>

const send: Act = async ({ world, history }, person, run) => {
  const text = `${person.userId} ${history.next()}`
  const id = await attempt(run, person.ui.messages.send({ cid: world.cid, text }))
  if (id !== undefined) history.accepted({ id, cid: world.cid, userId: person.userId, text })
}

const edit: Act = async ({ history, ids }, person, run) => {
  const own = history.alive(person.userId)
  if (own.length === 0) return
  const target: Target = pick(own, ids)
  const text = `${target.text}!`
  const done = await attempt(
    run,
    person.ui.messages.edit({ messageId: target.id, text }).then(() => true),
  )
  if (done) history.edited(target.id, text)
}

const remove: Act = async ({ history, ids }, person, run) => {
  const own = history.alive(person.userId)
  if (own.length === 0) return
  const target: Target = pick(own, ids)
  const done = await attempt(
    run,
    person.ui.messages.delete({ messageId: target.id }).then(() => true),
  )
  if (done) history.deleted(target.id)
}

const react: Act = async ({ world, history, ids }, person, run) => {
  const seen = person.messages(world.cid).filter(({ deletedAt }) => deletedAt === undefined)
  if (seen.length === 0) return
  const target = pick(seen, ids)
  const had = target.reactions.some((group) => group.type === '👍' && group.own)
  const done = await attempt(
    run,
    person.ui.messages.toggleReaction({ messageId: target.id, type: '👍' }).then(() => true),
  )
  if (done) history.reacted(target.id, person.userId, '👍', !had)
}

const read: Act = async ({ world }, person, run) => {
  await attempt(run, person.ui.channels.markRead({ cid: world.cid }))
}

const ACTS: readonly Act[] = [send, send, send, edit, remove, react, read]

async function play(stage: Stage, seed: number): Promise<Verdict> {
  const { world, disk, history } = stage
  const ids = seededIds(seed * 7_919 + 3)
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  const run = { faults: [] as string[] }
  const now = { ...stage, ids }
  const failsAt = Math.floor(ids.random() * 4)
  for (let step = 0; step < STEPS; step += 1) {
    if (step === failsAt) disk.startFailing(pick(DISK_FAULTS, ids), Math.floor(ids.random() ** 2 * 60))
    await pick(ACTS, ids)(now, ids.random() < 0.6 ? ann : ben, run)
    if (ids.random() < 0.1) ann.link.cut()
    await world.pass(Math.floor(ids.random() ** 3 * 4_000))
    if (step > failsAt) run.faults.push(...(await reading(world, ann)))
  }
  disk.heal()
  await world.pass(RECOVERED_MS)
  const before = history.next()
  const again = await attempt(run, ann.ui.messages.send({ cid: world.cid, text: `ann ${before}` }))
  if (again === undefined) run.faults.push(`nothing can be sent ${RECOVERED_MS} ms after there is room again`)
  else history.accepted({ id: again, cid: world.cid, userId: 'ann', text: `ann ${before}` })
  for (let turn = 0; turn < 8 && !isQuiet(ann); turn += 1) await world.pass(15_000)
  await world.pass(15_000)
  return [...run.faults, ...(await history.judge())]
}

/** The channel opens from the cache, whatever the disk does to writes. */
async function reading(world: World, person: Person): Promise<string[]> {
  const before = person.texts(world.cid).length
  try {
    await person.ui.channels.open({ cid: world.cid })
    await world.pass(0)
  } catch (error) {
    return [`the channel does not open: ${String(error)}`]
  }
  const after = person.texts(world.cid).length
  return after < before ? [`${before} messages were shown, then ${after}`] : []
}

const isQuiet = ({ replica }: Person): boolean =>
  replica.get('connection', 'self')?.state === 'healthy' &&
  replica.all('outbox').every(({ state }) => state === 'parked')

test.each(PARTS)(
  'at random writes of a running engine the disk refuses: nothing is lost, doubled or half written (%i)',
  { timeout: PATIENCE_MS },
  async (part) => {
    const failures: string[] = []
    for (const block of blocksOf('disk failures at random writes', AMOUNT, BLOCK, { part, of: PARTS.length })) {
      const stage = await createStage(block + 1)
      let refused = 0
      for (let seed = block * BLOCK + 1; seed <= (replaySeed ?? (block + 1) * BLOCK); seed += 1) {
        const verdict = await play(stage, seed).catch((error: unknown) => [
          error instanceof Error ? (error.stack ?? error.message) : String(error),
        ])
        if (verdict.length === 0) continue
        failures.push(`${replayLine('tests/sim/disk', seed)}\n${verdict.slice(0, 5).join('\n')}`)
        break
      }
      refused += stage.disk.failed
      if (replaySeed === undefined && refused === 0) failures.push(`block ${block}: the disk never refused`)
      await stage.world.stop()
    }
    expect(failures.join('\n\n')).toBe('')
  },
)

test.each(DISK_FAULTS.filter((fault) => fault !== 'full'))(
  '%s while the user does nothing: background work is repeated, and everything is sent when the failure has ended',
  async (fault) => {
    const { world, disk } = await createStage(2)
    const ann = world.person('ann')
    await ann.ui.messages.send({ cid: world.cid, text: 'before' })
    await world.pass(1_000)
    disk.startFailing(fault, 0)
    await world.pass(60_000)
    expect(disk.failedUpkeep).toBeGreaterThan(0)
    await expect(ann.ui.messages.send({ cid: world.cid, text: 'refused' })).rejects.toThrow(AppError)
    expect(await reading(world, ann)).toEqual([])
    disk.heal()
    await world.pass(RECOVERED_MS)
    await ann.ui.messages.send({ cid: world.cid, text: 'after' })
    await world.pass(20_000)
    expect(ann.texts(world.cid)).toEqual(['before', 'after'])
    await world.stop()
  },
)

test('a disk that is full at the end delays nothing: the files are closed, and all data is there at the next start', async () => {
  const { world, disk } = await createStage(1)
  const ann = world.person('ann')
  const ben = (text: string) => world.person('ben').ui.messages.send({ cid: world.cid, text })
  await ann.ui.messages.send({ cid: world.cid, text: 'kept' })
  await ben('one')
  await world.pass(2_000)
  await ann.ui.channels.markRead({ cid: world.cid })
  await ben('two')
  await world.pass(500)
  // Waits for the second after the first mark to pass, and would be written at the end.
  await ann.ui.channels.markRead({ cid: world.cid })
  const { stores } = ann.account.engine
  disk.startFailing('SQLITE_FULL', 0)
  const from = world.clock.monotonic()
  await world.done(ann.quit())
  expect(world.clock.monotonic() - from).toBeLessThanOrEqual(2_000)
  expect(disk.failed).toBeGreaterThan(0)
  expect(stores.cache.reader.db.raw.open).toBe(false)
  expect(stores.outbox.reader.db.raw.open).toBe(false)
  disk.heal()
  ann.start()
  await world.pass(20_000)
  expect(ann.texts(world.cid)).toEqual(expect.arrayContaining(['kept', 'one', 'two']))
  await world.stop()
})

test.each([
  ['SQLITE_FULL', 'store/no-room-for-arriving'],
  ['SQLITE_READONLY', 'store/reading-only'],
] as const)('what arrives while %s is reported as missing, once, until it can be stored', async (fault, code) => {
  const { world, disk } = await createStage(3)
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  const noticeStates = () => ann.account.engine.notices().map((notice) => [notice.code, notice.lasting, notice.over])
  const write = (text: string) => ben.ui.messages.send({ cid: world.cid, text })
  await write('before')
  await world.pass(2_000)
  expect(noticeStates()).toEqual([])
  disk.startFailing(fault, 0)
  await write('one')
  await world.pass(60_000)
  await write('two')
  await world.pass(60_000)
  // Also when the connection is lost and comes back meanwhile.
  ann.link.cut()
  await world.pass(60_000)
  expect(noticeStates()).toEqual([[code, true, undefined]])
  expect(ann.texts(world.cid)).toEqual(['before'])
  disk.heal()
  await world.pass(RECOVERED_MS)
  expect(noticeStates()).toEqual([[code, true, true]])
  await world.pass(20_000)
  expect(ann.texts(world.cid)).toEqual(['before', 'one', 'two'])
  disk.startFailing(fault, 0)
  await write('three')
  await world.pass(2_000)
  expect(noticeStates()).toEqual([
    [code, true, undefined],
    [code, true, true],
  ])
  disk.heal()
  await world.pass(20_000)
  expect(noticeStates().every(([, , over]) => over)).toBe(true)
  expect(ann.texts(world.cid)).toEqual(['before', 'one', 'two', 'three'])
  await world.stop()
})

test('room that becomes available while disconnected removes the notice at once', async () => {
  const { world, disk } = await createStage(4)
  const ann = world.person('ann')
  disk.startFailing('SQLITE_FULL', 0)
  await world.person('ben').ui.messages.send({ cid: world.cid, text: 'one' })
  await world.pass(10_000)
  ann.link.down()
  await world.pass(30_000)
  expect(ann.account.engine.notices().map(({ over }) => over)).toEqual([undefined])
  disk.heal()
  await world.pass(RECOVERED_MS)
  expect(ann.account.engine.notices().map(({ over }) => over)).toEqual([true])
  ann.link.up()
  await world.pass(30_000)
  expect(ann.texts(world.cid)).toEqual(['one'])
  await world.stop()
})
