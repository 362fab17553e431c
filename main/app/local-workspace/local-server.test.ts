import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import type { LocalServer } from '#main/hosts/host.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { ServerKeeper, type ServerHealth } from './local-server.ts'

let clock: ManualClock
let started: { port: number; end: (reason: string) => void; stopped: boolean }[]
let health: ServerHealth[]
let takenPorts: Set<number>
let keeper: ServerKeeper

function start(port: number): Promise<LocalServer> {
  if (takenPorts.has(port)) return Promise.reject(new Error('taken'))
  let end: (reason: string) => void = () => {}
  const process = { port: port || 5_000 + started.length, end: (reason: string) => end(reason), stopped: false }
  started.push(process)
  return Promise.resolve({
    url: `http://127.0.0.1:${process.port}`,
    onExit: (fn) => (end = fn),
    stop: () => Promise.resolve(void (process.stopped = true)),
  })
}

function createKeeper(lastPort = 0) {
  return new ServerKeeper({
    start,
    lastPort,
    onPort: () => {},
    onHealth: (now) => health.push(now),
    clock,
    ids: seededIds(),
    log: logger('server', silentSink),
  })
}

beforeEach(() => {
  clock = new ManualClock()
  started = []
  health = []
  takenPorts = new Set()
  keeper = createKeeper()
})

test('is started once for many callers', async () => {
  expect(await Promise.all([keeper.running(), keeper.running()])).toEqual([
    'http://127.0.0.1:5000',
    'http://127.0.0.1:5000',
  ])
  expect([started.length, health]).toEqual([1, ['starting', 'running']])
})

test('uses the port of the last run, or any other if that is taken', async () => {
  expect(await createKeeper(4_321).running()).toBe('http://127.0.0.1:4321')
  takenPorts.add(4_321)
  expect(await createKeeper(4_321).running()).toBe('http://127.0.0.1:5001')
})

describe('a server that exits', () => {
  test('is restarted on its port, and reports that', async () => {
    await keeper.running()
    started[0]?.end('SIGKILL')
    expect(keeper.health).toBe('restarting')
    const again = keeper.running()
    await clock.advance(500)
    expect([await again, health]).toEqual(['http://127.0.0.1:5000', ['starting', 'running', 'restarting', 'running']])
  })

  test('six times in ten minutes is not restarted, and callers get an error', async () => {
    await keeper.running()
    for (let round = 0; round < 6; round += 1) {
      started.at(-1)?.end('1')
      await clock.advance(25_000)
    }
    expect([keeper.health, started.length]).toEqual(['failed', 6])
    await expect(keeper.running()).rejects.toMatchObject({ code: 'session/local-server-stopped' })
    keeper.retry()
    await clock.settle()
    expect(keeper.health).toBe('running')
  })

  test('occasionally is always restarted', async () => {
    await keeper.running()
    for (let round = 0; round < 20; round += 1) {
      started.at(-1)?.end('1')
      await clock.advance(150_000)
      expect(keeper.health).toBe('running')
    }
  })
})

test('a server that never starts is retried with back-off, then fails', async () => {
  takenPorts.add(0)
  const waiting = keeper.running()
  const notified = waiting.catch((error: { code: string }) => error.code)
  await clock.advance(120_000)
  expect([await notified, keeper.health, clock.pending]).toEqual(['session/local-server-stopped', 'failed', 0])
})

test('stopping ends the process, rejects callers, and leaves no timer', async () => {
  await keeper.running()
  started[0]?.end('1')
  const notified = keeper.running().catch((error: { code: string }) => error.code)
  await keeper.stop()
  await clock.advance(60_000)
  expect([await notified, started.length, clock.pending, keeper.health]).toEqual([
    'session/local-server-stopped',
    1,
    0,
    'stopped',
  ])
})

test('a process that starts after the stop is ended at once', async () => {
  const notified = keeper.running().catch((error: { code: string }) => error.code)
  await keeper.stop()
  await clock.settle()
  expect([await notified, started[0]?.stopped, keeper.health]).toEqual([
    'session/local-server-stopped',
    true,
    'stopped',
  ])
})
