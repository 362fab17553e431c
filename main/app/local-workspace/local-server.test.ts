import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import type { LocalServer } from '#main/hosts/host.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { LocalServerSupervisor, type ServerHealth } from './local-server.ts'

let clock: ManualClock
let started: { port: number; end: (reason: string) => void; stopped: boolean }[]
let health: ServerHealth[]
let takenPorts: Set<number>
let supervisor: LocalServerSupervisor

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

function createSupervisor(lastPort = 0) {
  return new LocalServerSupervisor({
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
  supervisor = createSupervisor()
})

test('is started once for many callers', async () => {
  expect(await Promise.all([supervisor.running(), supervisor.running()])).toEqual([
    'http://127.0.0.1:5000',
    'http://127.0.0.1:5000',
  ])
  expect(started.length).toBe(1)
  expect(health).toEqual(['starting', 'running'])
})

test('uses the port of the last run, or any other if that is taken', async () => {
  expect(await createSupervisor(4_321).running()).toBe('http://127.0.0.1:4321')
  takenPorts.add(4_321)
  expect(await createSupervisor(4_321).running()).toBe('http://127.0.0.1:5001')
})

describe('a server that exits', () => {
  test('is restarted on its port, and reports that', async () => {
    await supervisor.running()
    started[0]?.end('SIGKILL')
    expect(supervisor.health).toBe('restarting')
    const again = supervisor.running()
    await clock.advance(500)
    expect(await again).toBe('http://127.0.0.1:5000')
    expect(health).toEqual(['starting', 'running', 'restarting', 'running'])
  })

  test('six times in ten minutes is not restarted, and callers get an error', async () => {
    await supervisor.running()
    for (let round = 0; round < 6; round += 1) {
      started.at(-1)?.end('1')
      await clock.advance(25_000)
    }
    expect(supervisor.health).toBe('failed')
    expect(started.length).toBe(6)
    await expect(supervisor.running()).rejects.toMatchObject({ code: 'session/local-server-stopped' })
    supervisor.retry()
    await clock.settle()
    expect(supervisor.health).toBe('running')
  })

  test('occasionally is always restarted', async () => {
    await supervisor.running()
    for (let round = 0; round < 20; round += 1) {
      started.at(-1)?.end('1')
      await clock.advance(150_000)
      expect(supervisor.health).toBe('running')
    }
  })
})

test('a server that never starts is retried with back-off, then fails', async () => {
  takenPorts.add(0)
  const waiting = supervisor.running()
  const notified = waiting.catch((error: { code: string }) => error.code)
  await clock.advance(120_000)
  expect(await notified).toBe('session/local-server-stopped')
  expect(supervisor.health).toBe('failed')
  expect(clock.pending).toBe(0)
})

test('stopping ends the process, rejects callers, and leaves no timer', async () => {
  await supervisor.running()
  started[0]?.end('1')
  const notified = supervisor.running().catch((error: { code: string }) => error.code)
  await supervisor.stop()
  await clock.advance(60_000)
  expect(await notified).toBe('session/local-server-stopped')
  expect(started.length).toBe(1)
  expect(clock.pending).toBe(0)
  expect(supervisor.health).toBe('stopped')
})

test('a process that starts after the stop is ended at once', async () => {
  const notified = supervisor.running().catch((error: { code: string }) => error.code)
  await supervisor.stop()
  await clock.settle()
  expect(await notified).toBe('session/local-server-stopped')
  expect(started[0]?.stopped).toBe(true)
  expect(supervisor.health).toBe('stopped')
})
