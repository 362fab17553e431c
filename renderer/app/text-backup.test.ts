import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostState } from '#shared/bridge/transport.ts'
import { aChannel, aSession, aUser, byCid, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { createEngineClient } from '../bridge/client.ts'
import { replicaAttached } from '../store/entities.ts'
import { submitted, typed } from '../store/composers/composers.ts'
import { createStore } from '../store/store.ts'
import { backUpTexts } from './text-backup.ts'

const cid = 'messaging:release'
const ends: (() => void)[] = []
beforeEach(() => localStorage.clear())
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Keys of the backups in local storage. */
const stored = (): string[] => Object.keys(localStorage).filter((name) => name.startsWith('parlor.kept.'))

function aWindow({ pin = false, account: shown = 'alice', storage = localStorage } = {}) {
  const bridge = createFakeBridge()
  const listeners: ((state: HostState) => void)[] = []
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const attach = (account = shown, locked = false): void => {
    const session = locked ? {} : { session: { self: aSession({ userId: 'ola', account }) } }
    const rows = { users: byId([aUser({ id: 'ola' })]), channels: byCid([aChannel({ cid })]) }
    const put = { ...rows, ...session, lock: { self: { on: pin, locked } } }
    store.dispatch(replicaAttached({ rev: 1, put, del: {}, windows: [], closed: [] }))
  }
  attach()
  const onHost = (listener: (state: HostState) => void) => {
    listeners.push(listener)
    listener('here')
    return () => undefined
  }
  const end = backUpTexts({ bridge: { ...bridge, onHost }, engine, store, storage })
  ends.push(end)
  const setHost = (state: HostState): void => listeners.forEach((listener) => listener(state))
  const write = (text: string) => void store.dispatch(typed({ key: cid, text, caret: text.length }))
  return { bridge, store, attach, setHost, write, end, saved: () => bridge.inputsOf('drafts.save') }
}

test('text written while main is unreachable is stored in the browser until main has saved it', async () => {
  const window = aWindow()
  window.write('before')
  expect(stored()).toEqual([])
  window.setHost('gone')
  window.write('before and after')
  expect(stored().map((name) => localStorage.getItem(name))).toEqual([expect.stringContaining('before and after')])
  expect(window.store.getState().host).toMatchObject({ state: 'gone', backedUp: true })
  window.setHost('here')
  await vi.waitFor(() => expect(stored()).toEqual([]))
  expect(window.saved()).toMatchObject([{ cid, text: 'before and after' }])
  expect(window.store.getState().composers[cid]).toMatchObject({ text: 'before and after', touched: false })
})

test('a message sent without a response is sent again with the same id', async () => {
  const window = aWindow()
  window.write('hello')
  const input = { id: crypto.randomUUID(), cid, text: 'hello' } as never
  window.store.dispatch(submitted({ key: cid, id: (input as { id: string }).id, input }))
  window.setHost('gone')
  window.setHost('here')
  await vi.waitFor(() => expect(window.bridge.inputsOf('messages.send')).toEqual([input]))
  await vi.waitFor(() => expect(window.store.getState().composers[cid]?.inFlight).toEqual([]))
})

test('the backup of a closed window is saved to its own account only', async () => {
  const first = aWindow()
  first.setHost('gone')
  first.write('left behind')
  first.end()
  const second = aWindow()
  await vi.waitFor(() => expect(stored()).toEqual([]))
  expect(second.saved()).toMatchObject([{ text: 'left behind' }])

  const third = aWindow()
  third.setHost('gone')
  third.write('of alice')
  third.end()
  const fourth = aWindow({ account: 'bob' })
  await vi.waitFor(() => expect(aWindow({ account: 'bob' }).saved()).toEqual([]))
  expect(stored().length).toBe(1)
  expect(fourth.saved()).toEqual([])
})

test('with a PIN nothing is stored in the browser, and text in memory is saved after the unlock', async () => {
  const window = aWindow({ pin: true })
  window.setHost('gone')
  window.write('secret')
  expect(stored()).toEqual([])
  expect(window.store.getState().host.backedUp).toBe(false)
  window.bridge.reset()
  window.attach('alice', true)
  window.setHost('here')
  await Promise.resolve()
  expect(window.saved()).toEqual([])
  window.attach()
  await vi.waitFor(() => expect(window.saved()).toMatchObject([{ text: 'secret' }]))
  expect(stored()).toEqual([])
})

test('when local storage is full, the window knows that its text is only in memory', () => {
  const full: Storage = {
    length: 0,
    key: () => null,
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: () => undefined,
    clear: () => undefined,
  }
  const window = aWindow({ storage: full })
  window.setHost('gone')
  window.write('long')
  expect(window.store.getState().host.backedUp).toBe(false)
})

test('a backup that cannot be parsed is removed', async () => {
  localStorage.setItem('parlor.kept.x', '{"drafts":1}')
  localStorage.setItem('parlor.kept.y', 'no JSON')
  const window = aWindow()
  await vi.waitFor(() => expect(stored()).toEqual([]))
  expect(window.saved()).toEqual([])
})

test('the backup of a closed window stays in the browser until main can save it', async () => {
  const first = aWindow()
  first.setHost('gone')
  first.write('left behind')
  first.end()
  const second = aWindow({ account: 'nobody yet' })
  second.bridge.on('drafts.save', () => {
    throw Object.assign(new Error('full'), { code: 'disk/full' })
  })
  second.attach('alice')
  await vi.waitFor(() => expect(second.saved()).toHaveLength(1))
  expect(stored()).toHaveLength(1)
})
