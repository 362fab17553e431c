import { existsSync, readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import type { Host } from '#main/hosts/host.ts'
import { selfTest, type SelfTestReport } from './self-test.ts'

let fake: FakeHost

beforeEach(() => {
  fake = new FakeHost()
  fake.http.on('GET', '/health', { body: { status: 'ok' } })
})
afterEach(() => fake.dispose())

const run = (parts: Partial<Host> = {}): Promise<SelfTestReport> => selfTest({ ...fake.host, ...parts })
const resultOf = ({ checks }: SelfTestReport, name: string) => checks.find((check) => check.name === name)
const withPolicies = (managed: Host['info']['managed']): Host['info'] => ({ ...fake.host.info, managed })
const NO_POLICIES = { sources: [], values: {}, origins: {}, unknown: [], refused: [] }
const NOTIFIER = { isAvailable: () => true, show: () => {}, withdraw: () => {} }

test('every part that works passes, and nothing is left behind', async () => {
  const report = await run({
    windows: { ...fake.host.windows, tryOne: () => Promise.resolve() },
    notifier: NOTIFIER,
    info: withPolicies({
      ...NO_POLICIES,
      sources: [{ from: '/etc/parlor/policy.json' }],
      values: { UpdateMode: 'off' },
    }),
  })
  expect(report).toMatchObject({ passed: true, host: 'browser', dataFolder: fake.data })
  expect(report.checks.map(({ name, result }) => `${name} ${result}`)).toEqual([
    'policies passed',
    'folders passed',
    'databases passed',
    'keyStore passed',
    'localServer passed',
    'window passed',
    'notifications passed',
  ])
  expect(fake.servers.map(({ stopped }) => stopped)).toEqual([true])
  expect(readdirSync(fake.data)).toEqual(['logs'])
  expect(await fake.secrets.get('self-test')).toBeUndefined()
})

test('what does not apply is skipped, with the reason', async () => {
  const report = await run({ info: withPolicies({ ...NO_POLICIES, values: { AllowLocalServer: false } }) })
  expect(report.passed).toBe(true)
  expect(resultOf(report, 'localServer')).toMatchObject({ result: 'skipped', detail: 'A policy turns it off.' })
  expect(resultOf(report, 'window')).toMatchObject({ result: 'skipped' })
  expect(resultOf(report, 'notifications')).toMatchObject({ result: 'skipped' })
  expect(fake.servers).toEqual([])
})

test('each failure says why, and the other checks still run', async () => {
  fake.http.on('GET', '/health', { status: 503, body: {} })
  const report = await run({
    windows: {
      ...fake.host.windows,
      tryOne: () => Promise.reject(new Error('The process of the window ended: crashed.')),
    },
    notifier: { ...NOTIFIER, isAvailable: () => false },
    secrets: { ...fake.secrets, get: () => Promise.resolve(undefined) },
    info: withPolicies({
      ...NO_POLICIES,
      sources: [{ from: '/etc/parlor/policy.json', problem: 'not-policies' }],
      refused: [{ name: 'UpdateMode', from: '/etc/parlor/other.json' }],
    }),
  })
  expect(report.passed).toBe(false)
  expect(resultOf(report, 'policies')?.detail).toBe(
    'Not understood: /etc/parlor/policy.json (not-policies), UpdateMode in /etc/parlor/other.json. See --print-policies.',
  )
  expect(resultOf(report, 'keyStore')?.detail).toBe('A secret that was stored could not be read again.')
  expect(resultOf(report, 'localServer')?.detail).toBe('The local server responds with 503.')
  expect(resultOf(report, 'window')?.detail).toBe('The process of the window ended: crashed.')
  expect(resultOf(report, 'notifications')?.detail).toBe('The system does not show notifications.')
  expect(resultOf(report, 'databases')?.result).toBe('passed')
  expect(fake.servers.map(({ stopped }) => stopped)).toEqual([true])
  expect(existsSync(`${fake.data}/self-test-server`)).toBe(false)
})

test('an Electron whose system has no key store fails, because users would sign in at each start', async () => {
  const report = await run({ info: { ...fake.host.info, kind: 'electron' } })
  expect(resultOf(report, 'keyStore')).toMatchObject({ result: 'failed' })
})

test('a check that hangs fails after half a minute', async () => {
  const report = run({ windows: { ...fake.host.windows, tryOne: () => new Promise(() => {}) } })
  await expect.poll(() => fake.clock.pending).toBe(1)
  await fake.clock.advance(30_000)
  expect(resultOf(await report, 'window')).toMatchObject({
    result: 'failed',
    detail: 'No result after 30 seconds.',
    milliseconds: 30_000,
  })
})
