import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
const crowd = (count: number) => Array.from({ length: count }, (_, at) => aUser({ id: `u${at}`, name: `Ann ${at}` }))

/** A channel with this many members; the server finds Zoe, who is not in the cache. */
async function write(text: string, members: number): Promise<FakeBridge> {
  const people = crowd(members)
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' }), ...people]),
      channels: byCid([aChannel({ cid, name: 'release' })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection() },
      settings: { self: someSettings() },
    },
    windows: [aWindow(`timeline:${cid}`, [])],
  })
  bridge.on('channels.members', ({ text: searched }: { text?: string }) => {
    const ids = people.map(({ id }) => id)
    if (searched === undefined || searched === '') return ids
    bridge.change({ users: byId([aUser({ id: 'zoe', name: 'Zoe Far' })]) })
    return [...ids, asUserId('zoe')]
  })
  await renderInApp(<Composer cid={cid} />, bridge)
  await pass(0)
  const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message #release' })
  field.focus()
  fireEvent.change(field, { target: { value: text } })
  await pass(0)
  return bridge
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const offered = () => screen.queryAllByRole('option').map((option) => option.textContent)
const searched = (bridge: FakeBridge) =>
  (bridge.inputsOf('channels.members') as { text?: string }[]).map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('cached people are offered at once, ten at most', async () => {
  await write('@an', 30)
  expect(offered()).toHaveLength(10)
})

test('results of the server do not move those already listed', async () => {
  const bridge = await write('@an', 100)
  const names = () => offered().map((text) => /Ann? ?\d*(?=u\d|not|zoe)/.exec(text ?? '')?.[0])
  const before = names()
  await pass(1_000)
  act(() => bridge.change({ users: byId([aUser({ id: 'zoe', name: 'An' })]) }))
  await pass(0)
  expect(before.length).toBe(10)
  expect(names()).toEqual(before)
})

test('AGR-13 fewer than a hundred members are searched locally', async () => {
  const bridge = await write('@zo', 99)
  await pass(1_000)
  expect(searched(bridge)).toEqual([undefined])
  expect(offered()).toEqual([])
})

test('AGR-12 with a hundred or more the server is searched 300 ms after the last key', async () => {
  const bridge = await write('@zo', 100)
  await pass(299)
  expect(searched(bridge)).toEqual([undefined])
  await pass(2)
  expect(searched(bridge)).toEqual([undefined, 'zo'])
  await pass(300)
  expect(offered()[0]).toContain('Zoe Far')
})

test('`:par` offers emoji of the workspace before all others, and inserts their name', async () => {
  const parrot = { name: 'party_parrot', aliases: ['bird'], image: 'emoji/party_parrot.1', moves: false }
  const bridge = await write('', 2)
  act(() => bridge.change({ emoji: { party_parrot: parrot } }))
  const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message #release' })
  fireEvent.change(field, { target: { value: 'so :par' } })
  await pass(400)
  expect(offered()[0]).toBe(':party_parrot::party_parrot:party parrot')
  fireEvent.keyDown(field, { key: 'Tab' })
  await pass(0)
  expect(field.value).toBe('so :party_parrot: ')
})
