import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { ChangeSet, Effect, Push } from '#shared/domain/changes.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'
import { WindowTable } from './windows.ts'

const EMPTY: ChangeSet = { rev: 1, put: {}, del: {}, windows: [], closed: [] }
const CHANNEL = { cid: asCid('team:a') }
const THREAD = { ...CHANNEL, parentId: asMessageId('m1') }
const EFFECT: Effect = { type: 'focus', cid: 'team:a' }

/** A table whose account has only windows. */
function aTable() {
  const firsts: unknown[] = []
  const detached: string[] = []
  const clock = new ManualClock()
  const engine = {
    attach: (_client: string, options: { readonly lastChannel: unknown }) => (firsts.push(options.lastChannel), EMPTY),
    detach: (client: string) => void detached.push(client),
  }
  const account = { engine, key: 'demo-1' } as unknown as Account
  const table = new WindowTable({
    clock,
    settings: () => ({ ...DEFAULT_SETTINGS, lastChannels: { 'demo-1': 'team:a' } }),
    refFor: () => ({ kind: 'demo', userId: 'ola' }) as never,
    accounts: () => [],
    open: () => Promise.resolve(account),
    closing: () => Promise.resolve(),
    onUnused: () => undefined,
  })
  const received = new Map<string, Push[]>()
  const open = async (id: string, own?: WindowPlace): Promise<ClientWindow> => {
    const pushes: Push[] = []
    received.set(id, pushes)
    const window: ClientWindow = { id, push: (push) => void pushes.push(push) }
    await table.attach(window, undefined, own)
    await clock.advance(0)
    return window
  }
  const effects = (id: string) => received.get(id)?.filter(({ kind }) => kind === 'effect').length
  return { table, account, open, effects, firsts, detached }
}

test('a notification is shown in the whole window only', async () => {
  const { table, account, open, effects } = aTable()
  const whole = await open('w1')
  await open('w2', THREAD)
  expect(table.shown(account)).toBe(whole)
  table.effect(account, EFFECT)
  expect(effects('w1')).toBe(1)
  expect(effects('w2')).toBe(0)
})

test('if only a window of one thread is open, another is opened; notices are shown there', async () => {
  const { table, account, open, effects } = aTable()
  await open('w1', THREAD)
  expect(table.shown(account)).toBeUndefined()
  table.effect(account, EFFECT)
  expect(effects('w1')).toBe(1)
})

test('a window of one thread receives no channel that it does not show', async () => {
  const { open, firsts } = aTable()
  await open('w1')
  await open('w2', THREAD)
  expect(firsts).toEqual(['team:a', undefined])
})

test('a place opens in its own window, else in one that shows it, else in the last whole one', async () => {
  const { table, account, open } = aTable()
  const first = await open('w1')
  const last = await open('w2')
  expect(table.showing(account, THREAD)).toEqual(last)
  expect(table.showing(account, CHANNEL)).toEqual(last)
  table.reportFocus(first, CHANNEL)
  expect(table.showing(account, THREAD)).toBe(first)
  const channel = await open('w3', CHANNEL)
  expect(table.showing(account, THREAD)).toEqual(channel)
  expect(table.showing(account, CHANNEL)).toEqual(channel)
  const thread = await open('w4', THREAD)
  expect(table.showing(account, THREAD)).toEqual(thread)
  expect(table.showing(account, CHANNEL)).toEqual(channel)
  expect(table.showing(account, { cid: asCid('team:b') })).toBe(last)
})

test('a window requested for a message opens it; another window that attaches first does not', async () => {
  const { table, open, effects } = aTable()
  table.expect({ kind: 'demo', userId: 'ola' } as never, CHANNEL, EFFECT)
  await open('w1')
  await open('w2', CHANNEL)
  await open('w3', CHANNEL)
  expect(effects('w1')).toBe(0)
  expect(effects('w2')).toBe(1)
  expect(effects('w3')).toBe(0)
})

test('a closed window is removed: no state is stored for it, and nothing is sent to it', async () => {
  const { table, account, open, effects, detached } = aTable()
  await open('w1')
  const own = await open('w2', CHANNEL)
  detached.length = 0
  table.closed(own)
  expect(detached).toEqual(['w2'])
  expect(table.of(account, CHANNEL)).toBeUndefined()
  expect(table.places).toEqual([])
  table.effect(account, EFFECT)
  expect(effects('w2')).toBe(0)
})
