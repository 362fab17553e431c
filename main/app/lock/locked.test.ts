import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { FakeHost, FakeWindow } from '#kit/fake-host.ts'
import { codeOf, HOSTED, testApp } from '#kit/test-app.ts'
import { SAVING_MS } from './app-lock.ts'

const bench = testApp()
const { start, stop, sessionOf } = bench
let world: FakeHost

beforeEach(() => {
  world = bench.begin()
})
afterEach(bench.end)

async function attached(window: FakeWindow): Promise<ChangeSet['put']> {
  const reply = await window.call('app.attach', {})
  return reply.ok ? (reply.value as ChangeSet).put : {}
}

async function locked(): Promise<FakeWindow> {
  const window = await start()
  await window.call('session.connectHosted', HOSTED)
  await window.call('settings.update', { theme: 'dark', snippets: [{ name: 'hi', text: 'My own words' }] })
  await sessionOf(window)
  await window.call('lock.set', { pin: '2468' })
  await window.call('lock.now', undefined)
  await world.clock.advance(SAVING_MS)
  return window
}

test('a locked window receives only its appearance, whatever it calls', async () => {
  const window = await locked()
  const put = await attached(window)
  expect(Object.keys(put).toSorted()).toEqual(['connection', 'lock', 'session', 'settings'])
  expect(put.session?.['self']).toEqual({ state: 'signed-out' })
  expect(put.settings?.['self']).toMatchObject({ theme: 'dark', snippets: [], lastChannels: {} })
  expect(put.lock?.['self']).toEqual({ on: true, locked: true })
  for (const [name, input] of [
    ['messages.send', { cid: 'team:general', text: 'x' }],
    ['session.localPeople', undefined],
    ['settings.update', { theme: 'light' }],
    ['app.noticeLog', undefined],
  ] as const) {
    expect(await codeOf(window.call(name, input))).toBe('lock/locked')
  }
})

test('the right PIN restores everything as it was', async () => {
  const window = await locked()
  expect(await codeOf(window.call('lock.unlock', { pin: '0000' }))).toBe('lock/wrong')
  expect(await codeOf(window.call('lock.unlock', { pin: '2468' }))).toBe('ok')
  const put = await attached(window)
  expect(put.session?.['self']).toMatchObject({ userId: 'ann' })
  expect(put.accounts?.['self']?.accounts.length).toBe(2)
})

test('a locked window receives the wait after wrong PINs', async () => {
  const window = await locked()
  await attached(window)
  for (const pin of ['1111', '2222', '3333']) await window.call('lock.unlock', { pin })
  const waitUntil = world.clock.now() + 10_000
  const notified = window.pushes.flatMap((push) =>
    push.kind === 'changes' ? (push.changeSet.put.lock?.['self'] ?? []) : [],
  )
  expect(notified.at(-1)).toEqual({ on: true, locked: true, waitUntil })
})

test('the next start is locked before anything is shown', async () => {
  await locked()
  await stop()
  const window = await start()
  expect((await attached(window)).session?.['self']).toEqual({ state: 'signed-out' })
  expect(await codeOf(window.call('session.reconnect', undefined))).toBe('lock/locked')
})

test('resetting a forgotten PIN leaves no account, workspace or message', async () => {
  const window = await locked()
  const forgotten = window.call('lock.forget', undefined)
  await world.clock.advance(5_000)
  expect(await codeOf(forgotten)).toBe('ok')
  const put = await attached(window)
  expect(put.session?.['self']).toEqual({ state: 'signed-out' })
  expect(put.lock?.['self']).toEqual({ on: false, locked: false })
  expect(put.settings?.['self']?.snippets).toEqual([])
  expect(put.accounts?.['self']?.accounts).toEqual([])
  expect(existsSync(join(world.data, 'workspaces', 'demo'))).toBe(false)
})
