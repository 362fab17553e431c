import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { Host } from '#main/hosts/host.ts'
import { watchAway, watchResume } from './lifecycle.ts'

test('a host without power events detects sleep by its clocks, and stops checking when stopped', async () => {
  const clock = new ManualClock()
  let woke = 0
  const stop = watchResume({ ports: { clock } } as unknown as Host, () => (woke += 1))
  await clock.advance(600_000)
  clock.jumpWall(10_000)
  await clock.advance(15_000)
  expect(woke).toBe(0)
  clock.jumpWall(3_600_000)
  await clock.advance(30_000)
  expect(woke).toBe(1)
  stop()
  expect(clock.pending).toBe(0)
})

test('a system event is enough if there is one', () => {
  const clock = new ManualClock()
  let wake: () => void = () => {}
  let woke = 0
  const power = { onSuspend: () => {}, onResume: (fn: () => void) => (wake = fn) }
  watchResume({ ports: { clock }, power } as unknown as Host, () => (woke += 1))
  wake()
  expect(woke).toBe(1)
  expect(clock.pending).toBe(0)
})

test('the user is away while the screen is locked or after ten minutes without input, and back after input', async () => {
  const clock = new ManualClock()
  let idle = 0
  let lock = (): void => {}
  let unlock = (): void => {}
  const power = {
    onLock: (fn: () => void) => void (lock = fn),
    onUnlock: (fn: () => void) => void (unlock = fn),
    idleMs: () => idle,
  }
  const notified: boolean[] = []
  const stop = watchAway({ ports: { clock }, power } as unknown as Host, (away) => void notified.push(away))
  idle = 9 * 60_000
  await clock.advance(120_000)
  expect(notified).toEqual([])
  idle = 11 * 60_000
  await clock.advance(120_000)
  idle = 0
  await clock.advance(60_000)
  lock()
  expect(notified).toEqual([true, false, true])
  await clock.advance(60_000)
  unlock()
  expect(notified).toEqual([true, false, true, false])
  stop()
  expect(clock.pending).toBe(0)
})

test('how long without input that takes can be chosen, and that it never happens', async () => {
  const clock = new ManualClock()
  let lock = (): void => {}
  let after: number | undefined = 5 * 60_000
  const power = {
    onLock: (fn: () => void) => void (lock = fn),
    onUnlock: () => {},
    idleMs: () => 6 * 60_000,
  }
  const notified: boolean[] = []
  const host = { ports: { clock }, power } as unknown as Host
  const stop = watchAway(
    host,
    (away) => void notified.push(away),
    () => after,
  )
  await clock.advance(60_000)
  expect(notified).toEqual([true])
  after = undefined
  await clock.advance(60_000)
  lock()
  expect(notified).toEqual([true, false])
  stop()
})
