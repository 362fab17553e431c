import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { logger } from '#main/lib/logger.ts'
import { NoRoom, startBackups, type Backups } from './scheduled-backups.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A folder, a day's schedule that keeps three, and a disk that a test can fill. */
function start(before: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-backups-'))
  folders.push(folder)
  for (const name of before) writeFileSync(join(folder, name), '')
  const clock = new ManualClock(Date.parse('2026-12-01T09:00:00Z'))
  const lines: string[] = []
  const world = { free: 100, problem: undefined as Error | undefined, aborted: 0 }
  const begin = (): Backups =>
    startBackups(
      { folder, everyMs: DAY, keep: 3 },
      {
        clock,
        log: logger('server', (level, _area, event, { reason, removed }) =>
          lines.push([level, event, reason ?? removed].join(' ')),
        ),
        room: () => Promise.resolve({ free: world.free, needed: 10 }),
        write(file, signal) {
          signal.addEventListener('abort', () => (world.aborted += 1))
          writeFileSync(`${file}.partial`, '')
          if (world.problem) return Promise.reject(world.problem)
          rmSync(`${file}.partial`)
          writeFileSync(file, '')
          return Promise.resolve()
        },
      },
    )
  return { clock, lines, world, begin, names: () => readdirSync(folder).toSorted() }
}

test('the first backup is made at once, one every day follows, and the newest three stay', async () => {
  const { clock, begin, names, lines } = start()
  const backups = begin()
  await clock.settle()
  expect(names()).toEqual(['parlor-20261201T090000Z.parlor'])
  await clock.advance(4 * DAY)
  backups.stop()

  expect(names()).toEqual([
    'parlor-20261203T090000Z.parlor',
    'parlor-20261204T090000Z.parlor',
    'parlor-20261205T090000Z.parlor',
  ])
  expect(lines).toEqual([
    'info backed-up 0',
    'info backed-up 0',
    'info backed-up 0',
    'info backed-up 1',
    'info backed-up 1',
  ])
  expect(clock.pending).toBe(0)
})

test('a restart makes none before the newest is a day old, even if the clock was ahead when another was made', async () => {
  const { clock, begin, names } = start(['parlor-20261130T200000Z.parlor', 'parlor-20270101T000000Z.parlor'])
  const backups = begin()
  await clock.advance(10 * HOUR)
  expect(names()).toHaveLength(2)
  await clock.advance(HOUR)
  backups.stop()

  expect(names()).toContain('parlor-20261201T200000Z.parlor')
})

test('backups of a clock that was ahead push out none of those made since', async () => {
  const ahead = ['parlor-20270101T000000Z.parlor', 'parlor-20270102T000000Z.parlor', 'parlor-20270103T000000Z.parlor']
  const { clock, begin, names } = start(ahead)
  const backups = begin()
  await clock.advance(3 * DAY)
  backups.stop()

  expect(names()).toEqual([
    'parlor-20261202T090000Z.parlor',
    'parlor-20261203T090000Z.parlor',
    'parlor-20261204T090000Z.parlor',
    ...ahead,
  ])
})

test('a full disk is reported, removes nothing, and is tried again after an hour', async () => {
  const { clock, begin, names, lines, world } = start([
    'parlor-20261101T090000Z.parlor',
    'parlor-20261102T090000Z.parlor',
    'parlor-20261103T090000Z.parlor',
  ])
  const before = names()
  world.free = 9
  const backups = begin()
  await clock.advance(HOUR - 1)
  expect(lines).toEqual(['error backup-failed disk-full'])
  expect(names()).toEqual(before)
  expect(backups.state()).toEqual({ newestAtMs: Date.parse('2026-11-03T09:00:00Z'), failed: 1 })
  world.free = 100
  await clock.advance(1)
  backups.stop()

  expect(lines).toEqual(['error backup-failed disk-full', 'info backed-up 1'])
  expect(names()).toEqual([before[1], before[2], 'parlor-20261201T100000Z.parlor'])
})

test('a disk that fills up while it is written, and any other failure, are told apart', async () => {
  const { clock, begin, lines, world } = start()
  world.problem = new NoRoom()
  const backups = begin()
  await clock.settle()
  world.problem = new Error('the backup failed')
  await clock.advance(HOUR)
  backups.stop()

  expect(lines).toEqual(['error backup-failed disk-full', 'error backup-failed failed'])
})

test('what a killed writer left is removed; files of others are neither counted nor removed', async () => {
  const others = ['notes.txt', 'parlor-by-hand.parlor', 'parlor-20261101.parlor', 'team.parlor.partial']
  const { clock, begin, names } = start([
    ...others,
    'parlor-20261101T090000Z.parlor.partial',
    'parlor-20261101T090000Z.parlor.record',
    'parlor-20261101T090000Z.parlor.record-wal',
  ])
  const backups = begin()
  await clock.advance(5 * DAY)
  backups.stop()

  expect(names().filter((name) => others.includes(name))).toEqual(others.toSorted())
  expect(names().filter((name) => !others.includes(name))).toHaveLength(3)
})

test('a stop ends a backup that is being written, and reports nothing', async () => {
  const { clock, begin, lines, world } = start()
  const backups = begin()
  await clock.settle()
  backups.stop()

  expect(world.aborted).toBe(1)
  expect(lines).toEqual(['info backed-up 0'])
})
