import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { ChangeSet, Effect, Push } from '#shared/domain/changes.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { Account } from './account.ts'
import { WindowTable } from './windows.ts'

const EMPTY: ChangeSet = { rev: 1, put: {}, del: {}, windows: [], closed: [] }
const EFFECT: Effect = { type: 'focus', cid: 'team:a' }

/** A table whose account has nothing but windows. */
function aTable() {
  const firsts: unknown[] = []
  const engine = {
    attach: (_client: string, options: { readonly lastChannel: unknown }) => (firsts.push(options.lastChannel), EMPTY),
    detach: () => undefined,
  }
  const account = { engine, key: 'demo-1' } as unknown as Account
  const table = new WindowTable({
    clock: new ManualClock(),
    settings: () => ({ ...DEFAULT_SETTINGS, lastChannels: { 'demo-1': 'team:a' } }),
    refFor: () => ({ kind: 'demo', userId: 'ola' }) as never,
    accounts: () => [],
    open: () => Promise.resolve(account),
    onUnused: () => undefined,
  })
  const heard = new Map<string, Push[]>()
  const open = async (id: string, alone: boolean): Promise<ClientWindow> => {
    const pushes: Push[] = []
    heard.set(id, pushes)
    const window: ClientWindow = { id, push: (push) => void pushes.push(push) }
    await table.attach(window, undefined, alone)
    return window
  }
  const effects = (id: string) => heard.get(id)?.filter(({ kind }) => kind === 'effect').length
  return { table, account, open, effects, firsts }
}

test('a notification leads to the whole window, and is said there alone', async () => {
  const { table, account, open, effects } = aTable()
  const whole = await open('w1', false)
  await open('w2', true)
  expect(table.shown(account)).toBe(whole)
  table.effect(account, EFFECT)
  expect([effects('w1'), effects('w2')]).toEqual([1, 0])
})

test('where only a window of one thread is open, another has to be opened; what is said is said there', async () => {
  const { table, account, open, effects } = aTable()
  await open('w1', true)
  expect(table.shown(account)).toBeUndefined()
  table.effect(account, EFFECT)
  expect(effects('w1')).toBe(1)
})

test('a window of one thread is sent no channel that nobody looks at', async () => {
  const { open, firsts } = aTable()
  await open('w1', false)
  await open('w2', true)
  expect(firsts).toEqual(['team:a', undefined])
})
